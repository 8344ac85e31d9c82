/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Users and groups of jobs in a maui.queue/1. A number without a name is shown as its digits, which
 * another user or group may have as a name. */
#ifndef MAUI_JOB_OWNER_H
#define MAUI_JOB_OWNER_H

#include <stdbool.h>

#include <json-c/json.h>

struct job_owner {
	const char *member, *number; /* of a job's record: "user", "uid" */
	const char *name;
	enum {
		JOB_OWNER_ANY,    /* the name: only one owner of these jobs is shown so */
		JOB_OWNER_NAME,   /* the name, but not the number of these digits */
		JOB_OWNER_NUMBER, /* the number of these digits */
	} by;
};

/* Whom a caller asks for; type: "user" or "group". Digits are a name if one of the jobs has it, else
 * a number. */
struct job_owner job_owner_asked(struct json_object *jobs, const char *type, const char *name);

/* Whom the engine reports; unnamed: a number without a name. */
struct job_owner job_owner_reported(struct json_object *jobs, const char *type, const char *name,
				    bool unnamed);

bool job_owner_has(const struct job_owner *owner, struct json_object *job);

#endif
