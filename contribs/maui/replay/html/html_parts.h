/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The report as one page of HTML: its views, and what they draw with. */
#ifndef MAUI_REPLAY_HTML_PARTS_H
#define MAUI_REPLAY_HTML_PARTS_H

#include "contribs/maui/html/html.h"
#include "contribs/maui/html/pieces.h"
#include "contribs/maui/replay/report/replay_facts.h"

/* Groups and rules that are shown; the report as JSON has all. */
#define REPLAY_SHOWN 20

struct replay_page {
	const struct replay_report *report;
	const struct replay_facts *facts;
};

/* ---- views ---- */

void replay_html_time(struct html *html, const struct replay_page *page);
void replay_html_groups(struct html *html, const struct replay_page *page);
void replay_html_backfill(struct html *html, const struct replay_page *page);
void replay_html_shares(struct html *html, const struct replay_page *page);
void replay_html_held(struct html *html, const struct replay_page *page);
void replay_html_reserved(struct html *html, const struct replay_page *page);
void replay_html_changes(struct html *html, const struct replay_page *page);
/* Of the last one: how reservations are used under a schedule and the first. */
void replay_html_reserved_changes(struct html *html, const struct replay_page *page, size_t side);

/* ---- pieces: html_parts.c ---- */

/* A schedule's name, without its directory where that makes no difference. */
const char *replay_side_name(const struct replay_report *report, size_t side);

/* A cell with a schedule's colour and name; and a list of all, that of what was recorded too. */
void replay_html_side(struct html *html, const struct replay_page *page, size_t side);
void replay_html_key(struct html *html, const struct replay_page *page, bool recorded);

/* When it is, of a trace that says when it began; else how long after its beginning. */
void replay_html_when(struct html *html, const struct replay_page *page, int64_t time);

/* A day alone: 2026-11-22. */
void replay_html_date(struct html *html, int64_t time);

/* Where a wait is on a logarithmic scale up to the longest, percent. */
double replay_log_part(double seconds, double longest);
/* Marks of that scale, for the head of a column: a minute, an hour, ... */
void replay_html_log_axis(struct html *html, double longest);

/* page_table() of one schedule. */
void replay_html_table(struct html *html, const struct replay_page *page, const char *label,
		       size_t side);

/* So many cells with a dash. */
void replay_html_nothing(struct html *html, int cells);

/* How many jobs begin earlier, at the same time and later than under another schedule. */
void replay_html_counts(struct html *html, const struct maui_replay_difference *difference);

/* A cell: from the first wait, a ring, to the other, a dot of this schedule's colour; whole: what
 * the cell has to hold. */
void replay_html_change(struct html *html, double first, double second, double whole, size_t side);

/* Begin and end a table that is folded away behind a picture. */
void replay_html_fold(struct html *html, const char *summary);
void replay_html_fold_end(struct html *html);

#endif
