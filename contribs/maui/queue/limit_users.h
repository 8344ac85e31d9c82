/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which jobs of a maui.queue/1 use up a limit. */
#ifndef MAUI_LIMIT_USERS_H
#define MAUI_LIMIT_USERS_H

#include <stdbool.h>

#include <json-c/json.h>

#include "common/policy/limits/limits_metric.h"
#include "contribs/maui/queue/job_owner.h"
#include "contribs/maui/queue/queue_sorted.h"

/* Whose limit it is. */
struct limit_holder {
	const char *type, *name; /* type: of credential, or "system" */
	struct job_owner owner;  /* of a user or group */
};

/* Of the queue's jobs; unnamed: the name is a number without one. */
struct limit_holder limit_holder(struct json_object *jobs, const char *type, const char *name,
				 bool unnamed);

/* Whether a limit of this holder counts a job. */
bool limit_counts_for(struct json_object *job, const struct limit_holder *holder);

/* Of a limit as the engine reports it; MAUI_LIMIT_ALL_METRICS: unknown here. */
enum maui_limit_metric limit_metric(struct json_object *limit);

/*
 * limit: "metric", of GRES "gres", "mode" (active or idle), "type", "holder" and, of a pair,
 * "second_type" and "second"; "holder_unnamed" and "second_unnamed" as the engine has them. An array
 * with "id", "number", "user", "state", "amount" (in the metric; for PE their processors) and "end"
 * of each job, the largest amount first. An idle limit counts waiting jobs, but not except (NULL:
 * all), others active ones. The caller puts it.
 */
struct json_object *limit_users(const struct queue_sorted *sorted, struct json_object *limit,
				struct json_object *except);

#endif
