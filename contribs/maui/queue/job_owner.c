/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compares `user` and `uid`, or `group` and `gid`, of job records with a name;
 * digits are a name if a record has them as one.
 */
#include "contribs/maui/queue/job_owner.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "common/util/principal_text.h"
#include "contribs/maui/lib/output.h"

static bool has_number(const struct job_owner *owner, struct json_object *job)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRId64, member_integer(job, owner->number));
	return !strcmp(text, owner->name);
}

static bool has_name(const struct job_owner *owner, struct json_object *job)
{
	return !strcmp(member_text(job, owner->member), owner->name);
}

/* Whether a job's owner has the name, and not the number of these digits. */
static bool is_name(const struct job_owner *owner, struct json_object *jobs)
{
	for (size_t i = 0; i < array_size(jobs); i++) {
		struct json_object *job = json_object_array_get_idx(jobs, i);

		if (has_name(owner, job) && !has_number(owner, job))
			return true;
	}
	return false;
}

static struct job_owner make_owner(const char *type, const char *name)
{
	return (struct job_owner){
		.member = type, .number = !strcmp(type, "user") ? "uid" : "gid", .name = name};
}

struct job_owner job_owner_asked(struct json_object *jobs, const char *type, const char *name)
{
	struct job_owner owner = make_owner(type, name);

	owner.by = is_name(&owner, jobs) ? JOB_OWNER_NAME : JOB_OWNER_NUMBER;
	return owner;
}

struct job_owner job_owner_reported(struct json_object *jobs, const char *type, const char *name,
				    bool unnamed)
{
	struct job_owner owner = make_owner(type, name);
	uint32_t number;

	if (unnamed)
		owner.by = JOB_OWNER_NUMBER;
	else if (maui_principal_number(name, &number) && is_name(&owner, jobs))
		owner.by = JOB_OWNER_NAME;
	return owner;
}

bool job_owner_has(const struct job_owner *owner, struct json_object *job)
{
	switch (owner->by) {
	case JOB_OWNER_NAME:
		return has_name(owner, job) && !has_number(owner, job);
	case JOB_OWNER_NUMBER:
		return has_number(owner, job);
	case JOB_OWNER_ANY:
		break;
	}
	return !strcasecmp(member_text(job, owner->member), owner->name);
}
