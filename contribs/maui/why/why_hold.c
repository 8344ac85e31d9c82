/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Holds, and the begin time: what the job's own record says. */
#include "contribs/maui/why/why.h"

#include <string.h>

#include "common/report/json.h"
#include "contribs/maui/lib/output.h"

/* A job that a limit refuses has these reasons with a text, and no priority for a moment. */
static bool is_refused(struct json_object *job)
{
	const char *reason = member_text(job, "reason");

	return !strcmp(reason, "BlockMaxError") || !strcmp(reason, "JobHoldMaxRequeue");
}

static const char *kind_of(const struct why *why)
{
	const char *reason = member_text(why->job, "reason"),
		   *kind = member_text(why->blocked, "kind");

	if (!strcmp(kind, "negative-priority"))
		return kind;
	if (!strcmp(reason, "JobHeldUser"))
		return "user-hold";
	if (!strcmp(reason, "JobHeldAdmin"))
		return "system-hold";
	if (member_integer(why->job, "priority") > 0)
		return NULL;
	/* With priority 0 it is Slurm's own: too many requeues. */
	if (!is_refused(why->job) || (!*kind && !strcmp(reason, "JobHoldMaxRequeue")))
		return !strcmp(kind, "user-hold") ? kind : "system-hold";
	return NULL;
}

static void add_hold(struct why *why, const char *kind)
{
	struct json_object *facts = json_make_object();
	const char *user = member_text(why->job, "user"), *id = member_text(why->job, "id");
	const char *description = member_text(why->job, "description");
	bool by_user = !strcmp(kind, "user-hold");

	why_fact_text(facts, "holder", by_user ? user : NULL);
	json_set_same(facts, why->job, "description");
	if (!strcmp(kind, "negative-priority")) {
		why_add(why, WHY_CAUSE, kind, facts, "%s",
			*description ? description
				     : "held for its negative priority: REJECTNEGPRIOJOBS");
		why_add(why, WHY_FREES, kind, NULL,
			"a priority that is not negative: `maui priority %s` has its terms", id);
		return;
	}
	if (by_user)
		why_add(why, WHY_CAUSE, kind, facts, "held by its user, %s", user);
	else
		why_add(why, WHY_CAUSE, kind, facts, "held by an administrator or by Slurm%s%s",
			*description ? ": " : "", description);
	why_add(why, WHY_FREES, kind, NULL, "`scontrol release %s`, by %s", id,
		by_user ? "its user or an administrator" : "an administrator");
	why_add(why, WHY_WHEN, kind, NULL, "not known: whoever holds it decides");
}

void why_hold(struct why *why)
{
	const char *kind = kind_of(why);

	if (kind)
		add_hold(why, kind);
}

void why_begin(struct why *why)
{
	int64_t begin = member_integer(why->job, "eligible");
	struct json_object *facts;
	char text[TEXT_DATE_SIZE];

	if (begin <= why->now)
		begin = member_integer(why->blocked, "begin");
	if (begin <= why->now)
		return;
	facts = json_make_object();
	why_fact_time(facts, "begin", begin);
	why_add(why, WHY_CAUSE, "begin-time", facts, "it begins at %s or later, as it was asked to",
		why_time(begin, text));
	why_add(why, WHY_FREES, "begin-time", NULL, "its begin time");
	facts = json_make_object();
	why_fact_time(facts, "time", begin);
	why_add(why, WHY_WHEN, "begin-time", facts, "not before %s", text);
}
