/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The report of a sweep: a table, and maui.replay-sweep/1. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/report/json.h"
#include "contribs/maui/lib/output.h"
#include "contribs/maui/lib/terminal.h"
#include "contribs/maui/replay/sweep/sweep.h"

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

static void print_cell(const struct sweep_axis *axis, const char *text)
{
	char clean[128];

	printf("  %*s", width_of(axis), clean_copy(text, clean, sizeof(clean)));
}

static void print_heads(const struct sweep *sweep)
{
	printf("%s%4s", mark(MARK_TITLE), "rank");
	for (size_t i = 0; i < sweep->count; i++)
		print_cell(&sweep->axis[i], sweep->axis[i].key);
	for (const struct replay_figure *figure = replay_figures; figure->name; figure++)
		if (figure->head)
			printf("  %11s", figure->head);
	printf("%s\n", mark(MARK_END));
}

static void print_row(const struct sweep *sweep, const struct sweep_run *run, size_t rank)
{
	char text[REPLAY_FIGURE_SIZE];

	printf("%4zu", rank);
	for (size_t i = 0; i < sweep->count; i++)
		print_cell(&sweep->axis[i], sweep_value(sweep, run->number, i));
	for (const struct replay_figure *figure = replay_figures; figure->name; figure++)
		if (figure->head)
			printf("  %11s",
			       replay_figure_text(figure, figure->value(&run->measures), text));
	putchar('\n');
}

/* They are at the end. */
static void print_never(const struct sweep_run *runs, size_t count)
{
	size_t first = 0;

	while (first < count && !runs[first].measures.never)
		first++;
	if (first < count)
		printf("under %zu of them some jobs never begin: these are last, the fewest such "
		       "jobs first\n\n",
		       count - first);
}

static void print_table(const struct sweep *sweep, struct json_object *head,
			const struct sweep_run *runs, size_t count)
{
	const struct replay_figure *by = sweep_ranking(sweep);

	replay_print_head(head);
	printf("%zu combinations with ", count);
	print_clean(member_text(head, "config"));
	printf(", by %s, %s first; slowdowns are bounded\n\n", by->name,
	       by->more_is_better ? "the highest" : "the lowest");
	print_never(runs, count);
	print_heads(sweep);
	for (size_t i = 0; i < count; i++)
		print_row(sweep, &runs[i], i + 1);
	putchar('\n');
	replay_print_not_modelled(head);
}

/* ---- JSON ---- */

struct json_object *sweep_head_json(const struct replay_report *report)
{
	struct json_object *head = replay_head_json(report);

	json_set_text(head, "config", report->side[0].name);
	replay_not_modelled_json(report, head);
	return head;
}

struct json_object *sweep_run_json(const struct sweep *sweep, const struct sweep_run *run)
{
	struct json_object *object = replay_measures_json(&run->measures);
	struct json_object *settings = json_make_object();

	for (size_t i = 0; i < sweep->count; i++)
		json_set_text(settings, sweep->axis[i].key, sweep_value(sweep, run->number, i));
	json_set(object, "settings", settings);
	json_set_number(object, "backfilled", (int64_t)run->measures.backfilled);
	json_set_number(object, "never", (int64_t)run->measures.never);
	return object;
}

static int print_as_json(const struct sweep *sweep, struct json_object *head,
			 const struct sweep_run *runs, size_t count)
{
	struct json_object *list = json_make_array();

	json_set_text(head, "rank_by", sweep_ranking(sweep)->name);
	for (size_t i = 0; i < count; i++) {
		struct json_object *row = sweep_run_json(sweep, &runs[i]);

		json_set_number(row, "rank", (int64_t)i + 1);
		json_append(list, row);
	}
	json_set(head, "runs", list);
	return print_json("maui.replay-sweep/1", head);
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

	/* One under which jobs never begin is never better. */
	if (a->measures.never != b->measures.never)
		return a->measures.never < b->measures.never ? -1 : 1;
	if (x != y)
		return (x < y) == ranked_by->more_is_better ? 1 : -1;
	return a->number > b->number ? 1 : a->number < b->number ? -1 : 0;
}

int sweep_tell(const struct cli *cli, const struct sweep *sweep, struct json_object *head,
	       struct sweep_run *runs, size_t count)
{
	int code = EXIT_OK;

	ranked_by = sweep_ranking(sweep);
	qsort(runs, count, sizeof(*runs), by_figure);
	if (cli->json)
		code = print_as_json(sweep, head, runs, count);
	else
		print_table(sweep, head, runs, count);
	json_object_put(head);
	return code;
}
