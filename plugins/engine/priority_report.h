/* SPDX-License-Identifier: GPL-2.0-or-later */
/* diagnose-priority: the jobs of a snapshot with every term of their priorities, for one asking user. */
#ifndef MAUI_ENGINE_PRIORITY_REPORT_H
#define MAUI_ENGINE_PRIORITY_REPORT_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "plugins/engine/snapshot.h"

struct priority_filter {
	uid_t uid;             /* who asks */
	bool sees_all;         /* PrivateData does not bind root, SlurmUser and ADMIN1..3 */
	const char *partition; /* NULL: all */
	bool by_user;
	uint32_t user;
	uint32_t *jobs; /* sorted; NULL: all */
	size_t job_count;
};

/* From a request's arguments; NULL, or what is wrong with them. */
const char *priority_filter_read(struct json_object *arguments, struct priority_filter *filter);
/* Whether the partition asked for, if any, is one that Slurm has had since the engine started. */
bool priority_filter_applies(const struct priority_filter *filter, const struct snapshot *snapshot);
void priority_filter_clear(struct priority_filter *filter);

/* The answer's data. NULL when memory is short. */
struct json_object *priority_report(const struct snapshot *snapshot,
				    const struct priority_filter *filter);

#endif
