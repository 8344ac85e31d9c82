/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Markup of document heads, of <data> and <time> elements, axes and scrolling
 * tables; page.css is compiled in as bytes.
 */
#include "contribs/maui/html/pieces.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "html_files.h"

const struct html_file html_looks = {
	"page.css",
	"text/css; charset=utf-8",
	page_css,
	sizeof(page_css),
};

void html_begin(struct html *html, const char *title, int every)
{
	html_add(html, "<!DOCTYPE html>\n<html lang=\"en\"");
	if (every)
		html_add(html, " data-every=\"%d\"", every);
	html_add(html,
		 ">\n<head>\n<meta charset=\"utf-8\"/>\n"
		 "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
		 "<meta name=\"color-scheme\" content=\"light dark\"/>\n"
		 "<meta name=\"referrer\" content=\"no-referrer\"/>\n"
		 "<title>%s \xe2\x80\x93 Maui</title>\n",
		 title);
}

void html_style(struct html *html)
{
	html_add(html, "<style>\n");
	html_bytes(html, page_css, sizeof(page_css));
	html_add(html, "</style>\n");
}

/* "1 234 567" in groups of three, with narrow blanks that do not break. */
static void add_grouped(struct html *html, int64_t count)
{
	char digits[32];
	int length = snprintf(digits, sizeof(digits), "%" PRId64, count < 0 ? -count : count);

	if (count < 0)
		html_add(html, "\xe2\x88\x92");
	for (int i = 0; i < length; i++) {
		const char digit[2] = {digits[i], '\0'};

		if (i && (length - i) % 3 == 0)
			html_add(html, "&#8239;");
		html_add(html, "%s", digit);
	}
}

void page_hours(struct html *html, double procseconds)
{
	double hours = procseconds / 3600;

	html_add(html, "<data value=\"%.0f\">", procseconds);
	if (fabs(hours) < 1000)
		html_add(html, "%.1f", hours);
	else
		add_grouped(html, fabs(hours) < 1e15 ? llround(hours) : INT64_C(1000000000000000));
	html_add(html, "&#160;h</data>");
}

void page_percent(struct html *html, double percent)
{
	html_add(html, "<data value=\"%.4f\">%.1f&#160;%%</data>", percent, percent);
}

void page_none(struct html *html)
{
	html_add(html, "<span class=\"none\">\xe2\x80\x93</span>");
}

void page_count(struct html *html, int64_t count)
{
	html_add(html, "<data value=\"%" PRId64 "\">", count);
	add_grouped(html, count);
	html_add(html, "</data>");
}

void page_span(struct html *html, int64_t seconds)
{
	static const struct {
		int64_t seconds;
		const char *one, *many;
	} units[] = {{86400, "day", "days"}, {3600, "hour", "hours"}, {60, "minute", "minutes"}};
	int64_t rest = seconds < 0 ? 0 : seconds;
	int told = 0;

	html_add(html, "<data value=\"%" PRId64 "\">", seconds);
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]) && told < 2; i++) {
		int64_t count = rest / units[i].seconds;

		rest %= units[i].seconds;
		if (count)
			html_add(html, "%s%" PRId64 "&#160;%s", told++ ? " " : "", count,
				 count == 1 ? units[i].one : units[i].many);
	}
	if (!told)
		html_add(html, "%" PRId64 "&#160;seconds", rest);
	html_add(html, "</data>");
}

void page_time(struct html *html, int64_t time)
{
	time_t moment = (time_t)time;
	struct tm local;
	char machine[64], text[64];

	if (time <= 0 || !localtime_r(&moment, &local) ||
	    !strftime(machine, sizeof(machine), "%Y-%m-%dT%H:%M:%S%z", &local) ||
	    !strftime(text, sizeof(text), "%a %Y-%m-%d %H:%M", &local))
		page_none(html);
	else
		html_add(html, "<time datetime=\"%s\">%s</time>", machine, text);
}

double page_part(double value, double whole)
{
	double part = whole > 0 ? value / whole * 100 : 0;

	return !(part > 0) ? 0 : part > 100 ? 100 : part;
}

double page_scale(double value)
{
	static const double steps[] = {1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10};
	double power;

	if (!(value > 0) || !isfinite(value))
		return 1;
	power = pow(10, floor(log10(value)));
	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++)
		if (value <= steps[i] * power)
			return steps[i] * power;
	return 10 * power;
}

void page_axis(struct html *html, double scale, const char *unit)
{
	html_add(html, "<span class=\"axis\"><span>0&#160;%s</span><span>", unit);
	if (scale == floor(scale))
		html_add(html, "%.0f", scale);
	else
		html_add(html, "%.2f", scale);
	html_add(html, "&#160;%s</span></span>", unit);
}

/* It can be reached, and scrolled, by keyboard. */
void page_table(struct html *html, const char *label)
{
	html_add(html,
		 "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"%s\"><table>\n",
		 label);
}

void page_table_end(struct html *html)
{
	html_add(html, "</tbody></table></div>\n");
}
