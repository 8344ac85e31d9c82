/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What if: the queue under another maui.cfg; rank changes as lines between two columns. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/memory.h"
#include "contribs/maui/lib/output.h"
#include "contribs/maui/page/page.h"

#define LINE 20 /* pixels of a line of the picture */

/* The movers in the order of one side. */
struct column {
	const char *side; /* "today", "then" */
	struct json_object **jobs;
	size_t count;
};

static int64_t view_whatif_side(struct json_object *job, const char *pair, const char *side)
{
	return member_integer(member_object(job, pair), side);
}

/* Its number, or an array's name. */
static void write_name(struct html *html, struct json_object *job)
{
	if (*member_text(job, "array"))
		html_add(html, "%s", member_text(job, "array"));
	else
		html_add(html, "%" PRId64, member_integer(job, "job"));
}

static bool is_found(const struct page *page, struct json_object *job)
{
	char number[32];

	snprintf(number, sizeof(number), "%" PRId64, member_integer(job, "job"));
	return page_finds(page, number) || page_finds(page, member_text(job, "array")) ||
	       page_finds(page, member_text(job, "user")) ||
	       page_finds(page, member_text(job, "partition"));
}

/* ---- the picture ---------------------------------------------------------------------------- */

static int by_rank(const void *first, const void *second, void *side)
{
	struct json_object *a = *(struct json_object *const *)first,
			   *b = *(struct json_object *const *)second;
	int64_t x = view_whatif_side(a, "rank", side), y = view_whatif_side(b, "rank", side);

	if (x != y)
		return x < y ? -1 : 1;
	x = member_integer(a, "job");
	y = member_integer(b, "job");
	return x < y ? -1 : x > y;
}

static struct column make_column(const struct page *page, struct json_object *movers,
				 const char *side)
{
	struct column column = {.side = side};

	column.jobs = maui_calloc(array_size(movers) + 1, sizeof(struct json_object *));
	for (size_t i = 0; i < array_size(movers); i++) {
		struct json_object *job = json_object_array_get_idx(movers, i);

		if (is_found(page, job))
			column.jobs[column.count++] = job;
	}
	qsort_r(column.jobs, column.count, sizeof(struct json_object *), by_rank, (void *)side);
	return column;
}

/* Movers are few. */
static size_t place_in(const struct column *column, const struct json_object *job)
{
	size_t at = 0;

	while (at + 1 < column->count && column->jobs[at] != job)
		at++;
	return at;
}

/* "17 bob 4200" at one side of the lines. */
static void write_label(struct html *html, const struct column *column, size_t at, bool left)
{
	struct json_object *job = column->jobs[at];

	html_add(html, "<text class=\"%s\" x=\"%d%%\" y=\"%d\">", left ? "before" : "",
		 left ? 34 : 66, (int)at * LINE + LINE - 5);
	if (!left)
		html_add(html, "%" PRId64 ": ", view_whatif_side(job, "rank", column->side));
	write_name(html, job);
	html_add(html, " %s", member_text(job, "user"));
	if (left)
		html_add(html, ": %" PRId64, view_whatif_side(job, "rank", column->side));
	html_add(html, "</text>");
}

static void write_slopes(struct html *html, const struct column *today, const struct column *then)
{
	html_add(html,
		 "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"Rank "
		 "changes\"><svg class=\"slopes\" aria-hidden=\"true\" height=\"%d\">",
		 (int)today->count * LINE);
	for (size_t i = 0; i < today->count; i++) {
		struct json_object *job = today->jobs[i];
		int from = (int)i * LINE + LINE / 2;
		int to = (int)place_in(then, job) * LINE + LINE / 2;

		html_add(html, "<line class=\"%s\" x1=\"35%%\" x2=\"65%%\" y1=\"%d\" y2=\"%d\"/>",
			 view_whatif_side(job, "rank", "then") <=
					 view_whatif_side(job, "rank", "today")
				 ? "up"
				 : "down",
			 from, to);
		write_label(html, today, i, true);
		write_label(html, then, i, false);
	}
	html_add(html, "</svg></div>\n");
}

/* ---- the tables ----------------------------------------------------------------------------- */

static void write_pair(struct html *html, struct json_object *job, const char *pair)
{
	html_add(html, "<td class=\"number\">");
	page_count(html, view_whatif_side(job, pair, "today"));
	html_add(html, "</td><td class=\"number\">");
	page_count(html, view_whatif_side(job, pair, "then"));
	html_add(html, "</td>");
}

/* By how much the component that changes most changes. */
static void write_most(struct html *html, struct json_object *job)
{
	const char *most = member_text(job, "most");
	struct json_object *pair = member_object(member_object(job, "components"), most);
	double change = member_number(pair, "then") - member_number(pair, "today");

	if (*most && pair)
		html_add(html, "%s <data value=\"%.4f\">%s%.2f</data>", most, change,
			 change > 0 ? "+" : "", change);
}

static void write_movers(struct html *html, const struct column *today)
{
	page_table(html, "Ranks");
	html_add(html, "<caption>Ranks and priorities</caption><thead><tr><th scope=\"col\">Job"
		       "</th><th scope=\"col\">User</th><th scope=\"col\" class=\"number\">Rank"
		       "</th><th scope=\"col\" class=\"number\">Then</th><th scope=\"col\" "
		       "class=\"number\">Priority</th><th scope=\"col\" class=\"number\">Then</th>"
		       "<th scope=\"col\">Most changed</th></tr></thead><tbody>\n");
	for (size_t i = 0; i < today->count; i++) {
		struct json_object *job = today->jobs[i];

		html_add(html, "<tr><th scope=\"row\"><b>");
		write_name(html, job);
		html_add(html, "</b></th><td>%s</td>", member_text(job, "user"));
		write_pair(html, job, "rank");
		write_pair(html, job, "priority");
		html_add(html, "<td>");
		write_most(html, job);
		html_add(html, "</td></tr>\n");
	}
	page_table_end(html);
}

static void write_blocked(struct html *html, const struct page *page, const char *list,
			  const char *title)
{
	struct json_object *jobs = member_array(page_data(page, PAGE_WHATIF), list);

	if (!array_size(jobs))
		return;
	page_table(html, title);
	html_add(html,
		 "<caption>%s</caption><thead><tr><th scope=\"col\">Job</th><th scope=\"col\">User"
		 "</th><th scope=\"col\">Why</th></tr></thead><tbody>\n",
		 title);
	for (size_t i = 0; i < array_size(jobs); i++) {
		struct json_object *job = json_object_array_get_idx(jobs, i);

		if (!is_found(page, job))
			continue;
		html_add(html, "<tr><th scope=\"row\"><b>");
		write_name(html, job);
		html_add(html, "</b></th><td>%s</td><td class=\"reason\">%s</td></tr>\n",
			 member_text(job, "user"), member_text(job, "text"));
	}
	page_table_end(html);
}

/* ---- the view ------------------------------------------------------------------------------- */

static void write_summary(struct html *html, const struct page *page, struct json_object *data)
{
	static const struct {
		const char *member, *words;
	} counts[] = {{"ranks_changed", "change rank"},
		      {"priorities_changed", "priority"},
		      {"newly_blocked", "newly blocked"},
		      {"freed", "freed"},
		      {"blocked_otherwise", "blocked for another reason"}};

	html_add(html, "<p>The queue under <code>%s</code>: of ", page->what_if);
	page_count(html, member_integer(data, "jobs"));
	html_add(html, " jobs, ");
	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		html_add(html, "%s", i ? ", " : "");
		page_count(html, member_integer(data, counts[i].member));
		html_add(html, " %s", counts[i].words);
	}
	html_add(html, ".</p>\n");
}

static void write_notes(struct html *html, struct json_object *data)
{
	struct json_object *notes = member_array(data, "notes");

	for (size_t i = 0; i < array_size(notes); i++) {
		struct json_object *one = json_object_array_get_idx(notes, i);

		html_add(html, "<p class=\"missing\">Not included: %s: %s.</p>\n",
			 member_text(one, "name"), member_text(one, "text"));
	}
}

static void write_ranks(struct html *html, const struct page *page, struct json_object *movers)
{
	struct column today = make_column(page, movers, "today");
	struct column then = make_column(page, movers, "then");

	if (today.count) {
		html_add(html,
			 "<ul class=\"key\"><li>left: today</li><li>right: under the other file"
			 "</li><li><svg class=\"swatch\" aria-hidden=\"true\"><line class=\"up\" "
			 "x2=\"14\" y1=\"9\" y2=\"9\" stroke-width=\"2\"/></svg>goes up</li><li>"
			 "<svg class=\"swatch\" aria-hidden=\"true\"><line class=\"down\" "
			 "x2=\"14\" y1=\"9\" y2=\"9\" stroke-width=\"2\"/></svg>goes down</li>"
			 "</ul>\n");
		write_slopes(html, &today, &then);
		write_movers(html, &today);
	}
	free(today.jobs);
	free(then.jobs);
}

static void write_queue(struct html *html, const struct page *page)
{
	struct json_object *data = page_data(page, PAGE_WHATIF);

	if (!member_array(data, "movers")) {
		page_missing(html, &page->answers[PAGE_WHATIF]);
		return;
	}
	write_summary(html, page, data);
	write_ranks(html, page, member_array(data, "movers"));
	write_blocked(html, page, "newly_blocked_jobs", "Newly blocked");
	write_blocked(html, page, "freed_jobs", "Freed, blocked today");
	write_blocked(html, page, "blocked_otherwise_jobs", "Blocked for another reason");
	write_notes(html, data);
}

void page_whatif(struct html *html, const struct page *page)
{
	if (page->what_if)
		write_queue(html, page);
	if (page->replay)
		page_replay(html, page);
}
