/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Replays copies of the trace with shifted submissions in a process pool, and
 * reports the mean and 95 % interval of each figure.
 */
#include "contribs/maui/replay/report/replay_jitter.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/report/json.h"
#include "common/util/memory.h"
#include "contribs/maui/html/pieces.h"
#include "contribs/maui/lib/output.h"
#include "contribs/maui/lib/terminal.h"
#include "contribs/maui/replay/processes/fan.h"

/* ---- the runs ---- */

static int replay_jitter_run(const void *context, size_t number, void *ret_result)
{
	const struct replay_report *report = context;
	struct maui_replay_measures *measures = ret_result;
	struct replay_report shaken = *report;
	struct maui_replay_trace trace;
	int code = EXIT_OK;

	maui_replay_shake(report->trace, report->jitter->seed, (uint32_t)number,
			  report->jitter->span, &trace);
	shaken.trace = &trace;
	shaken.progress = false; /* of one run */
	for (size_t i = 0; code == EXIT_OK && i < report->count; i++) {
		struct replay_side side = report->side[i];

		side.schedule = (struct maui_replay_schedule){0};
		code = replay_schedule(&shaken, &side);
		measures[i] = side.measures;
		maui_replay_schedule_clear(&side.schedule);
	}
	maui_replay_shaken_clear(&trace);
	return code;
}

int jitter_run(const struct replay_report *report, struct replay_jitter *jitter)
{
	size_t size = MAX_SIDES * sizeof(*jitter->measures);
	struct fan fan = {.count = jitter->runs,
			  .size = size,
			  .run = replay_jitter_run,
			  .context = report,
			  .what = "--jitter",
			  .progress = report->progress};
	void *results;
	int code = fan_out(&fan, &results);

	if (code != EXIT_OK)
		return code;
	jitter->measures = maui_malloc(jitter->runs, size);
	memcpy(jitter->measures, results, jitter->runs * size);
	fan_free(&fan, results);
	return EXIT_OK;
}

void jitter_clear(struct replay_jitter *jitter)
{
	free(jitter->measures);
	jitter->measures = NULL;
}

struct maui_replay_interval jitter_interval(const struct replay_jitter *jitter,
					    const struct replay_figure *figure, size_t side,
					    size_t *ret_better)
{
	double *values = maui_calloc(jitter->runs, sizeof(*values));
	struct maui_replay_interval interval;

	*ret_better = 0;
	for (size_t i = 0; i < jitter->runs; i++) {
		const struct maui_replay_measures *measures = &jitter->measures[i * MAX_SIDES];
		double first = figure->value(&measures[0]);

		values[i] = figure->value(&measures[side]);
		*ret_better += figure->more_is_better ? values[i] > first : values[i] < first;
	}
	interval = maui_replay_interval_of(values, jitter->runs);
	free(values);
	return interval;
}

/* ---- as a table ---- */

static void print_side(const struct replay_report *report, size_t side)
{
	printf("%s", mark(MARK_TITLE));
	print_clean(report->side[side].name);
	printf("%s\n%-32s  %14s  %14s  %14s%s\n", mark(MARK_END), "", "mean", "from", "to",
	       side ? "  better than the first" : "");
	for (const struct replay_figure *figure = replay_figures; figure->name; figure++) {
		size_t better;
		struct maui_replay_interval in =
			jitter_interval(report->jitter, figure, side, &better);

		char mean[REPLAY_FIGURE_SIZE], low[REPLAY_FIGURE_SIZE], high[REPLAY_FIGURE_SIZE];

		printf("%-32s  %14s  %14s  %14s", figure->label,
		       replay_figure_text(figure, in.mean, mean),
		       replay_figure_text(figure, in.low, low),
		       replay_figure_text(figure, in.high, high));
		if (side)
			printf("  in %zu of %u runs", better, report->jitter->runs);
		putchar('\n');
	}
	putchar('\n');
}

void jitter_print(const struct replay_report *report)
{
	const struct replay_jitter *jitter = report->jitter;

	if (!jitter->runs)
		return;
	printf("%u runs with each submission moved by at most %u s, seed %u; 95 %% of the runs are "
	       "within\n\n",
	       jitter->runs, jitter->span, jitter->seed);
	for (size_t i = 0; i < report->count; i++)
		print_side(report, i);
}

/* ---- as JSON ---- */

static struct json_object *side_json(const struct replay_report *report, size_t side)
{
	struct json_object *object = json_make_object();

	for (const struct replay_figure *figure = replay_figures; figure->name; figure++) {
		struct json_object *one = json_make_object();
		size_t better;
		struct maui_replay_interval in =
			jitter_interval(report->jitter, figure, side, &better);

		json_set_real(one, "mean", in.mean);
		json_set_real(one, "low", in.low);
		json_set_real(one, "high", in.high);
		json_set_number(one, "better", (int64_t)better);
		json_set(object, figure->name, one);
	}
	return object;
}

struct json_object *jitter_json(const struct replay_report *report)
{
	struct json_object *object, *list;

	if (!report->jitter->runs)
		return NULL;
	object = json_make_object();
	list = json_make_array();
	json_set_number(object, "runs", report->jitter->runs);
	json_set_number(object, "span", report->jitter->span);
	json_set_number(object, "seed", (int64_t)report->jitter->seed);
	for (size_t i = 0; i < report->count; i++)
		json_append(list, side_json(report, i));
	json_set(object, "schedules", list);
	return object;
}

/* ---- as a view ---- */

static double replay_jitter_highest(const struct replay_report *report,
				    const struct replay_figure *figure)
{
	double highest = 0;
	size_t better;

	for (size_t i = 0; i < report->count; i++) {
		double high = jitter_interval(report->jitter, figure, i, &better).high;

		highest = high > highest ? high : highest;
	}
	return highest;
}

static void write_row(struct html *html, const struct replay_report *report,
		      const struct replay_figure *figure, size_t side, double whole)
{
	size_t better;
	struct maui_replay_interval in = jitter_interval(report->jitter, figure, side, &better);
	double low = page_part(in.low, whole), high = page_part(in.high, whole);
	char mean[REPLAY_FIGURE_SIZE], from[REPLAY_FIGURE_SIZE], to[REPLAY_FIGURE_SIZE];

	html_add(html, "<tr>");
	if (!side)
		html_add(html, "<th scope=\"rowgroup\" rowspan=\"%zu\">%s</th>", report->count,
			 figure->label);
	html_add(html,
		 "<td class=\"side\">%s</td><td class=\"wide\"><svg class=\"bar\" "
		 "aria-hidden=\"true\"><rect class=\"track\" y=\"8\" width=\"100%%\" "
		 "height=\"2\"/><rect class=\"c%zu\" x=\"%.2f%%\" y=\"4\" width=\"%.2f%%\" "
		 "height=\"10\"/><svg class=\"mark\" x=\"%.2f%%\"><path "
		 "d=\"M0 1V17\"/></svg></svg></td><td class=\"number\">%s</td><td "
		 "class=\"number\">%s</td><td class=\"number\">%s</td><td class=\"number\">",
		 report->side[side].name, side, low, high - low > 0.4 ? high - low : 0.4,
		 page_part(in.mean, whole), replay_figure_text(figure, in.mean, mean),
		 replay_figure_text(figure, in.low, from), replay_figure_text(figure, in.high, to));
	if (side)
		html_add(html, "%zu", better);
	html_add(html, "</td></tr>\n");
}

void jitter_html(struct html *html, const struct replay_report *report)
{
	const struct replay_jitter *jitter = report->jitter;

	html_add(
		html,
		"<p>%zu runs with each submission moved by at most %zu seconds, seed %zu. 95 %% of "
		"the runs are within a bar, on a scale from 0; the upright mark is their mean. All "
		"schedules had the same arrivals in each run.</p>\n",
		(size_t)jitter->runs, (size_t)jitter->span, (size_t)jitter->seed);
	page_table(html, "Shaken arrivals");
	html_add(html, "<caption>Shaken arrivals</caption>\n<thead><tr><th "
		       "scope=\"col\">Figure</th><th scope=\"col\">Schedule</th><th class=\"wide\" "
		       "scope=\"col\">95 %% of the runs</th><th class=\"number\" "
		       "scope=\"col\">Mean</th><th class=\"number\" scope=\"col\">From</th><th "
		       "class=\"number\" scope=\"col\">To</th><th class=\"number\" "
		       "scope=\"col\">Runs better than the first</th></tr></thead>\n");
	for (const struct replay_figure *figure = replay_figures; figure->name; figure++) {
		double whole = replay_jitter_highest(report, figure);

		html_add(html, "<tbody>");
		for (size_t i = 0; i < report->count; i++)
			write_row(html, report, figure, i, whole);
		html_add(html, "</tbody>\n");
	}
	html_add(html, "</table></div>\n");
}
