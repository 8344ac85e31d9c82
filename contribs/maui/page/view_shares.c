/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shares: what each credential has used, window by window, against its target. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/policy/priority/fstarget.h"
#include "contribs/maui/lib/output.h"
#include "contribs/maui/page/page.h"

#define ROWS    25  /* of a type; the others are summed */
#define WINDOWS 32  /* FSDEPTH's limit */
#define FAINT   0.2 /* how much of its colour the oldest usage keeps */

struct shares {
	const struct page *page;
	struct json_object *data;
	const char *user, *group; /* the reader's */
	double total, weights[WINDOWS];
	size_t depth;
	bool ratio;
};

static const struct {
	const char *type, *title;
} types[] = {
	{"user", "Users"},       {"group", "Groups"}, {"account", "Accounts"},
	{"class", "Partitions"}, {"qos", "QOS"},
};

/* ---- targets -------------------------------------------------------------------------------- */

static const struct target_words {
	const char *mode, *words;
	const char *path; /* of its mark: 16 high, around x = 0 */
} target_words[] = {
	{"target", "target", "M0 0V18"},
	{"floor", "at least", "M0 0V18M0 4L7 9L0 14Z"},
	{"ceiling", "at most", "M0 0V18M0 4L-7 9L0 14Z"},
	{"cap-percent", "never above", "M-1.5 0V18M1.5 0V18"},
	{"cap-ps", "never above", NULL},
};

/* NULL: no target. */
static const struct target_words *target_of(struct json_object *row)
{
	const char *mode = member_text(row, "mode");

	for (size_t i = 0; i < sizeof(target_words) / sizeof(target_words[0]); i++)
		if (member_number(row, "target") > 0 && !strcmp(target_words[i].mode, mode))
			return &target_words[i];
	return NULL;
}

static double mark_of(struct json_object *row)
{
	const struct target_words *target = target_of(row);

	return target && target->path ? member_number(row, "target") : 0;
}

static void write_target(struct html *html, struct json_object *row)
{
	const struct target_words *target = target_of(row);

	if (!target) {
		html_add(html, "<span class=\"none\">none</span>");
		return;
	}
	html_add(html, "%s ", target->words);
	if (target->path)
		page_percent(html, member_number(row, "target"));
	else
		page_hours(html, member_number(row, "target"));
}

/* DEFAULT is nobody, and has none. */
static const char *state_of(struct json_object *row)
{
	const struct target_words *target = target_of(row);
	double cap = member_number(row, "target");

	if (!target || !strcmp(member_text(row, "name"), "DEFAULT"))
		return "";
	if (!strcmp(target->mode, "cap-percent"))
		return member_number(row, "percent") < cap ? "below its cap" : "at its cap";
	if (!strcmp(target->mode, "cap-ps"))
		return member_number(row, "usage") < cap ? "below its cap" : "at its cap";
	return member_flag(row, "off_target") ? "off target" : "on target";
}

/* What fairshare adds to priorities by this row, before weights. */
static double factor_of(const struct shares *shares, struct json_object *row)
{
	const struct maui_fstarget target = {
		.value = member_number(row, "target"),
		.mode = maui_fstarget_mode(*member_text(row, "mark")),
	};

	return shares->total > 0
		       ? maui_fstarget_factor(&target, member_number(row, "percent"), shares->ratio)
		       : 0;
}

/* ---- bars ----------------------------------------------------------------------------------- */

static double usage_in(struct json_object *row, size_t window)
{
	struct json_object *windows = member_array(row, "windows");
	struct json_object *usage =
		window < array_size(windows) ? json_object_array_get_idx(windows, window) : NULL;

	return json_object_is_type(usage, json_type_double) ||
			       json_object_is_type(usage, json_type_int)
		       ? json_object_get_double(usage)
		       : 0;
}

/* A piece for each window that counts, the newest first; older ones fade as they count less. */
static void write_bar(struct html *html, const struct shares *shares, struct json_object *row,
		      double scale)
{
	const struct target_words *target = target_of(row);
	double at = 0;

	html_add(html, "<svg class=\"bar\" aria-hidden=\"true\"><rect class=\"track\" y=\"3\" "
		       "width=\"100%%\" height=\"12\"/>");
	for (size_t i = 0; i < shares->depth; i++) {
		double percent = shares->total > 0 ? usage_in(row, i) * shares->weights[i] /
							     shares->total * 100
						   : 0;
		double width = page_part(percent, scale);

		if (width < 0.01)
			continue;
		html_add(html,
			 "<rect class=\"use\" x=\"%.2f%%\" y=\"3\" width=\"%.2f%%\" height=\"12\" "
			 "fill-opacity=\"%.2f\"/>",
			 at, at + width > 100 ? 100 - at : width,
			 FAINT + (1 - FAINT) * page_part(shares->weights[i], 1) / 100);
		at += at + width > 100 ? 100 - at : width;
	}
	if (target && target->path)
		html_add(html,
			 "<svg x=\"%.2f%%\" class=\"mark\" overflow=\"visible\"><path "
			 "d=\"%s\"/></svg>",
			 page_part(mark_of(row), scale), target->path);
	html_add(html, "</svg>");
}

static void write_row(struct html *html, const struct shares *shares, struct json_object *row,
		      bool mine, double scale)
{
	double percent = member_number(row, "percent");

	html_add(html, "<tr class=\"%s\"><th scope=\"row\">%s", mine ? "mine" : "",
		 member_text(row, "name"));
	if (mine)
		html_add(html, " <span class=\"badge\">you</span>");
	html_add(html, "</th><td class=\"wide\">");
	write_bar(html, shares, row, scale);
	html_add(html, "</td><td class=\"number\">");
	page_percent(html, percent);
	html_add(html, "</td><td>");
	write_target(html, row);
	html_add(html, "</td><td>%s</td><td class=\"number\">", state_of(row));
	page_hours(html, member_number(row, "usage"));
	html_add(html, "</td></tr>\n");
}

/* ---- units ---------------------------------------------------------------------------------- */

/* What FSPOLICY counts, in hours: DEDICATEDGRES names its GRES. */
static void write_unit(struct html *html, const struct shares *shares)
{
	const char *policy = member_text(shares->data, "policy"), *gres = strchr(policy, '[');
	char name[256];

	if (gres && strlen(gres) > 2) {
		snprintf(name, sizeof(name), "%.*s", (int)strlen(gres) - 2, gres + 1);
		html_add(html, "%s-hours", name);
	} else {
		html_add(html, !strcmp(policy, "DEDICATEDPES") ? "PE-hours" : "processor-hours");
	}
}

/* ---- a type --------------------------------------------------------------------------------- */

static int by_usage(const void *first, const void *second)
{
	struct json_object *a = *(struct json_object *const *)first,
			   *b = *(struct json_object *const *)second;
	double x = member_number(a, "usage"), y = member_number(b, "usage");

	if (x != y)
		return x < y ? 1 : -1;
	return strcmp(member_text(a, "name"), member_text(b, "name"));
}

static bool is_mine(const struct shares *shares, const char *type, struct json_object *row)
{
	const char *own = !strcmp(type, "user")    ? shares->user
			  : !strcmp(type, "group") ? shares->group
						   : "";

	return *own && !strcmp(member_text(row, "name"), own);
}

static void write_table_head(struct html *html, const struct shares *shares, const char *title,
			     double scale)
{
	page_table(html, title);
	html_add(html,
		 "<caption>%s</caption><thead><tr><th scope=\"col\">Name</th>"
		 "<th scope=\"col\" class=\"wide\">",
		 title);
	page_axis(html, scale, "%");
	html_add(html, "</th><th scope=\"col\" class=\"number\">Share</th>"
		       "<th scope=\"col\">Target</th><th scope=\"col\">State</th>"
		       "<th scope=\"col\" class=\"number\">Usage, ");
	write_unit(html, shares);
	html_add(html, "</th></tr></thead><tbody>\n");
}

static void write_rest(struct html *html, size_t left_out, double percent, double usage)
{
	html_add(html,
		 "<tr class=\"rest\"><th scope=\"row\">%zu more</th><td></td>"
		 "<td class=\"number\">",
		 left_out);
	page_percent(html, percent);
	html_add(html, "</td><td></td><td></td><td class=\"number\">");
	page_hours(html, usage);
	html_add(html, "</td></tr>\n");
}

static void write_type(struct html *html, const struct shares *shares, size_t which)
{
	const char *type = types[which].type;
	struct json_object *rows = member_array(member_object(shares->data, "credentials"), type);
	double scale = 0, percent = 0, usage = 0;
	size_t left_out = 0, shown = 0;

	if (!array_size(rows))
		return;
	json_object_array_sort(rows, by_usage);
	for (size_t i = 0; i < array_size(rows); i++) {
		struct json_object *row = json_object_array_get_idx(rows, i);

		scale = page_part(member_number(row, "percent"), 100) > scale
				? member_number(row, "percent")
				: scale;
		scale = mark_of(row) > scale ? mark_of(row) : scale;
	}
	scale = scale > 100 ? 100 : page_scale(scale);
	write_table_head(html, shares, types[which].title, scale);
	for (size_t i = 0; i < array_size(rows); i++) {
		struct json_object *row = json_object_array_get_idx(rows, i);
		bool mine = is_mine(shares, type, row);

		if (!page_finds(shares->page, member_text(row, "name")))
			continue;
		if (shown++ < ROWS || mine) {
			write_row(html, shares, row, mine, scale);
			continue;
		}
		left_out++;
		percent += member_number(row, "percent");
		usage += member_number(row, "usage");
	}
	if (left_out)
		write_rest(html, left_out, percent, usage);
	page_table_end(html);
}

/* ---- the reader's own share in words -------------------------------------------------------- */

static struct json_object *own_row(const struct shares *shares)
{
	struct json_object *rows = member_array(member_object(shares->data, "credentials"), "user");

	for (size_t i = 0; i < array_size(rows); i++)
		if (is_mine(shares, "user", json_object_array_get_idx(rows, i)))
			return json_object_array_get_idx(rows, i);
	return NULL;
}

static void write_windows(struct html *html, const struct shares *shares, struct json_object *row)
{
	struct json_object *windows = member_array(shares->data, "windows");

	page_table(html, "Your windows");
	html_add(html, "<caption>Your windows</caption><thead><tr><th scope=\"col\">From</th>"
		       "<th scope=\"col\" class=\"number\">Counts</th>"
		       "<th scope=\"col\" class=\"number\">You, ");
	write_unit(html, shares);
	html_add(html,
		 "</th><th scope=\"col\" class=\"number\">Everybody</th></tr></thead><tbody>\n");
	for (size_t i = 0; i < shares->depth; i++) {
		struct json_object *window = json_object_array_get_idx(windows, i);

		html_add(html, "<tr><th scope=\"row\">");
		page_time(html, member_integer(window, "start"));
		html_add(html,
			 "</th><td class=\"number\">\xc3\x97&#160;%.3f</td><td class=\"number\">",
			 shares->weights[i]);
		page_hours(html, usage_in(row, i));
		html_add(html, "</td><td class=\"number\">");
		page_hours(html, member_number(window, "usage"));
		html_add(html, "</td></tr>\n");
	}
	page_table_end(html);
}

static void write_factor(struct html *html, const struct shares *shares, struct json_object *row)
{
	const struct target_words *target = target_of(row);
	double percent = member_number(row, "percent"), aim = member_number(row, "target");
	double factor = factor_of(shares, row);

	if (!target) {
		html_add(html, " You have no target, so that your share changes no priority.");
		return;
	}
	if (!target->path || !strcmp(target->mode, "cap-percent")) {
		html_add(html,
			 " Your target is a cap: jobs that would go above it wait. It changes "
			 "no priority.");
		return;
	}
	html_add(html,
		 " Your target is %s%.1f&#160;%%. What fairshare gives your jobs, before its "
		 "weights, is ",
		 !strcmp(target->mode, "floor")     ? "at least "
		 : !strcmp(target->mode, "ceiling") ? "at most "
						    : "",
		 aim);
	if (shares->ratio)
		html_add(html, "1 \xe2\x88\x92 %.1f / %.1f", percent, aim);
	else
		html_add(html, "%.1f \xe2\x88\x92 %.1f", aim, percent);
	if (strcmp(target->mode, "target") != 0)
		html_add(html, ", but never %s 0",
			 !strcmp(target->mode, "floor") ? "below" : "above");
	html_add(html, ": <strong>%s%.2f</strong>.", factor < 0 ? "\xe2\x88\x92" : "",
		 fabs(factor));
}

static void write_own(struct html *html, const struct shares *shares)
{
	struct json_object *row = own_row(shares);

	if (!row)
		return;
	html_add(html,
		 "<div class=\"words\"><h3>Your share in words</h3>\n<p>Usage is counted in ");
	write_unit(html, shares);
	html_add(html, ", in %zu windows of ", shares->depth);
	page_span(html, member_integer(shares->data, "interval"));
	html_add(html,
		 " each; the current one counts fully, each older one %.2f of the one after it. So "
		 "your "
		 "usage counts as ",
		 member_number(shares->data, "decay"));
	page_hours(html, member_number(row, "usage"));
	html_add(html, " of everybody\xe2\x80\x99s ");
	page_hours(html, shares->total);
	html_add(html, ", which is <strong>");
	page_percent(html, member_number(row, "percent"));
	html_add(html, "</strong>.");
	write_factor(html, shares, row);
	html_add(html, "</p>\n<details><summary>Window by window</summary>\n");
	write_windows(html, shares, row);
	html_add(html, "</details></div>\n");
}

/* ---- the view ------------------------------------------------------------------------------- */

static struct shares read_shares(const struct page *page, struct json_object *data)
{
	struct json_object *windows = member_array(data, "windows");
	struct shares shares = {
		.page = page, .data = data, .user = page->user, .group = page->group};

	shares.total = member_number(data, "usage");
	shares.ratio = member_flag(data, "ratio");
	shares.depth = array_size(windows) < WINDOWS ? array_size(windows) : WINDOWS;
	for (size_t i = 0; i < shares.depth; i++)
		shares.weights[i] = member_number(json_object_array_get_idx(windows, i), "weight");
	return shares;
}

static void write_key(struct html *html)
{
	html_add(html,
		 "<ul class=\"key\"><li><svg class=\"swatch\" aria-hidden=\"true\"><rect "
		 "class=\"use\" width=\"14\" height=\"14\"/></svg>used in the current "
		 "window</li><li><svg class=\"swatch\" aria-hidden=\"true\"><rect class=\"use\" "
		 "fill-opacity=\"0.4\" width=\"14\" height=\"14\"/></svg>in older windows, the "
		 "fainter the less they count</li>");
	for (size_t i = 0; i < sizeof(target_words) / sizeof(target_words[0]); i++)
		if (target_words[i].path)
			html_add(
				html,
				"<li><svg class=\"swatch\" aria-hidden=\"true\"><svg x=\"7\" "
				"class=\"mark\" overflow=\"visible\"><path d=\"%s\"/></svg></svg>%s"
				"</li>",
				target_words[i].path, target_words[i].words);
	html_add(html, "</ul>\n");
}

void page_shares(struct html *html, const struct page *page)
{
	struct json_object *data = page_data(page, PAGE_SHARES);
	struct shares shares;

	if (!member_object(data, "credentials")) {
		page_missing(html, &page->answers[PAGE_SHARES]);
		return;
	}
	shares = read_shares(page, data);
	if (!strcmp(member_text(data, "policy"), "[NONE]")) {
		html_add(html, "<p class=\"missing\">FSPOLICY is not set: no usage is counted, and "
			       "fairshare changes no priority.</p>\n");
		return;
	}
	html_add(html, "<p>Who has used how much of what all have used, in percent.</p>\n");
	write_own(html, &shares);
	write_key(html);
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		write_type(html, &shares, i);
}
