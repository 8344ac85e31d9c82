/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Derives Maui's state, times and message of a job from Slurm's state, flags
 * and reason, and from its row in diagnose-blocked.
 */
#include "contribs/maui/queue/job_facts.h"

#include <stdio.h>
#include <string.h>

#include "common/util/list.h"
#include "common/report/json.h"
#include "contribs/maui/lib/output.h"
#include "contribs/maui/lib/text.h"
#include "contribs/maui/queue/machine_use.h"

const char *job_name(const struct job_facts *facts)
{
	return member_text(facts->job, "id");
}

bool job_has_flag(struct json_object *job, const char *flag)
{
	return has_text(member_array(job, "flags"), flag);
}

bool job_is_in(struct json_object *job, const char *partition)
{
	return maui_list_has(member_text(job, "partition"), partition);
}

/* ---- why a job may not start: what Slurm says ------------------------------------------------ */

struct word {
	const char *reason, *kind;
};

static const char *find_word(const struct word *words, const char *reason)
{
	for (; words->reason; words++)
		if (!strcmp(words->reason, reason))
			return words->kind;
	return NULL;
}

/* Who holds it. */
static const char *hold_kind(struct json_object *job)
{
	static const struct word words[] = {
		{"JobHeldUser", "user-hold"},         {"BadConstraints", "batch-hold"},
		{"JobHoldMaxRequeue", "batch-hold"},  {"JobLaunchFailure", "batch-hold"},
		{"ReservationDeleted", "batch-hold"}, {NULL, NULL},
	};
	const char *kind = find_word(words, member_text(job, "reason"));

	if (job_has_flag(job, "SPECIAL_EXIT") || job_has_flag(job, "REQUEUE_HOLD"))
		return "batch-hold";
	return kind ? kind : "system-hold";
}

/* Reasons with these prefixes are limits of associations, of QOS, and of QOS for accounts. */
static bool is_limit(const char *reason)
{
	static const char *const prefixes[] = {"Assoc", "QOS", "Max"};

	for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++)
		if (!strncmp(reason, prefixes[i], strlen(prefixes[i])))
			return true;
	return false;
}

static const char *slurm_kind(struct json_object *job, int64_t now, bool judged)
{
	static const struct word words[] = {
		{"AccountNotAllowed", "limit"},
		{"AccountingPolicy", "limit"},
		{"DeadLine", "limit"},
		{"Dependency", "dependency"},
		{"DependencyNeverSatisfied", "dependency"},
		{"InvalidAccount", "limit"},
		{"InvalidQOS", "qos"},
		{"JobArrayTaskLimit", "limit"},
		{"PartitionConfig", "class"},
		{"PartitionDown", "class"},
		{"PartitionInactive", "class"},
		{"PartitionNodeLimit", "limit"},
		{"PartitionTimeLimit", "limit"},
		{"QOSNotAllowed", "qos"},
		{NULL, NULL},
	};
	/* The engine's marks on jobs that it holds back; its own answer is more precise. */
	static const struct word marks[] = {
		{"BlockMaxError", "limit"},
		{"JobHoldMaxRequeue", "limit"},
		{NULL, NULL},
	};
	const char *reason = member_text(job, "reason"), *kind;

	if (!member_integer(job, "priority"))
		return hold_kind(job);
	if (member_integer(job, "eligible") > now)
		return "begin-time";
	kind = find_word(words, reason);
	if (!kind && !judged)
		kind = find_word(marks, reason);
	return kind ? kind : is_limit(reason) ? "limit" : NULL;
}

static const char *blocked_kind(const struct job_facts *facts, int64_t now, bool judged)
{
	const char *kind = member_text(facts->blocked, "kind");

	if (!facts->blocked)
		return slurm_kind(facts->job, now, judged);
	if (!strcmp(kind, "system-hold"))
		return hold_kind(facts->job);
	return kind;
}

/* ---- the words ------------------------------------------------------------------------------- */

static const char *blocked_state(const struct job_facts *facts)
{
	static const struct word words[] = {
		{"batch-hold", "BatchHold"},
		{"negative-priority", "BatchHold"},
		{"system-hold", "SystemHold"},
		{"user-hold", "UserHold"},
		{NULL, NULL},
	};
	const char *state = find_word(words, facts->kind);

	if (!strcmp(facts->kind, "begin-time") && count_of(facts->job, "restarts"))
		return "Deferred"; /* Slurm delays what it has requeued */
	return state ? state : "Idle";
}

static const char *active_state(struct json_object *job)
{
	if (job_has_flag(job, "COMPLETING"))
		return "Completing";
	if (job_has_flag(job, "CONFIGURING"))
		return "Starting";
	if (job_has_flag(job, "STOPPED") || !strcmp(member_text(job, "state"), "SUSPENDED"))
		return "Suspended";
	return "Running";
}

static const char *final_state(const char *state)
{
	if (!strcmp(state, "COMPLETED"))
		return "Completed";
	return strcmp(state, "PREEMPTED") != 0 ? "Removed" : "Vacated";
}

static void read_phase(struct job_facts *facts, int64_t now, bool judged)
{
	const char *state = member_text(facts->job, "state");

	facts->kind = NULL;
	if (!strcmp(state, "RUNNING") || !strcmp(state, "SUSPENDED") ||
	    job_has_flag(facts->job, "COMPLETING")) {
		facts->phase = JOB_ACTIVE;
		facts->state = active_state(facts->job);
	} else if (strcmp(state, "PENDING") != 0) {
		facts->phase = JOB_OVER;
		facts->state = final_state(state);
	} else {
		facts->kind = blocked_kind(facts, now, judged);
		facts->phase = facts->kind ? JOB_BLOCKED : JOB_IDLE;
		facts->state = facts->kind ? blocked_state(facts) : "Idle";
	}
}

/* ---- times ----------------------------------------------------------------------------------- */

static int64_t job_facts_earlier(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* Since when it is eligible: as the engine says, otherwise as Slurm does. */
static int64_t eligible_since(const struct job_facts *facts, int64_t now)
{
	int64_t until = facts->phase == JOB_ACTIVE && facts->start ? facts->start : now;
	int64_t since = count_of(facts->priority, "queued_since");

	if (!since)
		since = count_of(facts->job, "accrue");
	if (!since)
		since = count_of(facts->job, "eligible");
	return since ? job_facts_earlier(since, until) : until;
}

static int64_t job_facts_remaining(const struct job_facts *facts)
{
	int64_t run = count_of(facts->job, "run_time");

	if (facts->limit == JOB_FOREVER)
		return JOB_FOREVER;
	return facts->limit > run ? facts->limit - run : 0;
}

void job_facts_read(struct job_facts *facts, int64_t now, bool judged)
{
	struct json_object *unused;
	bool limited = json_object_object_get_ex(facts->job, "time_limit", &unused) && unused;

	facts->procs = count_of(facts->job, "procs");
	facts->limit = limited ? count_of(facts->job, "time_limit") : JOB_FOREVER;
	facts->submit = count_of(facts->job, "submit");
	facts->start = count_of(facts->job, "start");
	facts->rank = count_of(facts->job, "priority");
	read_phase(facts, now, judged);
	facts->remaining = job_facts_remaining(facts);
	facts->since = eligible_since(facts, now);
	facts->reserved =
		facts->phase == JOB_ACTIVE || (facts->phase != JOB_OVER && facts->start &&
					       *member_text(facts->job, "scheduled_nodes"));
	if (facts->phase != JOB_ACTIVE && !facts->reserved && facts->phase != JOB_OVER)
		facts->start = 0;
}

bool job_waits(const struct job_facts *facts)
{
	return facts->phase == JOB_IDLE || facts->phase == JOB_BLOCKED;
}

double job_xfactor(const struct job_facts *facts, int64_t now)
{
	int64_t until = facts->phase == JOB_ACTIVE ? facts->start : now;

	if (facts->limit == JOB_FOREVER || !facts->limit || until < facts->since)
		return 1;
	return 1 + (double)(until - facts->since) / (double)facts->limit;
}

/* ---- the message ----------------------------------------------------------------------------- */

/* What follows a word, in Slurm's terms; "" nothing. */
static const char *job_facts_detail(const struct job_facts *facts, const char *word,
				    char text[TEXT_DATE_SIZE])
{
	const char *reason = member_text(facts->job, "description");

	if (!strncmp(word, "Hold", 4))
		return "";
	if (!strcmp(word, "ReleaseTime"))
		return text_date(member_integer(facts->job, "eligible"), "?", text);
	if (!*reason)
		reason = member_text(facts->job, "reason");
	if (!strcmp(reason, "DependencyNeverSatisfied"))
		return "it will never be satisfied";
	return strcmp(word, reason) != 0 ? reason : ""; /* Dependency */
}

const char *job_message(const struct job_facts *facts, char *buffer, size_t size)
{
	static const struct word words[] = {
		{"batch-hold", "Hold: Batch"},
		{"begin-time", "ReleaseTime"},
		{"class", "Class"},
		{"dependency", "Dependency"},
		{"negative-priority", "Hold: negative priority"},
		{"qos", "QOS"},
		{"system-hold", "Hold: System"},
		{"user-hold", "Hold: User"},
		{NULL, NULL},
	};
	const char *word = find_word(words, facts->kind ? facts->kind : "");
	const char *own = member_text(facts->blocked, "message"), *more;
	char date[TEXT_DATE_SIZE];

	if (!word)
		word = "Policy";
	/* The engine does not distinguish dependencies. */
	if (*own && strcmp(word, "Hold: Batch") != 0 &&
	    strcmp(member_text(facts->job, "reason"), "DependencyNeverSatisfied") != 0)
		return clean_copy(own, buffer, size);
	more = job_facts_detail(facts, word, date);
	snprintf(buffer, size, "cannot be selected  (%s%s%s)", word, *more ? ": " : "", more);
	clean_text(buffer);
	return buffer;
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void set_text(struct json_object *object, const char *name, const char *text)
{
	json_set_text(object, name, *text ? text : NULL);
}

static struct json_object *job_facts_span(int64_t seconds)
{
	return seconds == JOB_FOREVER ? NULL : json_make_number(seconds);
}

static struct json_object *job_facts_moment(int64_t when)
{
	return when ? json_make_number(when) : NULL;
}

static void set_texts(struct json_object *object, const struct job_facts *facts)
{
	static const char *const sections[] = {"over", "active", "idle", "blocked"};
	static const char *const copied[] = {"user", "group", "account", "qos", "partition"};
	char message[1024];

	set_text(object, "id", job_name(facts));
	json_set_number(object, "job", member_integer(facts->job, "job"));
	set_text(object, "section", sections[facts->phase]);
	set_text(object, "state", facts->state);
	for (size_t i = 0; i < sizeof(copied) / sizeof(copied[0]); i++)
		set_text(object, copied[i], member_text(facts->job, copied[i]));
	set_text(object, "slurm_state", member_text(facts->job, "state"));
	set_text(object, "slurm_reason", member_text(facts->job, "reason"));
	json_set_text(object, "kind", facts->kind);
	set_text(object, "message",
		 facts->kind ? job_message(facts, message, sizeof(message)) : "");
}

struct json_object *job_json(const struct job_facts *facts, int64_t now)
{
	struct json_object *object = json_make_object();

	set_texts(object, facts);
	json_set_number(object, "procs", facts->procs);
	json_set(object, "wclimit", job_facts_span(facts->limit));
	json_set(object, "remaining", job_facts_span(facts->remaining));
	json_set(object, "submit", job_facts_moment(facts->submit));
	json_set(object, "start", job_facts_moment(facts->start));
	json_set(object, "eligible_since", job_facts_moment(facts->since));
	json_set_real(object, "xfactor", job_xfactor(facts, now));
	json_set_number(object, "priority", facts->rank);
	json_set_flag(object, "reserved", facts->reserved);
	return object;
}
