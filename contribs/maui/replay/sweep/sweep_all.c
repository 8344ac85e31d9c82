/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Replays all combinations of a sweep on all cores, or leaves them to a job array. */
#include "contribs/maui/replay/sweep/sweep_all.h"

#include "contribs/maui/replay/processes/fan.h"
#include "contribs/maui/replay/sweep/sweep_array.h"

/* What each process knows. */
struct combinations {
	const struct replay_report *report;
	const struct sweep *sweep;
};

static int sweep_all_one(const void *context, size_t number, void *ret_result)
{
	const struct combinations *all = context;

	return sweep_run_one(all->report, all->sweep, number, ret_result);
}

static int sweep_all_run(const struct cli *cli, const struct replay_report *report,
			 const struct sweep *sweep, size_t count)
{
	struct replay_report each = *report;
	const struct combinations all = {&each, sweep};
	struct fan fan = {.count = count,
			  .what = "--sweep",
			  .size = sizeof(struct sweep_run),
			  .run = sweep_all_one,
			  .context = &all,
			  .progress = report->progress};
	void *runs;
	int code;

	each.progress = false; /* of one run */
	code = fan_out(&fan, &runs);
	if (code != EXIT_OK)
		return code;
	code = sweep_tell(cli, sweep, sweep_head_json(report), runs, count);
	fan_free(&fan, runs);
	return code;
}

int sweep_all(const struct cli *cli, const struct replay_report *report, const struct sweep *sweep)
{
	size_t count = sweep_runs(sweep);
	int code;

	if (sweep->elements)
		return sweep_run_element(report, sweep);
	code = sweep_check(report, sweep, count);
	if (code != EXIT_OK)
		return code;
	return sweep->array ? sweep_print_array(report, sweep)
			    : sweep_all_run(cli, report, sweep, count);
}
