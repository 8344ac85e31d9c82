/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Markup for all views of the report: names and colours of schedules, dates,
 * the logarithmic axis of waits, and tables.
 */
#include "contribs/maui/replay/html/html_parts.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* ---- schedules ---- */

static const char *base_of(const char *name)
{
	const char *slash = strrchr(name, '/');

	return slash ? slash + 1 : name;
}

const char *replay_side_name(const struct replay_report *report, size_t side)
{
	const char *name = report->side[side].name;

	for (size_t i = 0; i < report->count; i++)
		if (i != side && !strcmp(base_of(report->side[i].name), base_of(name)))
			return name;
	return base_of(name);
}

void replay_html_side(struct html *html, const struct replay_page *page, size_t side)
{
	html_add(
		html,
		"<td class=\"side\"><svg class=\"swatch\" aria-hidden=\"true\"><rect class=\"c%d\" "
		"y=\"4\" width=\"14\" height=\"10\"/></svg>%s</td>",
		(int)side % 8, replay_side_name(page->report, side));
}

static void add_key(struct html *html, const char *looks, const char *name)
{
	html_add(html,
		 "<li><svg width=\"34\" height=\"12\" aria-hidden=\"true\"><path class=\"%s line\" "
		 "d=\"M0 6H34\"/></svg>%s</li>\n",
		 looks, name);
}

void replay_html_key(struct html *html, const struct replay_page *page, bool recorded)
{
	static const char *const looks[] = {"c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7"};

	_Static_assert(sizeof(looks) / sizeof(looks[0]) == MAX_SIDES, "each has its colour");
	html_add(html, "<ul class=\"key\">\n");
	for (size_t i = 0; i < page->report->count; i++)
		add_key(html, looks[i], replay_side_name(page->report, i));
	if (recorded && page->report->recorded.jobs)
		add_key(html, "recorded", "as recorded");
	html_add(html, "</ul>\n");
}

/* ---- time ---- */

void replay_html_when(struct html *html, const struct replay_page *page, int64_t time)
{
	int64_t since = time - page->facts->begin;

	if (page->report->trace->epoch) {
		page_time(html, time);
		return;
	}
	html_add(html, "<data value=\"%" PRId64 "\">day %" PRId64 ", ", since, since / 86400 + 1);
	html_add(html, "%" PRId64 ":%" PRId64 "%" PRId64 "</data>", since % 86400 / 3600,
		 since % 3600 / 600, since % 600 / 60);
}

void replay_html_date(struct html *html, int64_t time)
{
	time_t moment = (time_t)time;
	struct tm local;
	char text[32];

	if (localtime_r(&moment, &local) && strftime(text, sizeof(text), "%Y-%m-%d", &local))
		html_add(html, "%s", text);
}

/* ---- the scale of waits ---- */

double replay_log_part(double seconds, double longest)
{
	double whole = log(1 + (longest > 1 ? longest : 1) / 10);

	return page_part(log(1 + (seconds > 0 ? seconds : 0) / 10), whole);
}

void replay_html_log_axis(struct html *html, double longest)
{
	static const struct {
		double seconds;
		const char *name;
	} marks[] = {{60, "1 min"},  {600, "10 min"},    {3600, "1 h"},       {6 * 3600, "6 h"},
		     {86400, "1 d"}, {7 * 86400, "7 d"}, {30 * 86400, "30 d"}};
	double last = -8; /* of their texts there is room for three where the page is narrow */

	html_add(html, "<svg class=\"dates\" aria-hidden=\"true\"><text x=\"0\" y=\"12\">0</text>");
	for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++) {
		double at = replay_log_part(marks[i].seconds, longest);

		if (marks[i].seconds > longest || at - last < 30 || at > 96)
			continue;
		html_add(html, "<text class=\"middle\" x=\"%.2f%%\" y=\"12\">%s</text>", at,
			 marks[i].name);
		last = at;
	}
	html_add(html, "</svg>");
}

/* ---- tables ---- */

void replay_html_table(struct html *html, const struct replay_page *page, const char *label,
		       size_t side)
{
	char text[256];

	snprintf(text, sizeof(text), "%s, %s", label, replay_side_name(page->report, side));
	page_table(html, text);
}

void replay_html_nothing(struct html *html, int cells)
{
	for (int i = 0; i < cells; i++) {
		html_add(html, "<td class=\"number\">");
		page_none(html);
		html_add(html, "</td>");
	}
}

void replay_html_fold(struct html *html, const char *summary)
{
	html_add(html, "<details><summary>%s</summary>\n", summary);
}

void replay_html_fold_end(struct html *html)
{
	html_add(html, "</details>\n");
}
