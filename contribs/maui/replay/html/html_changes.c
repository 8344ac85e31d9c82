/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which jobs gain and lose under another schedule than the first. */
#include <inttypes.h>
#include <math.h>

#include "contribs/maui/replay/html/html_parts.h"

/* ---- jobs ---- */

static double html_changes_longest(const struct replay_page *page, size_t side,
				   const struct maui_replay_change *changes, size_t count)
{
	double longest = 60;

	for (size_t i = 0; i < count; i++) {
		double first = (double)replay_wait(page->report, 0, changes[i].job);
		double second = (double)replay_wait(page->report, side, changes[i].job);

		longest = first > longest ? first : longest;
		longest = second > longest ? second : longest;
	}
	return longest;
}

void replay_html_change(struct html *html, double first, double second, double whole, size_t side)
{
	double from = 1 + 0.98 * page_part(first, whole), to = 1 + 0.98 * page_part(second, whole);

	html_add(
		html,
		"<td class=\"wide\"><svg class=\"bar\" aria-hidden=\"true\"><rect class=\"track\" "
		"y=\"8\" width=\"100%%\" height=\"2\"/><rect class=\"c%zu half\" y=\"6\" "
		"height=\"6\" x=\"%.2f%%\" width=\"%.2f%%\"/><circle class=\"empty\" cx=\"%.2f%%\" "
		"cy=\"9\" r=\"4\"/><circle class=\"c%zu\" cx=\"%.2f%%\" cy=\"9\" "
		"r=\"5\"/></svg></td>",
		side, from < to ? from : to, from < to ? to - from : from - to, from, side, to);
}

/* The end of a row: the waits under the first schedule and this one, in a picture and in words. */
static void write_waits(struct html *html, double first, double second, double whole, size_t side)
{
	replay_html_change(html, first, second, whole, side);
	html_add(html, "<td class=\"number\">");
	page_span(html, (int64_t)(first + 0.5));
	html_add(html, "</td><td class=\"number\">");
	page_span(html, (int64_t)(second + 0.5));
	html_add(html, "</td></tr>\n");
}

static void write_change(struct html *html, const struct replay_page *page, size_t side,
			 const struct maui_replay_change *change, double whole)
{
	const struct maui_replay_job *job = &page->report->trace->jobs[change->job];
	int64_t first = replay_wait(page->report, 0, change->job);
	int64_t second = replay_wait(page->report, side, change->job);
	char id[MAUI_REPLAY_ID_SIZE];

	html_add(html, "<tr><th scope=\"row\">%s</th><td>%s</td><td>", maui_replay_job_id(job, id),
		 replay_user(page->report, change->job));
	replay_html_when(html, page, job->submitted);
	html_add(html, "</td><td class=\"number\">%" PRId64 "</td><td class=\"number\">",
		 (int64_t)job->procs);
	page_span(html, job->run);
	html_add(html, "</td>");
	write_waits(html, (double)first, (double)second, whole, side);
}

static void write_changes(struct html *html, const struct replay_page *page, size_t side,
			  const char *title, const struct maui_replay_change *changes, size_t count)
{
	double whole = html_changes_longest(page, side, changes, count);

	if (!count)
		return;
	replay_html_table(html, page, title, side);
	html_add(html,
		 "<caption>%s</caption>\n<thead><tr><th scope=\"col\">Job</th><th "
		 "scope=\"col\">User</th><th scope=\"col\">Submitted</th><th class=\"number\" "
		 "scope=\"col\">Processors</th><th class=\"number\" scope=\"col\">Runs "
		 "for</th><th class=\"wide\" scope=\"col\">Wait</th><th class=\"number\" "
		 "scope=\"col\">%s</th><th class=\"number\" "
		 "scope=\"col\">%s</th></tr></thead><tbody>\n",
		 title, replay_side_name(page->report, 0), replay_side_name(page->report, side));
	for (size_t i = 0; i < count; i++)
		write_change(html, page, side, &changes[i], whole);
	page_table_end(html);
}

/* ---- users ---- */

static void write_user(struct html *html, const struct replay_page *page, size_t side,
		       const struct maui_replay_group_change *change, double whole)
{
	double jobs = (double)change->jobs, first = (double)change->first / jobs;
	double second = (double)change->second / jobs;

	html_add(html, "<tr><th scope=\"row\">%s</th><td class=\"number\">",
		 page->facts->by[MAUI_REPLAY_BY_USER].names[change->group]);
	page_count(html, (int64_t)change->jobs);
	html_add(html, "</td>");
	write_waits(html, first, second, whole, side);
}

static void write_users(struct html *html, const struct replay_page *page, size_t side,
			const char *title, const struct maui_replay_group_change *changes,
			size_t count)
{
	double whole = 60;

	if (!count)
		return;
	for (size_t i = 0; i < count; i++)
		whole = fmax(whole,
			     (double)(changes[i].first > changes[i].second ? changes[i].first
									   : changes[i].second) /
				     (double)changes[i].jobs);
	replay_html_table(html, page, title, side);
	html_add(html,
		 "<caption>%s</caption>\n<thead><tr><th scope=\"col\">User</th><th "
		 "class=\"number\" scope=\"col\">Jobs</th><th class=\"wide\" scope=\"col\">Mean "
		 "wait</th><th class=\"number\" scope=\"col\">%s</th><th class=\"number\" "
		 "scope=\"col\">%s</th></tr></thead><tbody>\n",
		 title, replay_side_name(page->report, 0), replay_side_name(page->report, side));
	for (size_t i = 0; i < count; i++)
		write_user(html, page, side, &changes[i], whole);
	page_table_end(html);
}

/* ---- how many ---- */

void replay_html_counts(struct html *html, const struct maui_replay_difference *d)
{
	double all = (double)(d->earlier + d->same + d->later + d->only_first + d->only_second);
	double earlier = page_part((double)d->earlier, all), same = page_part((double)d->same, all);
	double later = page_part((double)d->later, all), behind = earlier + same + later;

	html_add(html,
		 "<svg class=\"bar\" aria-hidden=\"true\"><rect class=\"c2\" y=\"2\" "
		 "width=\"%.2f%%\" "
		 "height=\"14\"/><rect class=\"track\" x=\"%.2f%%\" y=\"2\" width=\"%.2f%%\" "
		 "height=\"14\"/><rect class=\"c1\" x=\"%.2f%%\" y=\"2\" width=\"%.2f%%\" "
		 "height=\"14\"/>",
		 earlier, earlier, same, earlier + same, later);
	if (d->only_first || d->only_second)
		html_add(html,
			 "<rect class=\"gone\" x=\"%.2f%%\" y=\"2\" width=\"%.2f%%\" "
			 "height=\"14\"/>",
			 behind, 100 - behind);
	html_add(html, "</svg>\n<p>");
	page_count(html, (int64_t)d->earlier);
	html_add(html, " jobs begin earlier (left), ");
	page_count(html, (int64_t)d->same);
	html_add(html, " at the same time, ");
	page_count(html, (int64_t)d->later);
	html_add(html, " later (right); on average ");
	page_span(html, (int64_t)((d->mean < 0 ? -d->mean : d->mean) + 0.5));
	html_add(html, d->mean < 0 ? " earlier." : " later.");
	if (d->only_first || d->only_second)
		html_add(html,
			 " %zu no longer begin at all, %zu do that did not (dashed, at the right).",
			 d->only_first, d->only_second);
	html_add(html, "</p>\n");
}

void replay_html_changes(struct html *html, const struct replay_page *page)
{
	for (size_t i = 1; i < page->report->count; i++) {
		const struct maui_replay_difference *d = &page->facts->side[i].difference;
		const struct maui_replay_group_changes *users = &page->facts->side[i].users;

		html_add(html, "<h3>%s instead of %s</h3>\n", replay_side_name(page->report, i),
			 replay_side_name(page->report, 0));
		replay_html_counts(html, d);
		html_add(html,
			 "<p>A ring is the wait under %s, the filled dot that under %s.</p>\n",
			 replay_side_name(page->report, 0), replay_side_name(page->report, i));
		write_changes(html, page, i, "Those that gain most", d->gains, d->gain_count);
		write_changes(html, page, i, "Those that lose most", d->losses, d->loss_count);
		write_users(html, page, i, "Users that gain most in all", users->gains,
			    users->gain_count);
		write_users(html, page, i, "Users that lose most in all", users->losses,
			    users->loss_count);
		replay_html_reserved_changes(html, page, i);
	}
}
