/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The report of a sweep: a table, and maui.replay-sweep/1. */
#include <stdio.h>
#include <string.h>

#include "contribs/maui/lib/json.h"
#include "contribs/maui/lib/output.h"
#include "contribs/maui/lib/terminal.h"
#include "contribs/maui/replay/sweep.h"

/* ---- the table ---- */

/* Of a column of values. */
static int width_of(const struct sweep_axis *axis)
{
	size_t width = strlen(axis->key);

	for (size_t i = 0; i < axis->count; i++)
		if (strlen(axis->values[i]) > width)
			width = strlen(axis->values[i]);
	return (int)width;
}

static void print_heads(const struct sweep *sweep)
{
	printf("%s%4s", mark(MARK_TITLE), "rank");
	for (size_t i = 0; i < sweep->count; i++)
		printf("  %*s", width_of(&sweep->axis[i]), sweep->axis[i].key);
	for (const struct replay_figure *figure = replay_figures; figure->name; figure++)
		if (figure->head)
			printf("  %11s", figure->head);
	printf("%s\n", mark(MARK_END));
}

static void print_row(const struct sweep *sweep, const struct sweep_run *run, size_t rank)
{
	printf("%4zu", rank);
	for (size_t i = 0; i < sweep->count; i++)
		printf("  %*s", width_of(&sweep->axis[i]), sweep_value(sweep, run->number, i));
	for (const struct replay_figure *figure = replay_figures; figure->name; figure++)
		if (figure->head)
			printf("  %11.*f", figure->decimals, figure->value(&run->measures));
	putchar('\n');
}

void sweep_print(const struct replay_report *report, const struct sweep *sweep,
		 const struct sweep_run *runs, size_t count)
{
	const struct replay_figure *by = sweep_ranking(sweep);

	replay_print_trace(report);
	printf("%zu combinations with ", count);
	print_clean(report->side[0].name);
	printf(", by %s, %s first; slowdowns are bounded\n\n", by->name,
	       by->more_is_better ? "the highest" : "the lowest");
	print_heads(sweep);
	for (size_t i = 0; i < count; i++)
		print_row(sweep, &runs[i], i + 1);
	putchar('\n');
	for (const char *const *what = replay_not_modelled(report); *what; what++)
		printf("not included: %s\n", *what);
}

/* ---- JSON ---- */

static struct json_object *row(const struct sweep *sweep, const struct sweep_run *run, size_t rank)
{
	struct json_object *object = replay_measures_json(&run->measures);
	struct json_object *settings = json_make_object();

	for (size_t i = 0; i < sweep->count; i++)
		json_set_text(settings, sweep->axis[i].key, sweep_value(sweep, run->number, i));
	json_set_number(object, "rank", (int64_t)rank);
	json_set(object, "settings", settings);
	json_set_number(object, "backfilled", (int64_t)run->measures.backfilled);
	json_set_number(object, "never", (int64_t)run->measures.never);
	return object;
}

int sweep_print_json(const struct replay_report *report, const struct sweep *sweep,
		     const struct sweep_run *runs, size_t count)
{
	struct json_object *data = replay_head_json(report), *list = json_make_array();
	int code;

	json_set_text(data, "config", report->side[0].name);
	json_set_text(data, "rank_by", sweep_ranking(sweep)->name);
	for (size_t i = 0; i < count; i++)
		json_append(list, row(sweep, &runs[i], i + 1));
	json_set(data, "runs", list);
	replay_not_modelled_json(report, data);
	code = print_json("maui.replay-sweep/1", data);
	json_object_put(data);
	return code;
}
