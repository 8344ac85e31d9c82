/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How much of the machine was in use, and how many waited, over time. */
#include <inttypes.h>

#include "contribs/maui/replay/html/html_parts.h"

#define DAY INT64_C(86400)

#define WIDTH  720.0
#define HEIGHT 170.0
#define LEFT   52.0 /* for the scale's numbers */

#define TIME_WIDTH 60 /* of a date below the picture */

struct picture {
	const char *title, *unit;
	double (*value)(const struct replay_page *page, const struct maui_replay_moment *moment);
	bool percent; /* the scale ends at 100 */
};

static double html_time_use(const struct replay_page *page, const struct maui_replay_moment *moment)
{
	return page_part(moment->used, page->report->trace->procs);
}

static double html_time_waiting(const struct replay_page *page,
				const struct maui_replay_moment *moment)
{
	(void)page;
	return moment->waiting;
}

static const struct picture pictures[] = {
	{"Processors in use", "percent", html_time_use, true},
	{"Waiting", "jobs", html_time_waiting, false},
};

/* ---- the frame ---- */

static double html_time_highest(const struct replay_page *page, const struct picture *picture)
{
	double most = 0;

	for (size_t side = 0; side <= page->report->count; side++) {
		const struct replay_account *account = side < page->report->count
							       ? &page->facts->side[side]
							       : &page->facts->recorded;

		for (size_t i = 0; i < page->facts->steps; i++)
			if (picture->value(page, &account->moments[i]) > most)
				most = picture->value(page, &account->moments[i]);
	}
	return picture->percent ? 100 : page_scale(most);
}

static double html_time_across(const struct replay_page *page, double steps)
{
	return LEFT + (WIDTH - LEFT) * steps / (double)page->facts->steps;
}

static void draw_scale(struct html *html, double top)
{
	for (int i = 0; i <= 4; i++) {
		double y = HEIGHT * (4 - i) / 4;

		html_add(html,
			 "<path class=\"grid\" d=\"M%.0f %.1fH%.0f\"/><text class=\"end\" "
			 "x=\"%.0f\" "
			 "y=\"%.1f\">",
			 LEFT, y, WIDTH, LEFT - 6, y + 4);
		if (top < 4)
			html_add(html, "%.2f</text>\n", top * i / 4);
		else
			html_add(html, "%.0f</text>\n", top * i / 4);
	}
}

/* Days, weeks or months apart, so that at most eight have their names. */
static int64_t mark_step(int64_t span)
{
	static const int64_t steps[] = {DAY / 24, DAY / 4,  DAY,      2 * DAY,  7 * DAY,
					14 * DAY, 28 * DAY, 91 * DAY, 182 * DAY};

	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++)
		if (span / steps[i] < 8)
			return steps[i];
	return span / 7;
}

static void draw_times(struct html *html, const struct replay_page *page)
{
	int64_t span = page->facts->step * (int64_t)page->facts->steps;
	int64_t step = mark_step(span), begin = page->facts->begin;
	int64_t first = page->report->trace->epoch ? (begin + step - 1) / step * step : begin;

	for (int64_t at = first; at < begin + span; at += step) {
		double x = html_time_across(page, (double)(at - begin) / (double)page->facts->step);

		html_add(html, "<path class=\"grid\" d=\"M%.1f %.0fv6\"/>", x, HEIGHT);
		if (x > WIDTH - TIME_WIDTH)
			break;
		html_add(html, "<text x=\"%.1f\" y=\"%.0f\">", x, HEIGHT + 20);
		if (page->report->trace->epoch)
			replay_html_date(html, at);
		else if (step < 86400)
			html_add(html, "%" PRId64 " h", (at - begin) / 3600);
		else
			html_add(html, "day %" PRId64, (at - begin) / 86400 + 1);
		html_add(html, "</text>\n");
	}
}

/* ---- the lines ---- */

static void draw_line(struct html *html, const struct replay_page *page,
		      const struct picture *picture, const struct replay_account *account,
		      double top)
{
	html_add(html, " line\" d=\"");
	for (size_t i = 0; i < page->facts->steps; i++) {
		double y = HEIGHT * (1 - picture->value(page, &account->moments[i]) / top);

		html_add(html, i ? "V%.1fH%.1f" : "M52 %.1fH%.1f", y,
			 html_time_across(page, (double)i + 1));
	}
	html_add(html, "\"/>\n");
}

static void html_time_draw(struct html *html, const struct replay_page *page,
			   const struct picture *picture)
{
	double top = html_time_highest(page, picture);

	html_add(html,
		 "<h3>%s, %s</h3>\n<div class=\"scroll\" role=\"region\" tabindex=\"0\" "
		 "aria-label=\"%s over time\"><svg class=\"chart\" viewBox=\"0 -8 720 204\" "
		 "role=\"img\" "
		 "aria-label=\"%s over time; the numbers are in the table below\">\n",
		 picture->title, picture->unit, picture->title, picture->title);
	draw_scale(html, top);
	draw_times(html, page);
	if (page->report->recorded.jobs) {
		html_add(html, "<path class=\"recorded");
		draw_line(html, page, picture, &page->facts->recorded, top);
	}
	for (size_t i = page->report->count; i--;) {
		html_add(html, "<path class=\"c%zu", i);
		draw_line(html, page, picture, &page->facts->side[i], top);
	}
	html_add(html, "</svg></div>\n");
}

/* ---- the numbers ---- */

static void write_heads(struct html *html, const struct replay_page *page, const char *what)
{
	if (page->report->recorded.jobs)
		html_add(html, "<th class=\"number\" scope=\"col\">%s, recorded</th>", what);
	for (size_t i = 0; i < page->report->count; i++)
		html_add(html, "<th class=\"number\" scope=\"col\">%s, %s</th>", what,
			 replay_side_name(page->report, i));
}

static void write_values(struct html *html, const struct replay_page *page,
			 const struct picture *picture, size_t step)
{
	if (page->report->recorded.jobs)
		html_add(html, "<td class=\"number\">%.1f</td>",
			 picture->value(page, &page->facts->recorded.moments[step]));
	for (size_t i = 0; i < page->report->count; i++)
		html_add(html, "<td class=\"number\">%.1f</td>",
			 picture->value(page, &page->facts->side[i].moments[step]));
}

static void write_table(struct html *html, const struct replay_page *page)
{
	replay_html_fold(html, "The numbers behind both pictures");
	page_table(html, "Use and queue in numbers");
	html_add(html, "<caption>Means over ");
	page_span(html, page->facts->step);
	html_add(html, "</caption>\n<thead><tr><th scope=\"col\">From</th>");
	write_heads(html, page, "in use, %");
	write_heads(html, page, "waiting");
	html_add(html, "</tr></thead><tbody>\n");
	for (size_t i = 0; i < page->facts->steps; i++) {
		html_add(html, "<tr><th scope=\"row\">");
		replay_html_when(html, page, page->facts->begin + (int64_t)i * page->facts->step);
		html_add(html, "</th>");
		write_values(html, page, &pictures[0], i);
		write_values(html, page, &pictures[1], i);
		html_add(html, "</tr>\n");
	}
	page_table_end(html);
	replay_html_fold_end(html);
}

void replay_html_time(struct html *html, const struct replay_page *page)
{
	replay_html_key(html, page, true);
	for (size_t i = 0; i < sizeof(pictures) / sizeof(pictures[0]); i++)
		html_time_draw(html, page, &pictures[i]);
	write_table(html, page);
}
