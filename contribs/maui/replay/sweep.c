/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The runs of a sweep. */
#include "contribs/maui/replay/sweep.h"

#include <stdlib.h>

#include "contribs/maui/lib/text.h"
#include "contribs/maui/replay/fan.h"

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

static int run(const void *context, size_t number, void *ret_result)
{
	const struct combinations *all = context;
	struct replay_side side = {.name = all->report->side[0].name};
	char *lines = lines_of(all->sweep, number);
	int code = replay_load_policy(&side, lines);

	if (code == EXIT_OK)
		code = replay_schedule(all->report, &side);
	*(struct sweep_run *)ret_result =
		(struct sweep_run){.number = number, .measures = side.measures};
	maui_replay_schedule_clear(&side.schedule);
	maui_policy_unref(side.policy);
	free(lines);
	return code;
}

/* Before the first run, which may take long, and in one process, which says it once. */
static int check_all(const struct replay_report *report, const struct sweep *sweep, size_t count)
{
	int code = EXIT_OK;

	for (size_t number = 0; code == EXIT_OK && number < count; number++) {
		struct replay_side side = {.name = report->side[0].name};
		char *lines = lines_of(sweep, number);

		code = replay_load_policy(&side, lines);
		maui_policy_unref(side.policy);
		free(lines);
	}
	return code;
}

/* ---- ranks ---- */

const struct replay_figure *sweep_ranking(const struct sweep *sweep)
{
	return sweep->rank_by ? sweep->rank_by : replay_figure_find("slowdown");
}

static const struct replay_figure *ranked_by; /* qsort() has no context */

static int by_figure(const void *first, const void *second)
{
	const struct sweep_run *a = first, *b = second;
	double x = ranked_by->value(&a->measures), y = ranked_by->value(&b->measures);

	if (x != y)
		return (x < y) == ranked_by->more_is_better ? 1 : -1;
	return a->number > b->number ? 1 : a->number < b->number ? -1 : 0;
}

int sweep_all(const struct cli *cli, const struct replay_report *report, const struct sweep *sweep)
{
	struct replay_report each = *report;
	const struct combinations all = {&each, sweep};
	struct fan fan = {.count = 1,
			  .what = "--sweep",
			  .size = sizeof(struct sweep_run),
			  .run = run,
			  .context = &all,
			  .progress = report->progress};
	void *runs;
	int code;

	each.progress = false; /* of one run */
	for (size_t i = 0; i < sweep->count; i++)
		fan.count *= sweep->axis[i].count;
	code = check_all(report, sweep, fan.count);
	if (code == EXIT_OK)
		code = fan_out(&fan, &runs);
	if (code != EXIT_OK)
		return code;
	ranked_by = sweep_ranking(sweep);
	qsort(runs, fan.count, sizeof(struct sweep_run), by_figure);
	if (cli->json)
		code = sweep_print_json(report, sweep, runs, fan.count);
	else
		sweep_print(report, sweep, runs, fan.count);
	fan_free(&fan, runs);
	return code;
}
