/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs that the job waits for, as Slurm writes them:
 * afterok:17(unfulfilled),afterany:18_*(failed)?singleton(unfulfilled). */
#include "contribs/maui/why/why.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/util/list.h"
#include "common/util/slurm/task_list.h"
#include "common/report/json.h"
#include "contribs/maui/lib/output.h"
#include "contribs/maui/queue/queue.h"

#define NAME_SIZE 64

static void copy_part(const char *text, size_t length, char name[NAME_SIZE])
{
	snprintf(name, NAME_SIZE, "%.*s", (int)(length < NAME_SIZE ? length : NAME_SIZE - 1), text);
}

/* A job's name of "17", "17+5" (minutes), "18_*", "18_3". */
static void name_of(const char *text, char name[NAME_SIZE])
{
	size_t end = strcspn(text, "*+");

	copy_part(text, end, name);
	end = strlen(name);
	if (end && name[end - 1] == '_')
		name[end - 1] = '\0';
}

/* ---- an array: all of its tasks count ------------------------------------------------------- */

enum task_state {
	TASK_COMPLETED,
	TASK_FAILED,
	TASK_RUNS,
	TASK_WAITS,
	TASK_STATES,
};

static enum task_state task_state(struct json_object *job)
{
	if (queue_job_is_pending(job))
		return TASK_WAITS;
	if (queue_job_is_active(job))
		return TASK_RUNS;
	return strcmp(member_text(job, "state"), "COMPLETED") != 0 ? TASK_FAILED : TASK_COMPLETED;
}

/* {"total", "completed", "failed", "running", "waiting", "first_failed"} of those that Slurm has
 * not forgotten; NULL: it is no array. */
static struct json_object *tasks_of(struct why *why, const char *name)
{
	static const char *const members[TASK_STATES] = {"completed", "failed", "running",
							 "waiting"};
	struct json_object *jobs = member_array(why->queue, "jobs"), *facts;
	int64_t counts[TASK_STATES] = {0}, total = 0;
	const char *failed = NULL;

	for (size_t i = 0; i < array_size(jobs); i++) {
		struct json_object *job = json_object_array_get_idx(jobs, i);
		enum task_state state = task_state(job);
		int64_t count = maui_task_list_count(member_text(job, "array_tasks"), INT32_MAX);

		if (member_integer(job, "array_job") <= 0 || !queue_job_is(job, name))
			continue;
		counts[state] += count ? count : 1;
		total += count ? count : 1;
		if (state == TASK_FAILED && !failed)
			failed = member_text(job, "id");
	}
	if (!total)
		return NULL;
	facts = json_make_object();
	json_set_number(facts, "total", total);
	for (size_t i = 0; i < TASK_STATES; i++)
		json_set_number(facts, members[i], counts[i]);
	json_set_text(facts, "first_failed", failed);
	return facts;
}

/* "of 20 tasks of 17: 18 completed, 1 failed (17_4), 1 runs" */
static void add_tasks(struct json_object *tasks, const char *job, char *text, size_t size)
{
	static const struct {
		const char *member, *one, *many;
	} words[] = {
		{"completed", "completed", "completed"},
		{"failed", "failed", "failed"},
		{"running", "runs", "run"},
		{"waiting", "waits", "wait"},
	};
	const char *failed = member_text(tasks, "first_failed"), *between = ": ";
	int64_t total = member_integer(tasks, "total");

	why_append(text, size, " of %" PRId64 " task%s of %s", total, total == 1 ? "" : "s", job);
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		int64_t count = member_integer(tasks, words[i].member);

		if (!count)
			continue;
		why_append(text, size, "%s%" PRId64 " %s", between, count,
			   count == 1 ? words[i].one : words[i].many);
		if (!strcmp(words[i].member, "failed"))
			why_append(text, size, count == 1 ? " (%s)" : " (such as %s)", failed);
		between = ", ";
	}
}

/* ---- one dependency ------------------------------------------------------------------------- */

/* {"type", "job", "tasks", "condition", "state", "user", "end"} of one: type[:job](condition). */
static struct json_object *why_dependency_facts(struct why *why, const char *text, size_t length)
{
	struct json_object *facts = json_make_object(), *job;
	char whole[NAME_SIZE], name[NAME_SIZE], base[NAME_SIZE];
	size_t type, open;

	copy_part(text, length, whole);
	type = strcspn(whole, ":(");
	open = strcspn(whole, "(");
	copy_part(whole, type, name);
	why_fact_text(facts, "type", name);
	copy_part(whole + type + (type < open), open - type - (type < open), name);
	why_fact_text(facts, "job", name);
	name_of(name, base);
	job = *base ? queue_job(why->queue, base) : NULL;
	json_set(facts, "tasks", !job || strpbrk(base, "_+") ? NULL : tasks_of(why, base));
	copy_part(whole + open + !!whole[open], strcspn(whole + open + !!whole[open], ")"), name);
	why_fact_text(facts, "condition", name);
	json_set_same(facts, job, "state");
	json_set_same(facts, job, "user");
	why_fact_time(facts, "end",
		      job && queue_job_is_active(job) && !member_object(facts, "tasks")
			      ? member_integer(job, "end")
			      : 0);
	return facts;
}

static struct json_object *why_dependency_list(struct why *why, const char *text)
{
	struct json_object *list = json_make_array();
	struct maui_item item;

	while (maui_list_next(&text, ",?", &item))
		if (item.size)
			json_append(list, why_dependency_facts(why, item.text, item.size));
	return list;
}

/* "afterok job 17 (RUNNING until ...)"; Slurm forgets jobs that ended some minutes ago. */
static void add_text(struct json_object *one, char *text, size_t size)
{
	const char *state = member_text(one, "state"), *job = member_text(one, "job");
	const char *condition = member_text(one, "condition");
	struct json_object *tasks = member_object(one, "tasks");
	int64_t end = member_integer(one, "end");
	char time[TEXT_DATE_SIZE], base[NAME_SIZE];

	if (tasks) {
		name_of(job, base);
		why_append(text, size, "%s", member_text(one, "type"));
		add_tasks(tasks, base, text, size);
		return; /* the condition is that of one of them */
	}
	why_append(text, size, "%s%s%s", member_text(one, "type"), *job ? " of job " : "", job);
	if (*state && end)
		why_append(text, size, " (%s, at most until %s)", state, why_time(end, time));
	else if (*state)
		why_append(text, size, " (%s)", state);
	else if (*job)
		why_append(text, size, " (no longer known, or not yours to see)");
	if (*condition && strcmp(condition, "unfulfilled") != 0)
		why_append(text, size, ", %s", condition);
}

static void add_end(struct why *why, struct json_object *list)
{
	struct json_object *facts;
	int64_t latest = 0;
	bool known = true;
	char time[TEXT_DATE_SIZE];

	for (size_t i = 0; i < array_size(list); i++) {
		int64_t end = member_integer(json_object_array_get_idx(list, i), "end");

		known &= end > 0;
		latest = end > latest ? end : latest;
	}
	if (!known || !latest) {
		why_add(why, WHY_WHEN, "dependency", NULL, "when these jobs end is not known");
		return;
	}
	facts = json_make_object();
	why_fact_time(facts, "time", latest);
	why_add(why, WHY_WHEN, "dependency", facts,
		"the jobs that it depends on end by %s, their time limits", why_time(latest, time));
}

static bool any_failed(struct json_object *list)
{
	for (size_t i = 0; i < array_size(list); i++)
		if (!strcmp(member_text(json_object_array_get_idx(list, i), "condition"), "failed"))
			return true;
	return false;
}

void why_dependency(struct why *why)
{
	const char *dependency = member_text(why->job, "dependency"),
		   *reason = member_text(why->job, "reason"), *id = member_text(why->job, "id");
	bool never = !strcmp(reason, "DependencyNeverSatisfied");
	struct json_object *facts, *list;
	char text[900] = "";

	if (!never && strcmp(reason, "Dependency") != 0 && !*dependency)
		return;
	facts = json_make_object();
	list = why_dependency_list(why, dependency);
	never |= any_failed(list) && !strchr(dependency, '?');
	for (size_t i = 0; i < array_size(list); i++) {
		why_append(text, sizeof(text), "%s",
			   i ? strchr(dependency, '?') ? " or " : ", " : "");
		add_text(json_object_array_get_idx(list, i), text, sizeof(text));
	}
	json_set_flag(facts, "never", never);
	json_set(facts, "jobs", list);
	why_add(why, WHY_CAUSE, "dependency", facts, "it depends on %s%s",
		*text ? text : "other jobs", never ? ": that will never be" : "");
	if (never) {
		why_add(why, WHY_FREES, "dependency", NULL,
			"nothing that happens by itself: `scontrol update job=%s dependency=` or "
			"`scancel %s`",
			id, id);
		why_add(why, WHY_WHEN, "dependency", NULL, "never, as it is");
		return;
	}
	why_add(why, WHY_FREES, "dependency", NULL, "the jobs that it depends on");
	add_end(why, list);
}
