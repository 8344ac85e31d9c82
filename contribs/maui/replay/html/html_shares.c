/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shares against targets by window of fairshare, and which rules held jobs back. */
#include <inttypes.h>

#include "contribs/maui/replay/html/html_parts.h"

#define ROWS 400 /* of the table of windows, at most */

/* ---- shares ---- */

static double target_part(const struct maui_replay_holder *share)
{
	return share->target.mode == MAUI_FS_CAP_ABSOLUTE ? 0 : share->target.value;
}

static double html_shares_highest(const struct maui_replay_shares *shares)
{
	double most = 1;

	for (size_t i = 0; i < shares->count; i++) {
		if (target_part(&shares->shares[i]) > most)
			most = target_part(&shares->shares[i]);
		for (size_t j = 0; j < shares->windows; j++)
			if (shares->shares[i].counted[j] > most)
				most = shares->shares[i].counted[j];
	}
	return most > 100 ? 100 : most;
}

static void draw_share(struct html *html, const struct maui_replay_shares *shares,
		       const struct maui_replay_holder *share, double top, size_t side)
{
	double goal = 40 - 40 * page_part(target_part(share), top) / 100;

	html_add(html, "<td class=\"wide\"><svg class=\"spark\" viewBox=\"0 -1 100 42\" "
		       "preserveAspectRatio=\"none\" aria-hidden=\"true\"><path class=\"grid\" "
		       "d=\"M0 40H100\"/>");
	if (target_part(share) > 0)
		html_add(html, "<path class=\"goal\" d=\"M0 %.2fH100\"/>", goal);
	html_add(html, "<path class=\"c%zu line\" d=\"", side);
	for (size_t i = 0; i < shares->windows; i++)
		html_add(html, i ? "V%.2fH%.2f" : "M0 %.2fH%.2f",
			 40 - 40 * page_part(share->counted[i], top) / 100,
			 100 * (double)(i + 1) / (double)shares->windows);
	html_add(html, "\"/></svg></td>");
}

static void write_target(struct html *html, const struct maui_replay_holder *share)
{
	const char mark[2] = {maui_fstarget_mark(share->target.mode), '\0'};

	html_add(html, "<td class=\"number\">%.1f%s</td>", share->target.value, mark);
}

static double html_shares_largest(const double *values, size_t count, int sign)
{
	double found = count ? values[0] : 0;

	for (size_t i = 1; i < count; i++)
		if (sign * values[i] > sign * found)
			found = values[i];
	return found;
}

static void write_share(struct html *html, const struct maui_replay_shares *shares, size_t number,
			double top, size_t side)
{
	const struct maui_replay_holder *share = &shares->shares[number];

	html_add(html, "<tr><th scope=\"row\">%s %s</th>", maui_credential_name(share->type),
		 share->name);
	write_target(html, share);
	draw_share(html, shares, share, top, side);
	html_add(html,
		 "<td class=\"number\">%.1f</td><td class=\"number\">%.1f</td><td "
		 "class=\"number\">%.1f</td></tr>\n",
		 share->percent, html_shares_largest(share->counted, shares->windows, -1),
		 html_shares_largest(share->counted, shares->windows, 1));
}

static void write_windows(struct html *html, const struct replay_page *page,
			  const struct maui_replay_shares *shares, size_t side)
{
	size_t every = shares->windows / ROWS + 1;

	replay_html_fold(html, "The numbers behind the pictures");
	replay_html_table(html, page, "Shares by window", side);
	html_add(html,
		 "<caption>Percent of what counts at the end of %s</caption>\n"
		 "<thead><tr><th scope=\"col\">Window of</th>",
		 every > 1 ? "some of the windows, evenly chosen" : "each window");
	for (size_t i = 0; i < shares->count; i++)
		html_add(html, "<th class=\"number\" scope=\"col\">%s %s</th>",
			 maui_credential_name(shares->shares[i].type), shares->shares[i].name);
	html_add(html, "</tr></thead><tbody>\n");
	for (size_t i = 0; i < shares->windows; i += every) {
		html_add(html, "<tr><th scope=\"row\">");
		replay_html_when(html, page, shares->begin + (int64_t)i * shares->interval);
		html_add(html, "</th>");
		for (size_t j = 0; j < shares->count; j++)
			html_add(html, "<td class=\"number\">%.1f</td>",
				 shares->shares[j].counted[i]);
		html_add(html, "</tr>\n");
	}
	page_table_end(html);
	replay_html_fold_end(html);
}

static void write_side(struct html *html, const struct replay_page *page, size_t side)
{
	const struct maui_replay_shares *shares = &page->facts->side[side].shares;
	double top = html_shares_highest(shares);

	if (!shares->count)
		return;
	replay_html_table(html, page, "Shares and targets", side);
	html_add(html,
		 "<caption>%s</caption>\n<thead><tr><th scope=\"col\">Whose</th><th "
		 "class=\"number\" scope=\"col\">Target, %%</th><th class=\"wide\" "
		 "scope=\"col\">Over time, 0 to %.0f %%</th><th class=\"number\" "
		 "scope=\"col\">Of all, %%</th><th class=\"number\" "
		 "scope=\"col\">Lowest, %%</th><th class=\"number\" scope=\"col\">Highest, "
		 "%%</th></tr></thead><tbody>\n",
		 replay_side_name(page->report, side), top);
	for (size_t i = 0; i < shares->count; i++)
		write_share(html, shares, i, top, side);
	page_table_end(html);
	if (shares->more)
		html_add(html, "<p>Those who used the most; %zu more have targets.</p>\n",
			 shares->more);
	if (shares->too_long)
		html_add(html, "<p>Only the first %zu windows are shown.</p>\n", shares->windows);
	write_windows(html, page, shares, side);
}

void replay_html_shares(struct html *html, const struct replay_page *page)
{
	bool any = false;

	for (size_t i = 0; i < page->report->count; i++)
		any |= page->facts->side[i].shares.count > 0;
	if (!any) {
		html_add(html, "<p class=\"missing\">No schedule has fairshare targets.</p>\n");
		return;
	}
	html_add(
		html,
		"<p>The line is the share of what counts at the end of each window, with the older "
		"ones decayed, as FSWEIGHT and caps see it; the dashed one is the target.</p>\n");
	for (size_t i = 0; i < page->report->count; i++)
		write_side(html, page, i);
}

/* ---- who was held ---- */

static void write_hold(struct html *html, const struct maui_replay_hold *hold, double most,
		       size_t side)
{
	html_add(html,
		 "<tr><th scope=\"row\"><code>%s</code></th><td>%s %s%s%s%s%s</td><td "
		 "class=\"wide\"><svg class=\"bar\" aria-hidden=\"true\"><rect class=\"track\" "
		 "y=\"4\" width=\"100%%\" height=\"10\"/><rect class=\"c%zu\" y=\"4\" "
		 "width=\"%.2f%%\" height=\"10\"/></svg></td><td class=\"number\">",
		 hold->rule, hold->holder_type, hold->holder, hold->second_type ? ", " : "",
		 hold->second_type ? hold->second_type : "", hold->second_type ? " " : "",
		 hold->second, side, page_part((double)hold->seconds, most));
	page_hours(html, (double)hold->seconds);
	html_add(html, "</td><td class=\"number\">");
	page_hours(html, hold->processor_seconds);
	html_add(html, "</td><td class=\"number\">");
	page_count(html, (int64_t)hold->jobs);
	html_add(html, "</td><td class=\"number\">");
	page_span(html, hold->jobs ? hold->seconds / (int64_t)hold->jobs : 0);
	html_add(html, "</td></tr>\n");
}

static void write_held(struct html *html, const struct replay_page *page, size_t side)
{
	const struct maui_replay_held *held = &page->report->side[side].schedule.held;

	if (!held->count) {
		html_add(html, "<p>%s holds nobody back.</p>\n",
			 replay_side_name(page->report, side));
		return;
	}
	replay_html_table(html, page, "Held back", side);
	html_add(html,
		 "<caption>%s</caption>\n<thead><tr><th scope=\"col\">By</th><th "
		 "scope=\"col\">Of</th><th class=\"wide\" scope=\"col\">Time of all jobs</th><th "
		 "class=\"number\" scope=\"col\">Hours</th><th class=\"number\" "
		 "scope=\"col\">Processor hours</th><th class=\"number\" "
		 "scope=\"col\">Jobs</th><th class=\"number\" scope=\"col\">Each, on "
		 "average</th></tr></thead><tbody>\n",
		 replay_side_name(page->report, side));
	for (size_t i = 0; i < held->count && i < REPLAY_SHOWN; i++)
		write_hold(html, &held->holds[i], (double)held->holds[0].seconds, side);
	page_table_end(html);
	if (held->count > REPLAY_SHOWN)
		html_add(html, "<p>%zu more are in the report as JSON.</p>\n",
			 held->count - REPLAY_SHOWN);
}

void replay_html_held(struct html *html, const struct replay_page *page)
{
	html_add(html,
		 "<p>The first limit, cap or QLIST that is in a job's way counts, from when an "
		 "iteration or a scheduler finds it until they find another, or the job "
		 "begins.</p>\n");
	for (size_t i = 0; i < page->report->count; i++)
		if (page->report->side[i].schedule.held.seconds)
			write_held(html, page, i);
}
