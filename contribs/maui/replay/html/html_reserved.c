/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What became of reserved processors. */
#include <inttypes.h>
#include <stdlib.h>

#include "contribs/maui/replay/html/html_parts.h"
#include "contribs/maui/replay/report/replay_reserved.h"

/* Cells of a row beside the picture, and of the numbers behind it. */
#define FIGURES 5
#define HOURS   5

static const struct maui_replay_reserved *
html_reserved_like(const struct replay_page *page, size_t side,
		   const struct maui_replay_reserved *reserved)
{
	return maui_replay_reserved_like(&page->report->side[side].schedule.reservations, reserved);
}

/* Schedules of the literature have none. */
static bool has_any(const struct replay_page *page, size_t side)
{
	return page->report->side[side].schedule.reservations.list;
}

static size_t html_reserved_sides(const struct replay_page *page)
{
	size_t count = 0;

	for (size_t i = 0; i < page->report->count; i++)
		count += has_any(page, i);
	return count;
}

static void write_hours(struct html *html, double procseconds)
{
	html_add(html, "<td class=\"number\">");
	page_hours(html, procseconds);
	html_add(html, "</td>");
}

static void write_percent(struct html *html, double percent)
{
	html_add(html, "<td class=\"number\">");
	page_percent(html, percent);
	html_add(html, "</td>");
}

/* A file that has no such reservation has no figures of it. */
static void write_used(struct html *html, const struct maui_replay_reserved *reserved)
{
	if (reserved->reserved > 0)
		write_percent(html, replay_reserved_part(reserved, reserved->used));
	else
		replay_html_nothing(html, 1);
}

static void write_kept(struct html *html, const struct maui_replay_reserved *reserved)
{
	if (reserved->reserved > 0)
		write_hours(html, reserved->kept);
	else
		replay_html_nothing(html, 1);
}

/* ---- the picture ---- */

static void write_key(struct html *html)
{
	html_add(html, "<ul class=\"key\">\n");
#define KEY(looks, means)                                                                          \
	html_add(html, "<li><svg class=\"swatch\" aria-hidden=\"true\"><rect class=\"" looks       \
		       "\" y=\"4\" width=\"14\" height=\"10\"/></svg>" means "</li>\n")
	KEY("c6", "used by jobs that it admits");
	KEY("c6 half", "taken by others, which were there when it began");
	KEY("busy", "out of service");
	KEY("track", "idle, and nobody waited");
	KEY("c4", "idle while a job waited: kept from the others");
#undef KEY
	html_add(html, "</ul>\n");
}

/* Parts from the left; what was kept is at the right end. */
static void html_reserved_draw(struct html *html, const struct maui_replay_reserved *reserved)
{
	double used = page_part(reserved->used, reserved->reserved);
	double taken = page_part(reserved->taken, reserved->reserved);
	double away = page_part(reserved->away, reserved->reserved);
	double kept = page_part(reserved->kept, reserved->reserved);

	if (!(reserved->reserved > 0)) {
		html_add(html,
			 "<td class=\"wide\"><span class=\"none\">nothing reserved</span></td>");
		return;
	}
	html_add(html,
		 "<td class=\"wide\"><svg class=\"bar\" aria-hidden=\"true\"><rect "
		 "class=\"track\" y=\"3\" width=\"100%%\" height=\"12\"/><rect class=\"c6\" "
		 "y=\"3\" width=\"%.2f%%\" height=\"12\"/>",
		 used);
	if (taken > 0)
		html_add(html,
			 "<rect class=\"c6 half\" x=\"%.2f%%\" y=\"3\" width=\"%.2f%%\" "
			 "height=\"12\"/>",
			 used, taken);
	if (away > 0)
		html_add(html,
			 "<rect class=\"busy\" x=\"%.2f%%\" y=\"3\" width=\"%.2f%%\" "
			 "height=\"12\"/>",
			 used + taken, away);
	if (kept > 0)
		html_add(html,
			 "<rect class=\"c4\" x=\"%.2f%%\" y=\"3\" width=\"%.2f%%\" "
			 "height=\"12\"/>",
			 100 - kept, kept);
	html_add(html, "</svg></td>");
}

static void write_name(struct html *html, const struct maui_replay_reserved *reserved, size_t rows)
{
	html_add(html, "<th scope=\"rowgroup\" rowspan=\"%zu\">%s", rows, reserved->name);
	if (reserved->maintenance)
		html_add(html, ", <span class=\"whole\">maintenance</span>");
	html_add(html, "</th>");
}

static void write_users(struct html *html, const struct maui_replay_reserved *reserved)
{
	const struct maui_replay_reservers *users = &reserved->users;

	html_add(html, "<td class=\"reason\">");
	if (!users->count)
		page_none(html);
	for (size_t i = 0; i < users->count && i < 3; i++) {
		html_add(html, "%s<span class=\"name\">%s (", i ? ", " : "", users->top[i].name);
		page_percent(html, page_part(users->top[i].used, reserved->used));
		html_add(html, ")</span>");
	}
	html_add(html, "</td>");
}

static void write_row(struct html *html, const struct replay_page *page, size_t side,
		      const struct maui_replay_reserved *reserved)
{
	if (page->report->count > 1)
		replay_html_side(html, page, side);
	html_reserved_draw(html, reserved);
	if (reserved->reserved <= 0) {
		replay_html_nothing(html, FIGURES);
	} else {
		write_hours(html, reserved->reserved);
		write_percent(html, replay_reserved_part(reserved, reserved->used));
		write_percent(html, replay_reserved_part(reserved, reserved->idle));
		write_hours(html, reserved->kept);
		html_add(html, "<td class=\"number\">");
		page_count(html, (int64_t)reserved->jobs);
		html_add(html, "</td>");
	}
	write_users(html, reserved);
}

/* A row for each schedule. */
static void write_group(struct html *html, const struct replay_page *page,
			const struct maui_replay_reserved *reserved,
			void (*write)(struct html *html, const struct replay_page *page,
				      size_t side, const struct maui_replay_reserved *reserved))
{
	bool first = true;

	html_add(html, "<tbody>");
	for (size_t i = 0; i < page->report->count; i++) {
		if (!has_any(page, i))
			continue;
		html_add(html, "<tr>");
		if (first)
			write_name(html, reserved, html_reserved_sides(page));
		first = false;
		write(html, page, i, html_reserved_like(page, i, reserved));
		html_add(html, "</tr>\n");
	}
	html_add(html, "</tbody>\n");
}

static void write_head(struct html *html, const struct replay_page *page, const char *caption)
{
	html_add(html, "<caption>%s</caption>\n<thead><tr><th scope=\"col\">Reservation</th>",
		 caption);
	if (page->report->count > 1)
		html_add(html, "<th scope=\"col\">Schedule</th>");
}

static void write_columns(struct html *html, const char *const *columns)
{
	for (; *columns; columns++)
		html_add(html, "<th class=\"number\" scope=\"col\">%s</th>", *columns);
}

/* ---- the numbers ---- */

static void write_reservers(struct html *html, const struct maui_replay_reservers *reservers)
{
	html_add(html, "<td class=\"reason\">");
	if (!reservers->count)
		page_none(html);
	for (size_t i = 0; i < reservers->count; i++) {
		html_add(html, "%s<span class=\"name\">%s (", i ? ", " : "",
			 reservers->top[i].name);
		page_hours(html, reservers->top[i].used);
		html_add(html, ")</span>");
	}
	if (reservers->more)
		html_add(html, " and %zu more", reservers->more);
	html_add(html, "</td>");
}

static void write_numbers(struct html *html, const struct replay_page *page, size_t side,
			  const struct maui_replay_reserved *reserved)
{
	if (page->report->count > 1)
		replay_html_side(html, page, side);
	if (reserved->reserved <= 0) {
		replay_html_nothing(html, HOURS);
	} else {
		write_hours(html, reserved->used);
		write_hours(html, reserved->taken);
		write_hours(html, reserved->away);
		write_hours(html, reserved->idle - reserved->kept);
		write_hours(html, reserved->kept);
	}
	html_add(html, "<td class=\"number\">");
	if (reserved->lacking)
		page_span(html, reserved->lacking);
	else
		page_none(html);
	html_add(html, "</td>");
	write_reservers(html, &reserved->users);
	write_reservers(html, &reserved->accounts);
}

static void write_fold(struct html *html, const struct replay_page *page,
		       const struct replay_reserved_list *list)
{
	static const char *const columns[] = {
		"Used", "Taken", "Out of service", "Idle, unwanted", "Kept", "Lacked tasks for",
		NULL};

	replay_html_fold(html, "The numbers behind the picture, and who used them");
	page_table(html, "Reservations in numbers");
	write_head(html, page, "Processor hours");
	write_columns(html, columns);
	html_add(html, "<th scope=\"col\">By users</th><th scope=\"col\">By "
		       "accounts</th></tr></thead>\n");
	for (size_t i = 0; i < list->count && i < REPLAY_SHOWN; i++)
		write_group(html, page, list->each[i], write_numbers);
	html_add(html, "</table></div>\n");
	replay_html_fold_end(html);
}

void replay_html_reserved(struct html *html, const struct replay_page *page)
{
	static const char *const columns[] = {
		"Processor hours", "Used", "Idle", "Kept", "Jobs", NULL};
	struct replay_reserved_list list = replay_reserved_list(page->report, ALL_SIDES);

	if (!list.count) {
		html_add(html, "<p class=\"missing\">Nothing was reserved.</p>\n");
		free(list.each);
		return;
	}
	html_add(html, "<p>Standing reservations of maui.cfg, all instances of each together, and "
		       "maintenance. Each counts what it keeps by itself: what two keep is in "
		       "both.</p>\n");
	write_key(html);
	page_table(html, "Use of reservations");
	write_head(html, page, "What became of reserved processors");
	html_add(html, "<th class=\"wide\" scope=\"col\">Of what was reserved</th>");
	write_columns(html, columns);
	html_add(html, "<th scope=\"col\">By whom</th></tr></thead>\n");
	for (size_t i = 0; i < list.count && i < REPLAY_SHOWN; i++)
		write_group(html, page, list.each[i], write_row);
	html_add(html, "</table></div>\n");
	if (list.count > REPLAY_SHOWN)
		html_add(html, "<p>%zu more are in the report as JSON.</p>\n",
			 list.count - REPLAY_SHOWN);
	write_fold(html, page, &list);
	free(list.each);
}

/* ---- what differs ---- */

void replay_html_reserved_changes(struct html *html, const struct replay_page *page, size_t side)
{
	struct replay_reserved_list list = replay_reserved_list(page->report, side);

	if (list.count && has_any(page, 0) && has_any(page, side)) {
		replay_html_table(html, page, "Reservations", side);
		html_add(html, "<caption>Use of reservations, and what they kept from the "
			       "others</caption>\n<thead><tr><th "
			       "scope=\"col\">Reservation</th><th class=\"wide\" "
			       "scope=\"col\">Used, of 100 %%</th>");
		for (int i = 0; i < 2; i++)
			html_add(html,
				 "<th class=\"number\" scope=\"col\">%s, %s</th><th "
				 "class=\"number\" scope=\"col\">%s, %s</th>",
				 i ? "Kept" : "Used", replay_side_name(page->report, 0),
				 i ? "Kept" : "Used", replay_side_name(page->report, side));
		html_add(html, "</tr></thead><tbody>\n");
		for (size_t i = 0; i < list.count && i < REPLAY_SHOWN; i++) {
			const struct maui_replay_reserved *first =
				html_reserved_like(page, 0, list.each[i]);
			const struct maui_replay_reserved *second =
				html_reserved_like(page, side, list.each[i]);
			double before = replay_reserved_part(first, first->used);
			double after = replay_reserved_part(second, second->used);

			html_add(html, "<tr><th scope=\"row\">%s</th>", list.each[i]->name);
			replay_html_change(html, before, after, 100, side);
			write_used(html, first);
			write_used(html, second);
			write_kept(html, first);
			write_kept(html, second);
			html_add(html, "</tr>\n");
		}
		page_table_end(html);
	}
	free(list.each);
}
