/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Waits and slowdowns of users, sizes, ..., and who began before others that were ahead. */
#include "contribs/maui/replay/html/html_parts.h"
#include "contribs/maui/replay/report/replay_figures.h"

#define FIGURES 8 /* of waits and slowdowns, in a row */

static const struct {
	enum maui_replay_by by;
	const char *title;
} tables[] = {
	{MAUI_REPLAY_BY_SIZE, "By size: processors"},
	{MAUI_REPLAY_BY_LENGTH, "By run time"},
	{MAUI_REPLAY_BY_USER, "By user"},
	{MAUI_REPLAY_BY_GROUP, "By group"},
	{MAUI_REPLAY_BY_ACCOUNT, "By account"},
	{MAUI_REPLAY_BY_QOS, "By QOS"},
	{MAUI_REPLAY_BY_CLASS, "By class"},
};

static const struct maui_replay_measures *
measures_of(const struct replay_page *page, enum maui_replay_by by, size_t side, size_t group)
{
	return &page->facts->side[side].groups[by][group];
}

static size_t html_groups_shown(const struct maui_replay_grouping *grouping)
{
	return grouping->count < REPLAY_SHOWN ? grouping->count : REPLAY_SHOWN;
}

static double longest_p95(const struct replay_page *page, enum maui_replay_by by)
{
	double longest = 60;

	for (size_t side = 0; side < page->report->count; side++)
		for (size_t i = 0; i < html_groups_shown(&page->facts->by[by]); i++) {
			const struct maui_replay_spread *wait =
				&measures_of(page, by, side, i)->wait;

			longest = wait->p95 > longest ? wait->p95 : longest;
			longest = wait->mean > longest ? wait->mean : longest;
		}
	return longest;
}

/* From the median to where 95 % are below, with a mark at the mean. */
static void draw_spread(struct html *html, const struct maui_replay_spread *wait, double longest,
			size_t side)
{
	double median = replay_log_part(wait->median, longest);
	double p95 = replay_log_part(wait->p95, longest);
	double mean = replay_log_part(wait->mean, longest);

	html_add(html,
		 "<td class=\"wide\"><svg class=\"bar\" aria-hidden=\"true\"><rect class=\"track\" "
		 "y=\"8\" width=\"100%%\" height=\"2\"/><rect class=\"c%zu\" x=\"%.2f%%\" y=\"4\" "
		 "width=\"%.2f%%\" height=\"10\"/><svg class=\"mark\" x=\"%.2f%%\"><path "
		 "d=\"M0 1V17\"/></svg></svg></td>",
		 side, median > 99.5 ? 99.5 : median, p95 - median > 0.5 ? p95 - median : 0.5,
		 mean);
}

static void write_wait(struct html *html, double seconds)
{
	char text[REPLAY_FIGURE_SIZE];

	html_add(html, "<td class=\"number\"><data value=\"%.0f\">%s</data></td>", seconds,
		 replay_seconds_text(seconds, text));
}

/* No job of them begins. */
static void write_nothing(struct html *html)
{
	html_add(html, "<td class=\"wide\"></td>");
	replay_html_nothing(html, FIGURES);
	html_add(html, "</tr>\n");
}

static void write_row(struct html *html, const struct replay_page *page, enum maui_replay_by by,
		      size_t group, size_t side, double longest)
{
	const struct maui_replay_measures *m = measures_of(page, by, side, group);

	html_add(html, "<tr>");
	if (!side)
		html_add(html,
			 "<th scope=\"rowgroup\" rowspan=\"%zu\">%s</th><td class=\"number\" "
			 "rowspan=\"%zu\">%zu</td>",
			 page->report->count, page->facts->by[by].names[group], page->report->count,
			 m->jobs + m->apart + m->never);
	if (page->report->count > 1)
		replay_html_side(html, page, side);
	if (!m->jobs) {
		write_nothing(html);
		return;
	}
	draw_spread(html, &m->wait, longest, side);
	write_wait(html, m->wait.mean);
	write_wait(html, m->wait.median);
	write_wait(html, m->wait.p95);
	write_wait(html, m->wait.max);
	html_add(html,
		 "<td class=\"number\">%.1f</td><td class=\"number\">%.1f</td><td "
		 "class=\"number\">%.1f</td><td class=\"number\">%.0f</td></tr>\n",
		 m->slowdown.mean, m->slowdown.median, m->slowdown.p95, m->slowdown.max);
}

static void write_table(struct html *html, const struct replay_page *page, enum maui_replay_by by,
			const char *title)
{
	const struct maui_replay_grouping *grouping = &page->facts->by[by];
	double longest = longest_p95(page, by);

	if (!grouping->count)
		return;
	page_table(html, title);
	html_add(html,
		 "<caption>%s</caption>\n<thead><tr><th scope=\"col\">%s</th><th "
		 "class=\"number\" scope=\"col\">Jobs</th>",
		 title, maui_replay_by_name(by));
	if (page->report->count > 1)
		html_add(html, "<th scope=\"col\">Schedule</th>");
	html_add(html, "<th class=\"wide\" scope=\"col\">Wait");
	replay_html_log_axis(html, longest);
	html_add(html, "</th>");
	for (int i = 0; i < 2; i++)
		html_add(html,
			 "<th class=\"number\" scope=\"col\">%s, mean</th><th class=\"number\" "
			 "scope=\"col\">median</th><th class=\"number\" scope=\"col\">95 %% "
			 "below</th><th class=\"number\" scope=\"col\">%s</th>",
			 i ? "Slowdown" : "Wait", i ? "largest" : "longest");
	html_add(html, "</tr></thead>\n");
	for (size_t i = 0; i < html_groups_shown(grouping); i++) {
		html_add(html, "<tbody>");
		for (size_t side = 0; side < page->report->count; side++)
			write_row(html, page, by, i, side, longest);
		html_add(html, "</tbody>\n");
	}
	html_add(html, "</table></div>\n");
	if (grouping->count > REPLAY_SHOWN)
		html_add(html,
			 "<p>Those whose jobs take the most processor time; %zu more are in the "
			 "report as "
			 "JSON.</p>\n",
			 grouping->count - REPLAY_SHOWN);
}

void replay_html_groups(struct html *html, const struct replay_page *page)
{
	html_add(html,
		 "<p>A bar goes from the wait that half of the jobs do not exceed to that which 95 "
		 "%% do "
		 "not, on a scale of powers; the upright mark is the mean. A slowdown is the time "
		 "from "
		 "submission to end by the run time, which counts as 10 seconds at least.</p>\n");
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
		write_table(html, page, tables[i].by, tables[i].title);
}

/* ---- who began before others ---- */

void replay_html_backfill(struct html *html, const struct replay_page *page)
{
	const struct maui_replay_grouping *sizes = &page->facts->by[MAUI_REPLAY_BY_SIZE];

	page_table(html, "Jobs that began before one ahead of them");
	html_add(
		html,
		"<caption>Jobs that began before one ahead of them, by processors</caption>\n"
		"<thead><tr><th scope=\"col\">size</th><th scope=\"col\">Schedule</th><th "
		"class=\"wide\" scope=\"col\">Share of the jobs</th><th class=\"number\" "
		"scope=\"col\">%%</th><th class=\"number\" scope=\"col\">Jobs</th></tr></thead>\n");
	for (size_t i = 0; i < sizes->count; i++) {
		html_add(html, "<tbody>");
		for (size_t side = 0; side < page->report->count; side++) {
			const struct maui_replay_measures *m =
				measures_of(page, MAUI_REPLAY_BY_SIZE, side, i);
			double part = page_part((double)m->backfilled, (double)m->jobs);

			html_add(html, "<tr>");
			if (!side)
				html_add(html, "<th scope=\"rowgroup\" rowspan=\"%zu\">%s</th>",
					 page->report->count, sizes->names[i]);
			replay_html_side(html, page, side);
			html_add(html,
				 "<td class=\"wide\"><svg class=\"bar\" aria-hidden=\"true\"><rect "
				 "class=\"track\" y=\"4\" width=\"100%%\" height=\"10\"/><rect "
				 "class=\"c%zu\" y=\"4\" width=\"%.2f%%\" "
				 "height=\"10\"/></svg></td><td "
				 "class=\"number\">%.1f</td><td class=\"number\">%zu</td></tr>\n",
				 side, part, part, m->backfilled);
		}
		html_add(html, "</tbody>\n");
	}
	html_add(html, "</table></div>\n");
}
