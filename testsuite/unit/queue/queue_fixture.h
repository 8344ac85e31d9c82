/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A queue under lines of maui.cfg: running and waiting jobs, written as texts. The machine knows
 * the users alice, bob and carol as 1003, 1002 and 1001, and the group staff as 100. */
#ifndef MAUI_UNIT_QUEUE_FIXTURE_H
#define MAUI_UNIT_QUEUE_FIXTURE_H

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/policy/policy.h"
#include "common/queue/judge.h"
#include "common/queue/names.h"
#include "common/queue/principals.h"

#define NOW         INT64_C(1700000000)
#define MAX_RUNNING 8

struct queue_fixture {
	struct maui_policy *policy;
	struct maui_principals *principals;
	struct maui_names *names;
	struct maui_snapshot *snapshot;
	struct maui_limits *limits;
	struct maui_qos_access *qos;
	struct maui_limit_usage *usage;
	struct maui_limit_holding running[MAX_RUNNING];
	size_t running_count;
	struct maui_fairshare *windows;
	struct maui_judgement judgement;
};

static inline enum maui_answer queue_number(void *context, enum maui_credential type,
					    const char *name, uint32_t *ret_number)
{
	static const char *const users[] = {"alice", "bob", "carol"};

	(void)context;
	for (uint32_t i = 0; type == MAUI_USER && i < 3; i++)
		if (!strcmp(name, users[i])) {
			*ret_number = 1003 - i;
			return MAUI_ANSWER_FOUND;
		}
	if (type != MAUI_GROUP || strcmp(name, "staff") != 0)
		return MAUI_ANSWER_NONE;
	*ret_number = 100;
	return MAUI_ANSWER_FOUND;
}

static inline uint32_t queue_id(void *context, enum maui_credential type, const char *name)
{
	return maui_names_of_configured(context, type, name);
}

static inline struct maui_policy *queue_policy(const char *lines)
{
	struct maui_error error = {""};
	struct maui_policy *policy = NULL;

	cr_assert_eq(maui_policy_of_text("maui.cfg", lines, strlen(lines), NOW, &policy, &error), 0,
		     "%s: %s", lines, error.text);
	return policy;
}

static inline struct maui_principals *queue_principals(struct maui_config *config)
{
	return maui_principals_new(config,
				   &(struct maui_principals_service){.number = queue_number});
}

static inline void queue_open(struct queue_fixture *queue, const char *lines)
{
	struct maui_limit_names names;

	memset(queue, 0, sizeof(*queue));
	queue->policy = queue_policy(lines);
	queue->principals = queue_principals(queue->policy->config);
	queue->names = maui_names_new();
	cr_assert(queue->principals && queue->names);
	maui_names_bind(queue->names, queue->policy, queue->principals);
	names = (struct maui_limit_names){queue_id, queue->names};
	queue->limits = maui_limits_compile(queue->policy->config, &names, 0);
	queue->qos = maui_qos_access_compile(queue->policy->config, &names);
	queue->usage = maui_limit_usage_new(queue->limits, NOW);
	queue->snapshot = maui_snapshot_new(queue->policy, 1);
	cr_assert(queue->usage && queue->snapshot);
	queue->snapshot->time = NOW;
}

static inline void queue_close(struct queue_fixture *queue)
{
	maui_judge_clear(&queue->judgement);
	maui_limit_usage_free(queue->usage);
	maui_limits_free(queue->limits);
	maui_qos_access_free(queue->qos);
	maui_fairshare_free(queue->windows);
	maui_snapshot_unref(queue->snapshot);
	maui_names_free(queue->names);
	maui_principals_free(queue->principals);
	maui_policy_unref(queue->policy);
}

/* With one processor and node, 1 PE, one hour. "user account qos class", "-" for none. */
static inline struct maui_priority_job queue_job(struct queue_fixture *queue, const char *who)
{
	struct maui_priority_job job = {
		.procs = 1, .nodes = 1, .pe = 1, .walltime = 3600, .queued_since = NOW};
	char name[4][16];
	uint32_t number;

	cr_assert_eq(sscanf(who, "%15s %15s %15s %15s", name[0], name[1], name[2], name[3]), 4,
		     "%s", who);
	cr_assert_eq(queue_number(NULL, MAUI_USER, name[0], &number), MAUI_ANSWER_FOUND, "%s", who);
	job.credential[MAUI_USER] = maui_names_of_number(queue->names, MAUI_USER, number);
	job.credential[MAUI_GROUP] = maui_names_of_number(queue->names, MAUI_GROUP, 100);
	if (strcmp(name[1], "-") != 0)
		job.credential[MAUI_ACCOUNT] =
			maui_names_of_text(queue->names, MAUI_ACCOUNT, name[1]);
	if (strcmp(name[2], "-") != 0)
		job.credential[MAUI_QOS] = maui_names_of_text(queue->names, MAUI_QOS, name[2]);
	if (strcmp(name[3], "-") != 0)
		job.credential[MAUI_CLASS] = maui_names_of_text(queue->names, MAUI_CLASS, name[3]);
	return job;
}

/* It runs from NOW on. */
static inline void queue_run(struct queue_fixture *queue, const char *who)
{
	struct maui_priority_job row = queue_job(queue, who);
	struct maui_limit_job job = maui_limit_job_of(&row);

	cr_assert_lt(queue->running_count, MAX_RUNNING);
	cr_assert_eq(maui_limit_usage_add(queue->usage, &queue->running[queue->running_count++],
					  &job, NOW + job.walltime),
		     0);
}

/*
 * One row of a job in one partition; valid until the next one. Rows of one job are adjacent, each
 * with its position.
 */
static inline struct maui_snapshot_row *queue_add(struct queue_fixture *queue, uint32_t job_id,
						  uint32_t priority, const char *who)
{
	size_t at = maui_snapshot_add(queue->snapshot);
	struct maui_snapshot_row *row;

	cr_assert_geq(at, 0);
	row = &queue->snapshot->rows[at];
	*row = (struct maui_snapshot_row){.job_id = job_id,
					  .array_task_id = MAUI_NO_TASK,
					  .parts = 1,
					  .priority = priority,
					  .submitted = NOW};
	queue->snapshot->jobs[at] = queue_job(queue, who);
	return row;
}

static inline const struct maui_limit_job *
queue_got(const void *context, const struct maui_snapshot *snapshot, size_t first, size_t row)
{
	(void)context;
	(void)snapshot;
	(void)first;
	(void)row;
	return NULL;
}

static inline void queue_judge(struct queue_fixture *queue)
{
	struct maui_judgement *judgement = &queue->judgement;

	maui_names_freeze(queue->names, &queue->snapshot->names);
	judgement->snapshot = queue->snapshot;
	judgement->rules = (struct maui_judge_rules){.limits = queue->limits,
						     .usage = queue->usage,
						     .windows = queue->windows,
						     .qos = queue->qos};
	maui_judge_list(judgement);
	maui_judge_ask(judgement, 0, judgement->count, queue_got, NULL);
	cr_assert_eq(maui_judge_all(judgement), 0);
}

/*
 * "1 free; 2 blocked: MAXJOB limit of 1 ...; 3 second 4: ...", in snapshot order, with what a job
 * over a soft limit is demoted to.
 */
static inline const char *queue_verdicts(const struct queue_fixture *queue, char *text, size_t size)
{
	static const char *const words[] = {
		[MAUI_STANDING_FREE] = "free",
		[MAUI_STANDING_SECOND] = "second",
		[MAUI_STANDING_BLOCKED] = "blocked",
	};
	const struct maui_judgement *judgement = &queue->judgement;
	char why[MAUI_REFUSAL_TEXT_SIZE];
	size_t used = 0;

	*text = '\0';
	for (size_t i = 0; i < judgement->count; i++) {
		const struct maui_waiting *job = &judgement->jobs[i];
		char number[16] = "";

		if (job->demoted)
			snprintf(number, sizeof(number), " %u", job->demoted);
		maui_refusal_text(job->refusal, queue->names, why);
		used += (size_t)snprintf(text + used, size - used, "%s%u %s%s%s%s", i ? "; " : "",
					 queue->snapshot->rows[job->first].job_id,
					 words[job->standing], number, *why ? ": " : "", why);
		cr_assert_lt(used, size);
	}
	return text;
}

#endif
