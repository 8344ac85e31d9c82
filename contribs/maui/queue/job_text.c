/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads partitions, features, memory and tasks from a job's record; memory per
 * CPU is multiplied by processors, other memory by nodes.
 */
#include "contribs/maui/queue/job_text.h"

#include <stdio.h>
#include <string.h>

#include "common/util/list.h"
#include "common/report/json.h"
#include "contribs/maui/lib/output.h"
#include "contribs/maui/queue/machine_use.h"

/* The words of a list, each in brackets. */
static const char *job_text_bracket(const char *list, const char *separators, const char *behind,
				    char *buffer, size_t size)
{
	struct maui_item item;
	size_t used = 0;

	*buffer = '\0';
	while (used < size && maui_list_next(&list, separators, &item))
		if (item.size)
			used += (size_t)snprintf(buffer + used, size - used, "[%.*s%s]",
						 (int)item.size, item.text, behind);
	if (!*buffer)
		snprintf(buffer, size, "[NONE]");
	clean_text(buffer);
	return buffer;
}

const char *job_classes(struct json_object *job, const char *behind, char *buffer, size_t size)
{
	return job_text_bracket(member_text(job, "partition"), ",", behind, buffer, size);
}

const char *job_features(struct json_object *job, char *buffer, size_t size)
{
	const char *features = member_text(job, "features");
	bool plain = !strpbrk(features, "|[]()*!");

	return job_text_bracket(features, plain ? "&," : "", "", buffer, size);
}

static bool is_per_cpu(struct json_object *job)
{
	return !strcmp(member_text(job, "memory_per"), "cpu");
}

int64_t job_node_memory(struct json_object *job)
{
	return is_per_cpu(job) ? 0 : count_of(job, "memory");
}

int64_t job_product(int64_t a, int64_t b)
{
	const int64_t limit = INT64_C(1) << 40;

	if (a <= 0 || b <= 0)
		return 0;
	return a > limit / b ? limit : a * b;
}

int64_t job_memory(struct json_object *job)
{
	int64_t nodes = count_of(job, "nodes");

	return job_product(count_of(job, "memory"), is_per_cpu(job) ? count_of(job, "procs")
						    : nodes         ? nodes
								    : 1);
}

int64_t job_procs_per_task(struct json_object *job)
{
	int64_t procs = count_of(job, "procs_per_task");

	return procs ? procs : 1;
}

int64_t job_tasks(struct json_object *job)
{
	int64_t tasks = count_of(job, "tasks");

	if (!tasks)
		tasks = count_of(job, "procs") / job_procs_per_task(job);
	return tasks ? tasks : 1;
}

void job_add_wishes(struct json_object *object, struct json_object *job)
{
	static const char *const names[] = {"tasks",           "nodes",         "procs_per_task",
					    "memory",          "memory_per",    "disk",
					    "features",        "tres_per_job",  "tres_per_node",
					    "tres_per_socket", "tres_per_task", "reservation"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		json_set_same(object, job, names[i]);
}
