/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reservations: a calendar of nodes by time, and a table of who gets in. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/util/list.h"
#include "contribs/maui/lib/output.h"
#include "contribs/maui/lib/rsv_text.h"
#include "contribs/maui/page/page_calendar.h"
#include "contribs/maui/page/page.h"
#include "contribs/maui/queue/machine_use.h"
#include "contribs/maui/show/window.h"

#define ROWS         24 /* of a calendar */
#define LISTED       60 /* of the table */
#define NODES_SIZE   120
#define COLORS       8
#define LANES        4
#define LANES_HEIGHT 32.0 /* of a row, which has a strip below */
#define STRIP        12.0
#define ENTRIES      6 /* of an access list */

struct view {
	const struct page *page;
	struct json_object *access; /* the engine's answer; NULL: Slurm's own list */
	struct json_object *rows;
	struct calendar calendar;
	struct window_request reader;
	const char *colors[COLORS]; /* whose each is; NULL: nobody's */
};

static const struct range {
	const char *title;
	int64_t seconds, step; /* of a line */
	int64_t column;        /* seconds of a column of calendar_busy() */
} ranges[] = {
	{"24 hours", 86400, 10800, 86400 / CALENDAR_COLUMNS + 1},
	{"7 days", INT64_C(7) * 86400, 86400, 7 * 86400 / CALENDAR_COLUMNS},
	{"28 days", INT64_C(28) * 86400, INT64_C(7) * 86400, 28 * 86400 / CALENDAR_COLUMNS},
};

/* Instances of a standing one are one. */
static const char *name_of(struct json_object *row)
{
	const char *name = member_text(row, "standing");

	return *name ? name : member_text(row, "name");
}

/* The color of a reservation: by its name, or the next that is not another's. */
static size_t color_of(const struct view *view, struct json_object *row)
{
	const char *name = name_of(row);
	size_t hash = 5381;

	for (const char *rest = name; *rest; rest++)
		hash = hash * 33 + (unsigned char)*rest;
	for (size_t i = 0; i < COLORS; i++) {
		const char *owner = view->colors[(hash + i) % COLORS];

		if (!owner || !strcmp(owner, name))
			return (hash + i) % COLORS;
	}
	return hash % COLORS;
}

static void give_colors(struct view *view)
{
	for (size_t i = 0; i < array_size(view->rows); i++) {
		struct json_object *row = json_object_array_get_idx(view->rows, i);
		size_t color = color_of(view, row);

		if (!view->colors[color])
			view->colors[color] = name_of(row);
	}
}

/* ---- the calendar --------------------------------------------------------------------------- */

static size_t write_date(const struct range *range, const struct tm *local, char *text, size_t size)
{
	if (range->step < 86400)
		return strftime(text, size, "%H:%M", local);
	return range->step == 86400 ? strftime(text, size, "%a %d", local)
				    : strftime(text, size, "%d %b", local);
}

static void write_axis(struct html *html, const struct page *page, const struct range *range)
{
	html_add(html, "<span class=\"unseen\">From now on</span>"
		       "<svg class=\"dates\" aria-hidden=\"true\">");
	for (int64_t at = 0; at < range->seconds; at += range->step) {
		time_t moment = (time_t)(page->now + at);
		struct tm local;
		char text[32] = "";

		if (!localtime_r(&moment, &local) || !write_date(range, &local, text, sizeof(text)))
			continue;
		html_add(html, "<text x=\"%.2f%%\" y=\"12\">%s</text>",
			 page_part((double)at, (double)range->seconds), at ? text : "now");
	}
	html_add(html, "</svg>");
}

static void write_instance(struct html *html, const struct view *view, struct json_object *row,
			   const struct range *range, size_t lane, size_t lanes)
{
	double whole = (double)range->seconds;
	double from = page_part((double)(member_integer(row, "start") - view->page->now), whole);
	int64_t end = rsv_end(row);
	double to = end ? page_part((double)(end - view->page->now), whole) : 100;
	double height = LANES_HEIGHT / (double)lanes;

	if (to <= from)
		return;
	html_add(html,
		 "<svg x=\"%.2f%%\" y=\"%.1f\" width=\"%.2f%%\" height=\"%.1f\"><rect "
		 "class=\"c%zu\" "
		 "width=\"100%%\" height=\"100%%\"/>",
		 from, height * (double)lane, to - from, height - 1, color_of(view, row));
	if (height > 14)
		html_add(html, "<text class=\"label\" x=\"4\" y=\"12\">%s</text>",
			 member_text(row, "name"));
	html_add(html, "</svg>");
}

/* Reservations that meet each other are in lanes of their own, as far as there are lanes. */
static size_t choose_lanes(const struct view *view, const struct calendar_row *row, size_t *lanes)
{
	int64_t ends[LANES] = {0};
	size_t count = 1;

	for (size_t i = 0; i < row->count; i++) {
		struct json_object *one =
			json_object_array_get_idx(view->rows, row->reservations[i]);
		int64_t end = rsv_end(one);
		size_t lane = 0;

		while (lane < LANES - 1 && ends[lane] > member_integer(one, "start"))
			lane++;
		ends[lane] = end ? end : INT64_MAX;
		lanes[i] = lane;
		count = lane + 1 > count ? lane + 1 : count;
	}
	return count;
}

static void write_instances(struct html *html, const struct view *view,
			    const struct calendar_row *row, const struct range *range)
{
	size_t lanes[CALENDAR_RESERVATIONS], count = choose_lanes(view, row, lanes);

	for (size_t i = 0; i < row->count; i++)
		write_instance(html, view,
			       json_object_array_get_idx(view->rows, row->reservations[i]), range,
			       lanes[i], count);
}

/* How many processors running jobs hold, as a strip below; equal columns are one. */
static void write_busy(struct html *html, const struct calendar_row *row, const int64_t *busy,
		       const struct range *range)
{
	for (size_t at = 0; at < CALENDAR_COLUMNS;) {
		size_t from = at;
		double height = page_part((double)busy[from], (double)row->procs) / 100 * STRIP;
		double left =
			page_part((double)((int64_t)from * range->column), (double)range->seconds);

		while (at < CALENDAR_COLUMNS && busy[at] == busy[from])
			at++;
		if (height > 0.1)
			html_add(html,
				 "<rect class=\"busy\" x=\"%.2f%%\" y=\"%.1f\" width=\"%.2f%%\" "
				 "height=\"%.1f\"/>",
				 left, LANES_HEIGHT + STRIP - height,
				 page_part((double)((int64_t)at * range->column),
					   (double)range->seconds) -
					 left,
				 height);
	}
}

static void write_calendar_row(struct html *html, const struct view *view, size_t at,
			       const int64_t *busy, const struct range *range)
{
	const struct calendar_row *row = &view->calendar.rows[at];

	html_add(html, "<tr><th scope=\"row\">%s", row->first);
	if (row->nodes > 1)
		html_add(html, " \xe2\x80\xa6 %s <span class=\"none\">(%zu)</span>", row->last,
			 row->nodes);
	html_add(html, "</th><td class=\"calendar\"><svg class=\"lane\" aria-hidden=\"true\"><rect "
		       "class=\"track\" width=\"100%%\" height=\"44\"/>");
	for (int64_t line = range->step; line < range->seconds; line += range->step) {
		double x = page_part((double)line, (double)range->seconds);

		html_add(html,
			 "<line class=\"grid\" x1=\"%.2f%%\" x2=\"%.2f%%\" y1=\"0\" y2=\"44\"/>", x,
			 x);
	}
	write_busy(html, row, busy + at * CALENDAR_COLUMNS, range);
	write_instances(html, view, row, range);
	html_add(html, "</svg></td></tr>\n");
}

static void write_calendar(struct html *html, const struct view *view, const struct range *range,
			   bool open)
{
	const struct calendar *calendar = &view->calendar;
	int64_t *busy =
		calendar_busy(calendar, &view->page->sorted, view->page->now, range->column);
	size_t left_out = 0;

	html_add(html, open ? "<details open=\"open\">" : "<details>");
	html_add(html, "<summary>%s</summary>\n", range->title);
	page_table(html, range->title);
	html_add(html,
		 "<caption>The next %s</caption><thead><tr><th scope=\"col\">Nodes</th>"
		 "<th scope=\"col\" class=\"calendar\">",
		 range->title);
	write_axis(html, view->page, range);
	html_add(html, "</th></tr></thead><tbody>\n");
	for (size_t i = 0; i < calendar->count; i++) {
		if (i < ROWS)
			write_calendar_row(html, view, i, busy, range);
		else
			left_out += calendar->rows[i].nodes;
	}
	if (left_out)
		html_add(html,
			 "<tr class=\"rest\"><th scope=\"row\" colspan=\"2\">%zu more nodes, of "
			 "other "
			 "reservations</th></tr>\n",
			 left_out);
	page_table_end(html);
	html_add(html, "</details>\n");
	free(busy);
}

/* ---- the table ------------------------------------------------------------------------------ */

static struct json_object *standing_of(const struct view *view, struct json_object *row)
{
	struct json_object *list = member_array(view->access, "standing");

	for (size_t i = 0; i < array_size(list); i++) {
		struct json_object *one = json_object_array_get_idx(list, i);

		if (!strcmp(member_text(one, "name"), member_text(row, "standing")) &&
		    member_flag(one, "administrative") == member_flag(row, "administrative"))
			return one;
	}
	return NULL;
}

static void write_whom(struct html *html, const struct view *view, struct json_object *row)
{
	struct json_object *acl = member_array(standing_of(view, row), "acl");

	for (size_t i = 0; i < array_size(acl) && i < ENTRIES; i++) {
		struct json_object *entry = json_object_array_get_idx(acl, i);

		html_add(html, "%s%s", i ? ", " : "",
			 json_object_is_type(entry, json_type_string)
				 ? json_object_get_string(entry)
				 : "?");
	}
	if (array_size(acl) > ENTRIES)
		html_add(html, " and %zu more", array_size(acl) - ENTRIES);
	if (acl)
		return;
	html_add(html, "%s%s%s", member_text(row, "users"),
		 *member_text(row, "users") && *member_text(row, "accounts") ? ", " : "",
		 member_text(row, "accounts"));
}

static void write_whether(struct html *html, const struct view *view, struct json_object *row)
{
	const char *name = member_text(row, "name");
	int64_t seconds;

	if (!member_flag(row, "ours")) {
		html_add(html, "%s",
			 maui_list_has(member_text(row, "users"), view->reader.user)
				 ? "yes, by its name"
				 : "no");
		return;
	}
	seconds = window_reservation_admits(name, view->access, &view->reader);
	if (has_text(member_array(standing_of(view, row), "flags"), "BYNAME"))
		html_add(html, "only who asks for it by name");
	else if (!seconds)
		html_add(html, "no");
	else if (seconds >= WINDOW_FOREVER)
		html_add(html, "<b>yes</b>");
	else {
		html_add(html, "<b>yes</b>, for ");
		page_span(html, seconds);
	}
}

static const char *kind_of(struct json_object *row)
{
	if (member_flag(row, "administrative"))
		return "setres";
	return member_flag(row, "ours") ? "SRCFG" : "Slurm";
}

static void write_row(struct html *html, const struct view *view, struct json_object *row)
{
	struct json_object *used = NULL;
	char nodes[NODES_SIZE];

	snprintf(nodes, sizeof(nodes), "%s", member_text(row, "nodes"));
	html_add(html,
		 "<tr><th scope=\"row\" class=\"name\"><svg class=\"swatch inline\" "
		 "aria-hidden=\"true\"><rect "
		 "class=\"c%zu\" y=\"2\" width=\"14\" height=\"14\"/></svg> %s</th><td>%s</td><td>",
		 color_of(view, row), member_text(row, "name"), kind_of(row));
	page_time(html, member_integer(row, "start"));
	html_add(html, "</td><td>");
	if (rsv_end(row))
		page_time(html, rsv_end(row));
	else
		html_add(html, "never");
	html_add(html, "</td><td class=\"nodes\">%s%s</td><td class=\"number\">", nodes,
		 strlen(member_text(row, "nodes")) < sizeof(nodes) ? "" : " \xe2\x80\xa6");
	page_count(html, member_integer(row, "procs"));
	html_add(html, "</td><td class=\"number\">");
	json_object_object_get_ex(row, "used_procs", &used);
	if (used)
		page_count(html, member_integer(row, "used_procs"));
	html_add(html, "</td><td class=\"said\">");
	write_whom(html, view, row);
	html_add(html, "</td>");
	if (!view->page->anybody) {
		html_add(html, "<td class=\"said\">");
		write_whether(html, view, row);
		html_add(html, "</td>");
	}
	html_add(html, "<td class=\"said\">%s</td></tr>\n",
		 *member_text(row, "problem") ? member_text(row, "problem")
					      : member_text(row, "text"));
}

static bool is_found(const struct page *page, struct json_object *row)
{
	static const char *const members[] = {"name", "nodes", "users", "accounts", "text"};

	for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++)
		if (page_finds(page, member_text(row, members[i])))
			return true;
	return false;
}

static void write_table(struct html *html, const struct view *view)
{
	size_t count = 0;

	page_table(html, "All reservations");
	html_add(html,
		 "<caption>Reservations</caption><thead><tr><th scope=\"col\">Name</th>"
		 "<th scope=\"col\">Made by</th><th scope=\"col\">From</th><th scope=\"col\">To"
		 "</th><th scope=\"col\">Nodes</th><th scope=\"col\" class=\"number\">Processors"
		 "</th><th scope=\"col\" class=\"number\">In use</th><th scope=\"col\">Whom it "
		 "admits</th>");
	if (!view->page->anybody)
		html_add(html, "<th scope=\"col\">You</th>");
	html_add(html, "<th scope=\"col\">State</th></tr></thead><tbody>\n");
	for (size_t i = 0; i < array_size(view->rows); i++) {
		struct json_object *row = json_object_array_get_idx(view->rows, i);

		if (is_found(view->page, row) && count++ < LISTED)
			write_row(html, view, row);
	}
	if (count > LISTED)
		page_rest(html, view->page->anybody ? 9 : 10, count - LISTED, "more");
	page_table_end(html);
}

/* ---- the view ------------------------------------------------------------------------------- */

/* Lists name accounts and QOS, too: those of the reader's first job are taken as his. */
static void describe_reader(struct view *view)
{
	struct json_object *jobs = member_array(view->page->queue, "jobs");

	view->reader = (struct window_request){
		.user = view->page->user, .group = view->page->group, .memory = -1};
	for (size_t i = 0; i < array_size(jobs); i++) {
		struct json_object *job = json_object_array_get_idx(jobs, i);

		if (strcmp(member_text(job, "user"), view->page->user) != 0)
			continue;
		if (*member_text(job, "account"))
			view->reader.account = member_text(job, "account");
		if (*member_text(job, "qos"))
			view->reader.qos = member_text(job, "qos");
		break;
	}
	view->reader.class = page_default_partition(view->page);
}

static void write_words(struct html *html, const struct view *view)
{
	html_add(html,
		 "<p>Which nodes are kept for whom, from now on: a block is a reservation, the "
		 "strip below it what running jobs hold, until their time limits; what is empty "
		 "is free.</p>\n");
	if (!view->access)
		html_add(html,
			 "<p class=\"notice\">Only the engine has the access lists of "
			 "Maui\xe2\x80\x99s "
			 "reservations, and it does not show them: %s.</p>\n",
			 view->page->answers[PAGE_RESERVATIONS].problem);
	else if (!view->page->anybody && (view->reader.account || view->reader.qos))
		html_add(html,
			 "<p>\xe2\x80\x9cYou\xe2\x80\x9d are <b>%s</b> with account %s and QOS "
			 "%s.</p>\n",
			 view->page->user, view->reader.account ? view->reader.account : "none",
			 view->reader.qos ? view->reader.qos : "none");
}

void page_reservations(struct html *html, const struct page *page)
{
	struct view view = {.page = page, .access = page_data(page, PAGE_RESERVATIONS)};

	if (!member_array(view.access, "reservations"))
		view.access = NULL;
	view.rows = member_array(view.access ? view.access : page->queue, "reservations");
	if (!view.rows) {
		page_missing(html, &page->answers[PAGE_RESERVATIONS]);
		return;
	}
	describe_reader(&view);
	write_words(html, &view);
	if (!array_size(view.rows)) {
		html_add(html, "<p class=\"missing\">There is no reservation.</p>\n");
		return;
	}
	give_colors(&view);
	calendar_make(page->queue, &page->sorted, view.rows, &view.calendar);
	for (size_t i = 0; view.calendar.count && i < sizeof(ranges) / sizeof(ranges[0]); i++)
		write_calendar(html, &view, &ranges[i], i == 0);
	calendar_clear(&view.calendar);
	write_table(html, &view);
}
