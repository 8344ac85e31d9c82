/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Limits, fairshare caps and QLIST of maui.cfg, as the engine judges them, and the jobs that use up
 * a limit. */
#include "contribs/maui/why/why.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/policy/limits/limits_metric.h"
#include "common/report/json.h"
#include "contribs/maui/lib/output.h"
#include "contribs/maui/queue/limit_users.h"

#define TOLD 5 /* jobs in a text; facts have them all */

/* ---- who uses a limit ----------------------------------------------------------------------- */

static int64_t sum_of(struct json_object *users)
{
	int64_t sum = 0;

	for (size_t i = 0; i < array_size(users); i++)
		sum += member_integer(json_object_array_get_idx(users, i), "amount");
	return sum;
}

static int64_t why_limit_earliest(struct json_object *users)
{
	int64_t first = 0;

	for (size_t i = 0; i < array_size(users); i++) {
		int64_t end = member_integer(json_object_array_get_idx(users, i), "end");

		if (end > 0 && (!first || end < first))
			first = end;
	}
	return first;
}

static void users_text(struct json_object *users, char *text, size_t size)
{
	size_t count = array_size(users);

	for (size_t i = 0; i < count && i < TOLD; i++) {
		struct json_object *user = json_object_array_get_idx(users, i);

		why_append(text, size, "%sjob %s of %s (%" PRId64 ")", i ? ", " : "",
			   member_text(user, "id"), member_text(user, "user"),
			   member_integer(user, "amount"));
	}
	if (count > TOLD)
		why_append(text, size, " and %zu more", count - TOLD);
}

/* Idle limits count what the engine considers eligible, which may be fewer than the waiting jobs
 * here. */
static void add_users(struct why *why, struct json_object *limit)
{
	struct json_object *users = limit_users(why->sorted, limit, why->job), *facts;
	bool idle = !strcmp(member_text(limit, "mode"), "idle");
	int64_t seen = sum_of(users), usage = member_integer(limit, "usage");
	enum maui_limit_metric metric = limit_metric(limit);
	bool exact = !idle && (metric == MAUI_LIMIT_JOB || metric == MAUI_LIMIT_PROC);
	int64_t end = why_limit_earliest(users);
	char text[700] = "", time[TEXT_DATE_SIZE];

	users_text(users, text, sizeof(text));
	facts = json_make_object();
	json_set_number(facts, "seen", seen);
	json_set(facts, "jobs", users);
	why_add(why, WHY_CAUSE, "limit-users", facts, "%s %s",
		idle ? "waiting jobs of the same:" : "in use by",
		*text ? text : "no job that you see");
	if (exact && seen < usage)
		why_add(why, WHY_UNSEEN, "limit-users", NULL,
			"%" PRId64 " of the %" PRId64 " in use: jobs that are not yours to see",
			usage - seen, usage);
	why_add(why, WHY_FREES, "limit", NULL, "%s, or a greater limit in maui.cfg",
		idle ? "the start of jobs of the same before it" : "the end of any of these jobs");
	facts = json_make_object();
	why_fact_time(facts, "time", end);
	if (end)
		why_add(why, WHY_WHEN, "limit", facts,
			"the first of the jobs that you see ends by %s", why_time(end, time));
	else
		why_add(why, WHY_WHEN, "limit", facts, "when one of them ends is not known");
}

/* ---- what stands against the job ------------------------------------------------------------ */

/*
 * A limit on a single job, or one that it exceeds by itself: it stays over it whichever jobs end.
 */
static bool is_larger(struct json_object *limit)
{
	return !strcmp(member_text(limit, "mode"), "system") ||
	       member_integer(limit, "request") > member_integer(limit, "limit");
}

/* " processors", ...; "" for jobs. */
static void unit_text(enum maui_limit_metric metric, int64_t count, char *text, size_t size)
{
	const struct maui_limit_metric_info *info;

	*text = '\0';
	if (metric == MAUI_LIMIT_ALL_METRICS)
		return;
	info = maui_limit_metric_info(metric);
	snprintf(text, size, "%s%s", *info->one ? " " : "",
		 why_plural(count, info->one, info->many));
}

static void add_never(struct why *why, struct json_object *limit, bool soft)
{
	bool idle = !strcmp(member_text(limit, "mode"), "idle");
	int64_t most = member_integer(limit, "limit");
	char unit[40];

	unit_text(limit_metric(limit), most, unit, sizeof(unit));
	why_add(why, WHY_FREES, "limit", NULL,
		"a request of at most %" PRId64
		"%s, or a greater limit in maui.cfg: other jobs do not matter",
		most, unit);
	if (soft)
		why_add(why, WHY_WHEN, "limit", NULL,
			"never within this limit: it asks for more than that by itself");
	else
		why_add(why, WHY_WHEN, "limit", NULL,
			"never under this limit: it asks for more than that by itself%s",
			idle ? ", and is not eligible" : "");
}

/* Of a limit with values of periods, until when this one is in force. */
static void add_period(struct why *why, struct json_object *limit)
{
	const char *period = member_text(limit, "period");
	int64_t until = member_integer(limit, "until");
	struct json_object *facts;
	char time[TEXT_DATE_SIZE];

	if (!until)
		return;
	facts = json_make_object();
	json_set_same(facts, limit, "period");
	why_fact_time(facts, "time", until);
	if (*period)
		why_add(why, WHY_WHEN, "limit-period", facts,
			"the limit is that of the period %s, until %s", period,
			why_time(until, time));
	else
		why_add(why, WHY_WHEN, "limit-period", facts,
			"the limit may be another one at %s, when a period of maui.cfg begins",
			why_time(until, time));
}

/* As in the engine's answer, which has it only of a uid or gid without a name. */
static void set_unnamed(struct json_object *facts, struct json_object *told, const char *name)
{
	if (member_flag(told, name))
		json_set_flag(facts, name, true);
}

static void add_limit(struct why *why)
{
	struct json_object *limit = member_object(why->blocked, "limit"),
			   *facts = json_make_object();
	static const char *const members[] = {"name",    "mode",        "metric", "gres",  "type",
					      "holder",  "second_type", "second", "limit", "usage",
					      "request", "period",      "until"};
	bool soft = !strcmp(member_text(why->blocked, "level"), "soft");

	for (size_t i = 0; i < sizeof(members) / sizeof(*members); i++)
		json_set_same(facts, limit, members[i]);
	set_unnamed(facts, limit, "holder_unnamed");
	set_unnamed(facts, limit, "second_unnamed");
	json_set_same(facts, why->blocked, "level");
	json_set_flag(facts, "never", is_larger(limit));
	why_add(why, WHY_CAUSE, "limit", facts, "%s", member_text(why->blocked, "text"));
	if (soft)
		why_add(why, WHY_FREES, "soft-limit", NULL,
			"nodes that the jobs within their soft limits leave: it may start on them");
	add_period(why, limit);
	if (is_larger(limit))
		add_never(why, limit, soft);
	else
		add_users(why, limit);
}

static void add_cap(struct why *why)
{
	static const char *const members[] = {"type",  "name",    "mode", "cap",
					      "usage", "request", "until"};
	struct json_object *facts = json_make_object();
	int64_t until = member_integer(why->cap, "until");
	bool never = !strcmp(member_text(why->cap, "mode"), "cap-ps") &&
		     member_integer(why->cap, "request") > member_integer(why->cap, "cap");
	char time[TEXT_DATE_SIZE];

	for (size_t i = 0; i < sizeof(members) / sizeof(*members); i++)
		json_set_same(facts, why->cap, members[i]);
	set_unnamed(facts, why->cap, "unnamed");
	why_add(why, WHY_CAUSE, "fairshare-cap", facts, "%s", member_text(why->blocked, "text"));
	why_add(why, WHY_FREES, "fairshare-cap", NULL,
		"%sa smaller request, or another cap in maui.cfg",
		never ? "" : "less in use within the windows of fairshare, ");
	facts = json_make_object();
	why_fact_time(facts, "time", until);
	if (never)
		why_add(why, WHY_WHEN, "fairshare-cap", facts,
			"never under this cap: it asks for more than that by itself");
	else if (until)
		why_add(why, WHY_WHEN, "fairshare-cap", facts,
			"from the window on that begins at %s, if nobody uses anything meanwhile",
			why_time(until, time));
	else
		why_add(why, WHY_WHEN, "fairshare-cap", facts, "%s",
			why->cap ? "never by time alone" : "not known");
}

static void add_qos(struct why *why)
{
	struct json_object *facts = json_make_object();

	json_set_same(facts, why->job, "qos");
	why_add(why, WHY_CAUSE, "qos", facts, "%s", member_text(why->blocked, "text"));
	why_add(why, WHY_FREES, "qos", NULL,
		"another QOS (`scontrol update job=%s qos=...`), or another QLIST in maui.cfg",
		member_text(why->job, "id"));
	why_add(why, WHY_WHEN, "qos", NULL, "never, as it is");
}

/* Without the engine: the text that it left in the job's record. */
static void add_text_alone(struct why *why)
{
	const char *reason = member_text(why->job, "reason"),
		   *text = member_text(why->job, "description");
	bool ours = !strcmp(reason, "BlockMaxError") || (!strcmp(reason, "JobHoldMaxRequeue") &&
							 member_integer(why->job, "priority") > 0);
	const char *kind = strstr(text, "FSTARGET cap") ? "fairshare-cap"
			   : strstr(text, " limit of ") ? "limit"
							: "policy";

	if (!ours || !*text || why->blocked)
		return;
	why_add(why, WHY_CAUSE, kind, NULL, "%s", text);
	why_add(why, WHY_WHEN, kind, NULL, "not known: the engine did not say more");
}

void why_limit(struct why *why)
{
	const char *kind = member_text(why->blocked, "kind");

	if (!strcmp(kind, "limit"))
		add_limit(why);
	else if (!strcmp(kind, "fairshare-cap"))
		add_cap(why);
	else if (!strcmp(kind, "qos"))
		add_qos(why);
	else if (!strcmp(kind, "unknown"))
		why_add(why, WHY_CAUSE, "unknown", NULL, "%s", member_text(why->blocked, "text"));
	else
		add_text_alone(why);
}
