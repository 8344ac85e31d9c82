/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A few questions about jobs and nodes of the queue. */
#include "contribs/maui/why/why.h"

#include "common/util/slurm/hostlist.h"
#include "common/report/json.h"
#include "contribs/maui/lib/output.h"

static int why_queue_take(void *context, const char *name)
{
	json_set_flag(context, name, true);
	return 0;
}

struct json_object *why_node_set(const char *expression)
{
	struct json_object *set = json_make_object();
	struct maui_error why;

	if (*expression)
		maui_hostlist_expand(expression, why_queue_take, set, NULL, NULL, &why);
	return set;
}

bool why_in_set(struct json_object *set, const char *name)
{
	struct json_object *value;

	return json_object_is_type(set, json_type_object) &&
	       json_object_object_get_ex(set, name, &value);
}

int64_t why_walltime(struct json_object *job, struct json_object *partition)
{
	int64_t limit = member_integer(job, "time_limit");

	if (limit <= 0)
		limit = member_integer(partition, "default_time");
	if (limit <= 0)
		limit = member_integer(partition, "max_time");
	return limit > 0 ? limit : INT64_MAX;
}
