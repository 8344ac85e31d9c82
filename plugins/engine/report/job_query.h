/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Queries about the jobs of a snapshot: which are asked for, which of them the asking user may see,
 * and how they are named. No lock is held. */
#ifndef MAUI_ENGINE_JOB_QUERY_H
#define MAUI_ENGINE_JOB_QUERY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/queue/snapshot.h"
#include "common/report/json.h"

struct job_query {
	uid_t uid;             /* who asks */
	bool sees_all;         /* PrivateData does not bind root, SlurmUser and ADMIN1..3 */
	const char *partition; /* NULL: all */
	bool by_user;
	uint32_t user;
	size_t unanswered; /* 1: user is the last number known of that name */
	uint32_t *jobs;    /* sorted; NULL: all */
	size_t job_count;
};

/* Reads a request's arguments. NULL, or what is wrong with them. */
const char *job_query_read(struct json_object *arguments, struct job_query *query);
/* Whether the partition asked for, if any, is one that Slurm has had since the engine started. */
bool job_query_applies(const struct job_query *query, const struct maui_snapshot *snapshot);
void job_query_clear(struct job_query *query);

/* Whether a row is asked for. */
bool job_query_asks_for(const struct maui_snapshot *snapshot, size_t at,
			const struct job_query *query);

/* PrivateData=jobs, as squeue and sprio apply it. The caller frees coordinator. */
struct job_privacy {
	bool applies;
	uid_t uid;
	signed char *coordinator; /* by account: 1 yes, -1 no, 0 not asked yet */
};
struct job_privacy job_privacy_for(const struct maui_snapshot *snapshot,
				   const struct job_query *query);
/* Whether a row may be seen. */
bool job_privacy_lets(struct job_privacy *privacy, const struct maui_snapshot *snapshot, size_t at);

/* Names of numbers, each looked up once per answer. */
struct job_labels {
	const struct maui_snapshot *snapshot;
	char **user, **group; /* by interned id; NULL: not asked yet. group NULL: not named */
	size_t unanswered;    /* as name_text() counts them */
};
struct job_labels job_labels_make(const struct maui_snapshot *snapshot, bool with_groups);
void job_labels_clear(struct job_labels *labels);

/* "job", "array" (17_3, 17_[1-9] or null), "user", "group", "account" and "qos" of a row. */
void job_json(struct json_object *object, struct job_labels *labels, size_t at);

#endif
