/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Limits: what is left of each that jobs share, and who uses it up. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/policy/limits/limits_metric.h"
#include "common/util/grow.h"
#include "common/util/memory.h"
#include "common/report/json.h"
#include "contribs/maui/lib/output.h"
#include "contribs/maui/page/page.h"
#include "contribs/maui/queue/limit_users.h"
#include "contribs/maui/queue/queue.h"

#define ROWS 40   /* of each table, the fullest */
#define TOLD 3    /* users of a limit */
#define MOST 9e18 /* of an amount, either way: an int64_t holds it, and JSON may have more */

struct limit {
	struct json_object *limit;
	const char *type, *holder; /* holder: "" for the system */
	bool unnamed;              /* holder is a uid or gid without a name */
	double full;               /* 1: nothing is left of the hard limit */
	bool mine;                 /* it counts jobs of the reader */
};

struct limits {
	const struct page *page;
	struct limit *list;
	size_t count, room;
};

/* ---- collecting ----------------------------------------------------------------------------- */

/* Whether the reader is this user. One whom this host does not know is known by his name alone. */
static bool is_reader(const struct page *page, const char *name, bool unnamed)
{
	char number[24];

	if (!unnamed || page->uid < 0)
		return !strcmp(name, page->user);
	snprintf(number, sizeof(number), "%" PRId64, page->uid);
	return !strcmp(name, number);
}

/* Whether the reader has, or would have, jobs that count: by name, or by his jobs in the queue. */
static bool counts_mine(const struct page *page, const char *type, const char *name, bool unnamed)
{
	struct json_object *jobs =
		member_array(member_object(page->sorted.users, page->user), "jobs");
	struct limit_holder holder;

	if (page->anybody)
		return false;
	if (!strcmp(type, "user"))
		return is_reader(page, name, unnamed);
	if (!strcmp(type, "group") && !unnamed && !strcmp(name, page->group))
		return true;
	holder = limit_holder(member_array(page->queue, "jobs"), type, name, unnamed);
	for (size_t i = 0; i < array_size(jobs); i++)
		if (limit_counts_for(json_object_array_get_idx(jobs, i), &holder))
			return true;
	return false;
}

static bool has_usage(struct json_object *limit)
{
	struct json_object *usage = NULL;

	json_object_object_get_ex(limit, "usage", &usage);
	return usage && member_integer(limit, "hard") >= 0 && !member_flag(limit, "overridden");
}

static double view_limits_fullness(struct json_object *limit)
{
	double hard = member_number(limit, "hard"), usage = member_number(limit, "usage");

	return hard > 0 ? usage / hard : 1;
}

static bool is_found(const struct page *page, const char *holder, struct json_object *limit)
{
	return page_finds(page, holder) || page_finds(page, member_text(limit, "name")) ||
	       page_finds(page, member_text(limit, "second"));
}

static void add_limit(struct limits *limits, const char *type, struct json_object *row, bool mine,
		      struct json_object *limit)
{
	limits->list =
		maui_grow(limits->list, limits->count + 1, &limits->room, sizeof(*limits->list));
	limits->list[limits->count++] = (struct limit){.limit = limit,
						       .type = type,
						       .holder = member_text(row, "name"),
						       .unnamed = member_flag(row, "unnamed"),
						       .full = view_limits_fullness(limit),
						       .mine = mine};
}

static void add_holder(struct limits *limits, const char *type, struct json_object *row)
{
	struct json_object *rows = member_array(row, "limits");
	const char *holder = member_text(row, "name");
	bool asked = false, mine = false;

	for (size_t i = 0; i < array_size(rows); i++) {
		struct json_object *limit = json_object_array_get_idx(rows, i);

		if (!has_usage(limit) || !is_found(limits->page, holder, limit))
			continue;
		if (!asked)
			mine = !strcmp(type, "system") ||
			       counts_mine(limits->page, type, holder, member_flag(row, "unnamed"));
		asked = true;
		add_limit(limits, type, row, mine && !limits->page->anybody, limit);
	}
}

/* The system's are in each answer: those of the first are taken. */
static void view_limits_collect(struct limits *limits)
{
	bool system = false;

	for (size_t i = PAGE_LIMITS_USER; i <= PAGE_LIMITS_QOS; i++) {
		struct json_object *data = page_data(limits->page, (enum page_question)i);
		struct json_object *rows = member_array(data, "credentials");

		if (data && !system)
			add_holder(limits, "system", member_object(data, "system"));
		system |= data != NULL;
		for (size_t k = 0; k < array_size(rows); k++)
			add_holder(limits, member_text(data, "type"),
				   json_object_array_get_idx(rows, k));
	}
}

static int by_fullness(const void *first, const void *second)
{
	const struct limit *a = first, *b = second;
	int order;

	if (a->mine != b->mine)
		return a->mine ? -1 : 1;
	if (a->full != b->full)
		return a->full < b->full ? 1 : -1;
	order = strcmp(a->type, b->type);
	order = order ? order : strcmp(a->holder, b->holder);
	order = order ? order : a->unnamed - b->unnamed;
	return order ? order : strcmp(member_text(a->limit, "name"), member_text(b->limit, "name"));
}

/* ---- amounts -------------------------------------------------------------------------------- */

static void write_amount(struct html *html, enum maui_limit_metric metric, double amount)
{
	if (metric == MAUI_LIMIT_PS || metric == MAUI_LIMIT_WC || metric == MAUI_LIMIT_GS)
		page_hours(html, amount);
	else
		page_count(html, (int64_t)fmin(fmax(amount, -MOST), MOST));
}

/* What it counts; times are shown in hours. */
static void write_unit(struct html *html, struct json_object *limit, enum maui_limit_metric metric)
{
	const char *gres = member_text(limit, "gres");

	if (metric == MAUI_LIMIT_ALL_METRICS) /* of a newer engine */
		return;
	if (metric == MAUI_LIMIT_PS)
		html_add(html, "processor-hours");
	else if (metric == MAUI_LIMIT_WC)
		html_add(html, "hours");
	else if (metric == MAUI_LIMIT_GS)
		html_add(html, "%s-hours", gres);
	else if (metric == MAUI_LIMIT_GRES)
		html_add(html, "%s", gres);
	else
		html_add(html, "%s",
			 metric == MAUI_LIMIT_JOB ? "jobs" : maui_limit_metric_info(metric)->many);
}

static bool has_soft(struct json_object *limit)
{
	double soft = member_number(limit, "soft");

	return soft > 0 && soft < member_number(limit, "hard");
}

/* ---- who uses it up ------------------------------------------------------------------------- */

struct user_amount {
	const char *user;
	int64_t amount;
};

static int by_amount(const void *first, const void *second)
{
	const struct user_amount *a = first, *b = second;

	if (a->amount != b->amount)
		return a->amount < b->amount ? 1 : -1;
	return strcmp(a->user, b->user);
}

/* user: sum of what his jobs hold. */
static struct json_object *sums_by_user(const struct limits *limits, const struct limit *limit)
{
	struct json_object *wanted = json_make_object(), *sums = json_make_object(), *jobs;

	json_set_same(wanted, limit->limit, "metric");
	json_set_same(wanted, limit->limit, "gres");
	json_set_same(wanted, limit->limit, "mode");
	json_set_same(wanted, limit->limit, "second_type");
	json_set_same(wanted, limit->limit, "second");
	json_set_same(wanted, limit->limit, "second_unnamed");
	json_set_text(wanted, "type", limit->type);
	json_set_text(wanted, "holder", limit->holder);
	json_set_flag(wanted, "holder_unnamed", limit->unnamed);
	jobs = member_number(limit->limit, "usage") > 0
		       ? limit_users(&limits->page->sorted, wanted, NULL)
		       : NULL;
	for (size_t i = 0; i < array_size(jobs); i++) {
		struct json_object *job = json_object_array_get_idx(jobs, i);
		const char *user = member_text(job, "user");

		json_set_number(sums, user,
				member_integer(sums, user) + member_integer(job, "amount"));
	}
	json_object_put(jobs);
	json_object_put(wanted);
	return sums;
}

static void write_users(struct html *html, const struct limits *limits, const struct limit *limit)
{
	struct json_object *sums = sums_by_user(limits, limit);
	size_t count = (size_t)json_object_object_length(sums), at = 0;
	struct user_amount *users = maui_calloc(count + 1, sizeof(*users));

	json_object_object_foreach(sums, name, sum) users[at++] =
		(struct user_amount){name, json_object_get_int64(sum)};
	qsort(users, count, sizeof(*users), by_amount);
	for (size_t i = 0; i < count && i < TOLD && users[i].amount > 0; i++) {
		html_add(html, "%s<b>%s</b>&#160;", i ? ", " : "", users[i].user);
		write_amount(html, limit_metric(limit->limit), (double)users[i].amount);
	}
	if (count > TOLD)
		html_add(html, " and %zu more", count - TOLD);
	if (!count && member_number(limit->limit, "usage") > 0)
		html_add(html, "<span class=\"none\">jobs that you do not see</span>");
	free(users);
	json_object_put(sums);
}

/* ---- a row ---------------------------------------------------------------------------------- */

static const char *state_of(struct json_object *limit)
{
	double usage = member_number(limit, "usage");

	if (usage >= member_number(limit, "hard"))
		return "full";
	return has_soft(limit) && usage >= member_number(limit, "soft") ? "over soft" : "free";
}

static void write_bar(struct html *html, struct json_object *limit)
{
	const char *state = state_of(limit);
	double hard = member_number(limit, "hard");

	html_add(html,
		 "<svg class=\"bar\" aria-hidden=\"true\"><rect class=\"track\" y=\"3\" "
		 "width=\"100%%\" height=\"12\"/><rect class=\"%s\" y=\"3\" width=\"%.2f%%\" "
		 "height=\"12\"/>",
		 !strcmp(state, "full")        ? "bad"
		 : !strcmp(state, "over soft") ? "warn"
					       : "use",
		 hard > 0 ? page_part(member_number(limit, "usage"), hard) : 100);
	if (has_soft(limit))
		html_add(html,
			 "<svg x=\"%.2f%%\" class=\"mark\" overflow=\"visible\"><path d=\"M0 "
			 "0V18\"/></svg>",
			 page_part(member_number(limit, "soft"), hard));
	html_add(html, "</svg>");
}

static void write_holder(struct html *html, const struct limit *limit)
{
	const char *second = member_text(limit->limit, "second_type");
	static const char unnamed[] = " (without a name)";

	if (!strcmp(limit->type, "system"))
		html_add(html, "the system");
	else
		html_add(html, "%s <b>%s</b>%s", limit->type, limit->holder,
			 limit->unnamed ? unnamed : "");
	if (*second)
		html_add(html, " in %s <b>%s</b>%s", second, member_text(limit->limit, "second"),
			 member_flag(limit->limit, "second_unnamed") ? unnamed : "");
}

static void write_row(struct html *html, const struct limits *limits, const struct limit *one)
{
	struct json_object *limit = one->limit;
	enum maui_limit_metric metric = limit_metric(limit);

	html_add(html, "<tr><th scope=\"row\">");
	write_holder(html, one);
	html_add(html, "</th><td><code>%s</code> %s", member_text(limit, "name"),
		 !strcmp(member_text(limit, "mode"), "idle") ? "waiting " : "");
	write_unit(html, limit, metric);
	html_add(html, "</td><td class=\"wide\">");
	write_bar(html, limit);
	html_add(html, "</td><td>%s</td><td class=\"number\">", state_of(limit));
	write_amount(html, metric, member_number(limit, "usage"));
	html_add(html, "</td><td class=\"number\">");
	if (has_soft(limit))
		write_amount(html, metric, member_number(limit, "soft"));
	else
		page_none(html);
	html_add(html, "</td><td class=\"number\">");
	write_amount(html, metric, member_number(limit, "hard"));
	html_add(html, "</td><td class=\"number\">");
	write_amount(html, metric, member_number(limit, "left"));
	html_add(html, "</td><td>");
	write_users(html, limits, one);
	html_add(html, "</td></tr>\n");
}

/* ---- the view ------------------------------------------------------------------------------- */

static void write_list(struct html *html, const struct limits *limits, const char *title,
		       const struct limit *list, size_t count)
{
	if (!count)
		return;
	page_table(html, title);
	html_add(
		html,
		"<caption>%s</caption><thead><tr><th scope=\"col\">Whose</th>"
		"<th scope=\"col\">Limit</th><th scope=\"col\" class=\"wide\"><span class=\"axis\">"
		"<span>0</span><span>hard</span></span></th><th scope=\"col\">State</th>"
		"<th scope=\"col\" class=\"number\">In use</th>"
		"<th scope=\"col\" class=\"number\">Soft</th><th scope=\"col\" class=\"number\">"
		"Hard</th><th scope=\"col\" class=\"number\">Left</th>"
		"<th scope=\"col\">Used up by</th></tr></thead><tbody>\n",
		title);
	for (size_t i = 0; i < count && i < ROWS; i++)
		write_row(html, limits, &list[i]);
	if (count > ROWS)
		html_add(html,
			 "<tr class=\"rest\"><th scope=\"row\" colspan=\"9\">%zu more, none fuller "
			 "than %.0f&#160;%%</th></tr>\n",
			 count - ROWS, 100 * list[ROWS].full);
	page_table_end(html);
}

/* What could not be asked, or does not hold; false: nothing can be shown. */
static bool write_state(struct html *html, const struct page *page)
{
	struct json_object *known = NULL;

	for (size_t i = PAGE_LIMITS_USER; i <= PAGE_LIMITS_QOS; i++) {
		known = known ? known : page_data(page, (enum page_question)i);
		if (!page_data(page, (enum page_question)i)) {
			page_missing(html, &page->answers[i]);
			break;
		}
	}
	if (!known)
		return false;
	if (!member_flag(known, "counted"))
		html_add(html,
			 "<p class=\"notice\">The engine does not know yet what is in use.</p>\n");
	return true;
}

static size_t count_mine(const struct limits *limits)
{
	size_t count = 0;

	while (count < limits->count && limits->list[count].mine)
		count++;
	return count;
}

static void write_lists(struct html *html, const struct limits *limits)
{
	size_t mine;

	qsort(limits->list, limits->count, sizeof(*limits->list), by_fullness);
	mine = count_mine(limits);
	write_list(html, limits, "Limits that count your jobs", limits->list, mine);
	write_list(html, limits, mine ? "Other limits" : "Limits", limits->list + mine,
		   limits->count - mine);
}

void page_limits(struct html *html, const struct page *page)
{
	struct limits limits = {.page = page};

	if (!write_state(html, page))
		return;
	view_limits_collect(&limits);
	html_add(html,
		 "<p>What jobs together may use. Over a soft limit, a job starts only on what "
		 "others leave; over a hard one, it waits.</p>\n"
		 "<ul class=\"key\"><li><svg class=\"swatch\" aria-hidden=\"true\"><svg x=\"7\" "
		 "class=\"mark\" overflow=\"visible\"><path d=\"M0 0V18\"/></svg></svg>the soft "
		 "limit</li></ul>\n");
	if (limits.count)
		write_lists(html, &limits);
	else
		html_add(html, *page_search(page)
				       ? "<p class=\"missing\">No limit is found.</p>\n"
				       : "<p class=\"missing\">There is no limit that jobs "
					 "share.</p>\n");
	free(limits.list);
}
