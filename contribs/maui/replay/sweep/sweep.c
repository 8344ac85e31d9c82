/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The runs of a sweep. */
#include "contribs/maui/replay/sweep/sweep.h"

#include <stdlib.h>

#include "contribs/maui/lib/text.h"
#include "contribs/maui/replay/processes/fan.h"
#include "contribs/maui/replay/sweep/sweep_array.h"

/* What each process knows. */
struct combinations {
	const struct replay_report *report;
	const struct sweep *sweep;
};

/* ---- one run ---- */

/* As lines at the end of the file, where they win. malloc'ed. */
static char *lines_of(const struct sweep *sweep, size_t number)
{
	char *lines = text_copy("\n");

	for (size_t i = 0; i < sweep->count; i++) {
		char *more = text_printf("%s%s %s\n", lines, sweep->axis[i].key,
					 sweep_value(sweep, number, i));

		free(lines);
		lines = more;
	}
	return lines;
}

int sweep_run_one(const struct replay_report *report, const struct sweep *sweep, size_t number,
		  struct sweep_run *ret_run)
{
	struct replay_side side = {.name = report->side[0].name};
	char *lines = lines_of(sweep, number);
	int code = replay_load_policy(report, &side, lines);

	if (code == EXIT_OK)
		code = replay_schedule(report, &side);
	*ret_run = (struct sweep_run){.number = number, .measures = side.measures};
	maui_replay_schedule_clear(&side.schedule);
	maui_policy_unref(side.policy);
	free(lines);
	return code;
}

static int run(const void *context, size_t number, void *ret_result)
{
	const struct combinations *all = context;

	return sweep_run_one(all->report, all->sweep, number, ret_result);
}

/* Before the first run, which may take long, and in one process, which says it once. */
static int check_all(const struct replay_report *report, const struct sweep *sweep, size_t count)
{
	int code = EXIT_OK;

	for (size_t number = 0; code == EXIT_OK && number < count; number++) {
		struct replay_side side = {.name = report->side[0].name};
		char *lines = lines_of(sweep, number);

		code = replay_load_policy(report, &side, lines);
		maui_policy_unref(side.policy);
		free(lines);
	}
	return code;
}

static int run_all(const struct cli *cli, const struct replay_report *report,
		   const struct sweep *sweep, size_t count)
{
	struct replay_report each = *report;
	const struct combinations all = {&each, sweep};
	struct fan fan = {.count = count,
			  .what = "--sweep",
			  .size = sizeof(struct sweep_run),
			  .run = run,
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
	code = check_all(report, sweep, count);
	if (code != EXIT_OK)
		return code;
	return sweep->array ? sweep_print_array(report, sweep) : run_all(cli, report, sweep, count);
}
