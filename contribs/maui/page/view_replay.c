/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What if, of a recorded workload: the figures of a replay under several files, and differences. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "contribs/maui/lib/output.h"
#include "contribs/maui/page/page.h"
#include "contribs/maui/replay/html/html_parts.h"
#include "contribs/maui/replay/report/replay_figures.h"
#include "contribs/maui/replay/report/replay_read.h"
#include "contribs/maui/replay/report/replay_sides.h"

/* One more than schedules: the first is what was recorded, which may not be there. */
struct replayed {
	struct json_object *report;
	const char *name[MAX_SIDES + 1];
	struct maui_replay_measures measures[MAX_SIDES + 1];
	size_t count; /* with the recorded one */
};

static struct json_object *schedule_of(const struct replayed *replayed, size_t side)
{
	return json_object_array_get_idx(member_array(replayed->report, "schedules"), side);
}

/* A file from elsewhere may have more than a replay makes. */
static struct replayed read_report(struct json_object *report)
{
	size_t count = array_size(member_array(report, "schedules"));
	struct replayed replayed = {.report = report, .name = {"recorded"}};

	replay_read_measures(member_object(report, "recorded"), &replayed.measures[0]);
	for (size_t i = 0; i < count && i < MAX_SIDES; i++) {
		struct json_object *schedule = schedule_of(&replayed, i);

		replayed.name[i + 1] = member_text(schedule, "name");
		replay_read_measures(schedule, &replayed.measures[i + 1]);
	}
	replayed.count = 1 + (count < MAX_SIDES ? count : MAX_SIDES);
	return replayed;
}

/* ---- figures -------------------------------------------------------------------------------- */

/* "-00:02:00 (-12.3 %)" */
static void write_difference(struct html *html, const struct replay_figure *figure, double value,
			     double first)
{
	double change = value - first;
	char text[REPLAY_FIGURE_SIZE];

	html_add(html, "<data value=\"%.4f\">%s%s</data>", change, change > 0 ? "+" : "",
		 replay_figure_text(figure, change, text));
	if (first != 0)
		html_add(html, " (%s%.1f&#160;%%)", change > 0 ? "+" : "", change / first * 100);
}

/* "00:04:00 to 00:07:00, better in 31 of 40 runs" */
static void write_jitter(struct html *html, const struct replayed *replayed, size_t side,
			 const struct replay_figure *figure)
{
	char low[REPLAY_FIGURE_SIZE], high[REPLAY_FIGURE_SIZE];
	struct json_object *jitter = member_object(replayed->report, "jitter");
	struct json_object *schedules = member_array(jitter, "schedules"), *one = NULL;

	if (!jitter)
		return;
	if (side < array_size(schedules))
		one = member_object(json_object_array_get_idx(schedules, side), figure->name);
	html_add(html, "<td class=\"number\">");
	if (one)
		html_add(html, "%s to %s",
			 replay_figure_text(figure, member_number(one, "low"), low),
			 replay_figure_text(figure, member_number(one, "high"), high));
	if (one && side)
		html_add(html, ", better in %" PRId64 " of %" PRId64, member_integer(one, "better"),
			 member_integer(jitter, "runs"));
	html_add(html, "</td>");
}

static void write_row(struct html *html, const struct replayed *replayed,
		      const struct replay_figure *figure, size_t at, double whole)
{
	static const char *const colors[MAX_SIDES + 1] = {"busy", "c0", "c1", "c2", "c3",
							  "c4",   "c5", "c6", "c7"};
	double value = figure->value(&replayed->measures[at]);
	char text[REPLAY_FIGURE_SIZE];

	html_add(html, "<td>%s</td><td class=\"wide\"><svg class=\"bar\" aria-hidden=\"true\">",
		 replayed->name[at]);
	html_add(html, "<rect class=\"%s\" y=\"3\" width=\"%.2f%%\" height=\"12\"/></svg></td>",
		 colors[at], page_part(value, whole));
	html_add(html,
		 "<td class=\"number\"><data value=\"%.4f\">%s</data></td><td class=\"number\">",
		 value, replay_figure_text(figure, value, text));
	if (at > 1)
		write_difference(html, figure, value, figure->value(&replayed->measures[1]));
	html_add(html, "</td>");
	if (at)
		write_jitter(html, replayed, at - 1, figure);
	else if (member_object(replayed->report, "jitter"))
		html_add(html, "<td></td>");
	html_add(html, "</tr>\n");
}

static void write_figure(struct html *html, const struct replayed *replayed,
			 const struct replay_figure *figure)
{
	size_t first = replayed->measures[0].jobs && !figure->replayed ? 0 : 1;
	double whole = 0;

	for (size_t i = first; i < replayed->count; i++)
		whole = fmax(whole, figure->value(&replayed->measures[i]));
	html_add(html, "<tbody>");
	for (size_t i = first; i < replayed->count; i++) {
		html_add(html, "<tr>");
		if (i == first)
			html_add(html,
				 "<th scope=\"rowgroup\" class=\"said\" rowspan=\"%zu\">%s</th>",
				 replayed->count - first, figure->label);
		write_row(html, replayed, figure, i, whole);
	}
	html_add(html, "</tbody>\n");
}

static void write_figures(struct html *html, const struct replayed *replayed)
{
	page_table(html, "Figures of the replay");
	html_add(html,
		 "<caption>Figures</caption><thead><tr><th scope=\"col\">Figure</th><th "
		 "scope=\"col\">Under</th><th scope=\"col\" class=\"wide\"><span "
		 "class=\"axis\"><span>0</span><span>the greatest</span></span></th><th "
		 "scope=\"col\" class=\"number\">Value</th><th scope=\"col\" "
		 "class=\"number\">Against %s</th>",
		 replayed->name[1]);
	if (member_object(replayed->report, "jitter"))
		html_add(html, "<th scope=\"col\" class=\"number\">95&#160;%% of the runs</th>");
	html_add(html, "</tr></thead>\n");
	for (const struct replay_figure *figure = replay_figures; figure->name; figure++)
		write_figure(html, replayed, figure);
	html_add(html, "</table></div>\n");
}

/* ---- who gains and loses -------------------------------------------------------------------- */

static bool is_found(const struct page *page, struct json_object *change)
{
	char number[32];

	snprintf(number, sizeof(number), "%" PRId64, member_integer(change, "job"));
	return page_finds(page, number) || page_finds(page, member_text(change, "user"));
}

static double longest_wait(struct json_object *changes)
{
	double longest = 60;

	for (size_t i = 0; i < array_size(changes); i++) {
		struct json_object *one = json_object_array_get_idx(changes, i);

		longest = fmax(longest,
			       fmax(member_number(one, "first_wait"), member_number(one, "wait")));
	}
	return longest;
}

static void write_change(struct html *html, struct json_object *change, double whole, size_t side)
{
	html_add(html,
		 "<tr><th scope=\"row\"><b>%" PRId64 "</b></th><td>%s</td><td class=\"number\">",
		 member_integer(change, "job"), member_text(change, "user"));
	page_count(html, member_integer(change, "processors"));
	html_add(html, "</td><td class=\"number\">");
	page_span(html, member_integer(change, "run_time"));
	html_add(html, "</td>");
	replay_html_change(html, member_number(change, "first_wait"), member_number(change, "wait"),
			   whole, side);
	html_add(html, "<td class=\"number\">");
	page_span(html, member_integer(change, "first_wait"));
	html_add(html, "</td><td class=\"number\">");
	page_span(html, member_integer(change, "wait"));
	html_add(html, "</td></tr>\n");
}

static void write_changes(struct html *html, const struct page *page,
			  const struct replayed *replayed, size_t side, const char *list,
			  const char *title)
{
	struct json_object *changes =
		member_array(member_object(schedule_of(replayed, side), "against_first"), list);
	double whole = longest_wait(changes);

	if (!array_size(changes))
		return;
	html_add(html,
		 "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"%s under "
		 "%s\"><table>\n<caption>%s</caption><thead><tr><th scope=\"col\">Job</th><th "
		 "scope=\"col\">User</th><th scope=\"col\" class=\"number\">Processors</th><th "
		 "scope=\"col\" class=\"number\">Runs for</th><th scope=\"col\" "
		 "class=\"wide\">Wait</th><th scope=\"col\" class=\"number\">%s</th><th "
		 "scope=\"col\" class=\"number\">%s</th></tr></thead><tbody>\n",
		 title, replayed->name[side + 1], title, replayed->name[1],
		 replayed->name[side + 1]);
	for (size_t i = 0; i < array_size(changes); i++)
		if (is_found(page, json_object_array_get_idx(changes, i)))
			write_change(html, json_object_array_get_idx(changes, i), whole, side);
	page_table_end(html);
}

static void write_against(struct html *html, const struct page *page,
			  const struct replayed *replayed, size_t side)
{
	struct json_object *against = member_object(schedule_of(replayed, side), "against_first");
	struct maui_replay_difference difference;

	if (!against)
		return;
	replay_read_difference(against, &difference);
	html_add(html, "<h3>%s instead of %s</h3>\n", replayed->name[side + 1], replayed->name[1]);
	replay_html_counts(html, &difference);
	html_add(html, "<p>A ring is the wait under %s, the filled dot that under %s.</p>\n",
		 replayed->name[1], replayed->name[side + 1]);
	write_changes(html, page, replayed, side, "gains", "Those that gain most");
	write_changes(html, page, replayed, side, "losses", "Those that lose most");
}

/* ---- the part ------------------------------------------------------------------------------- */

static void write_head(struct html *html, const struct page *page)
{
	int64_t nodes = member_integer(page->report, "nodes");

	html_add(html, "<h3>Replay of %s</h3>\n<p>", member_text(page->report, "trace"));
	page_count(html, member_integer(page->report, "jobs"));
	html_add(html, " jobs on ");
	if (nodes > 0) {
		page_count(html, nodes);
		html_add(html, " nodes with ");
	}
	page_count(html, member_integer(page->report, "processors"));
	html_add(html, " processors%s, as <code>maui replay</code> wrote it to <code>%s</code> on ",
		 member_flag(page->report, "perfect_estimates")
			 ? ", with time limits as good as the run times"
			 : "",
		 page->replay);
	page_time(html, page->report_time);
	html_add(html, ".</p>\n");
}

static void write_bounds(struct html *html, struct json_object *report)
{
	struct json_object *list = member_array(report, "not_included");

	html_add(html, "<details><summary>What a replay does not include</summary>\n<ul>\n");
	for (size_t i = 0; i < array_size(list); i++) {
		struct json_object *one = json_object_array_get_idx(list, i);

		if (json_object_is_type(one, json_type_string))
			html_add(html, "<li>%s</li>\n", json_object_get_string(one));
	}
	html_add(html, "</ul></details>\n");
}

void page_replay(struct html *html, const struct page *page)
{
	struct replayed replayed;

	if (!page->report) {
		html_add(html, "<h3>Replay</h3>\n<p class=\"missing\">Not shown: %s.</p>\n",
			 page->report_problem);
		return;
	}
	replayed = read_report(page->report);
	write_head(html, page);
	write_figures(html, &replayed);
	for (size_t i = 1; i + 1 < replayed.count; i++)
		write_against(html, page, &replayed, i);
	write_bounds(html, page->report);
}
