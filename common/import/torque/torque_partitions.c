/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Execution queues become PartitionName lines; Route queues are told. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/import/torque/torque_private.h"
#include "common/util/memory.h"
#include "common/util/text.h"

#define JOB_FACTOR_LIMIT 65533 /* PriorityJobFactor */

bool maui_torque_is_route(const struct maui_torque_object *queue)
{
	const struct maui_torque_attribute *type = maui_torque_get(queue, "queue_type");

	return type && maui_begins(type->value, "r");
}

/* Torque's two switches: does it accept jobs, and does it start them? */
static const char *partitions_state(const struct maui_torque_object *queue)
{
	bool enabled = maui_torque_is_true(queue, "enabled");
	bool started = maui_torque_is_true(queue, "started");

	if (enabled)
		return started ? "UP" : "DOWN";
	return started ? "DRAIN" : "INACTIVE";
}

/* " MaxTime=1-00:00:00" of the queue's attribute, or the server's. */
static void partitions_time(FILE *line, const struct maui_torque_site *site,
			    const struct maui_torque_object *queue, const char *name,
			    const char *key)
{
	const struct maui_torque_attribute *attribute = maui_torque_of_queue(site, queue, name);
	uint64_t seconds;

	if (!attribute)
		return;
	seconds = maui_torque_seconds(attribute->value);
	fprintf(line, " %s=", key);
	if (seconds >= 86400)
		fprintf(line, "%" PRIu64 "-", seconds / 86400);
	fprintf(line, "%02" PRIu64 ":%02" PRIu64 ":%02" PRIu64, seconds / 3600 % 24,
		seconds / 60 % 60, seconds % 60);
}

/* " MaxNodes=4": of nodect, or of the number that nodes begins with. */
static void partitions_nodes(FILE *line, const struct maui_torque_site *site,
			     const struct maui_torque_object *queue, const char *which,
			     const char *key, struct maui_torque_result *result)
{
	const char *count = maui_import_text(&result->import, "resources_%s.nodect", which);
	const char *nodes = maui_import_text(&result->import, "resources_%s.nodes", which);
	const struct maui_torque_attribute *attribute = maui_torque_of_queue(site, queue, count);
	const char *digits;
	size_t size;

	if (!attribute)
		attribute = maui_torque_of_queue(site, queue, nodes);
	if (!attribute)
		return;
	size = strspn(attribute->value, "0123456789");
	digits = maui_import_text(&result->import, "%.*s", (int)size, attribute->value);
	if (attribute->value[size])
		maui_torque_remark(
			result, queue, attribute, size ? MAUI_IMPORT_OTHER : MAUI_IMPORT_LOST,
			"%s is the number of nodes alone; processors of a job: CLASSCFG[%s] "
			"MAXPROCPERJOB in maui.cfg",
			key, queue->name);
	if (size)
		fprintf(line, " %s=%s", key, digits);
}

static void partitions_memory(FILE *line, const struct maui_torque_site *site,
			      const struct maui_torque_object *queue, const char *name,
			      const char *key)
{
	const struct maui_torque_attribute *attribute = maui_torque_of_queue(site, queue, name);

	if (attribute)
		fprintf(line, " %s=%" PRIu64, key, maui_torque_megabytes(attribute->value));
}

static void partitions_factor(FILE *line, const struct maui_torque_object *queue,
			      struct maui_torque_result *result)
{
	const struct maui_torque_attribute *priority = maui_torque_get(queue, "Priority");

	if (!priority)
		return;
	if (*priority->value == '-' || maui_torque_number(priority->value) > JOB_FACTOR_LIMIT) {
		maui_torque_remark(
			result, queue, priority, MAUI_IMPORT_LOST,
			"PriorityJobFactor is from 0 to 65533, and priority/maui does not "
			"look at it; in maui.cfg: CLASSCFG[%s] PRIORITY=..., CLASSWEIGHT",
			queue->name);
		return;
	}
	fprintf(line, " PriorityJobFactor=%s", priority->value);
	maui_torque_remark(result, queue, priority, MAUI_IMPORT_OTHER,
			   "Torque's own scheduler looked at it, Maui did not, and priority/maui "
			   "does not look at PriorityJobFactor either; in maui.cfg: CLASSCFG[%s] "
			   "PRIORITY=..., CLASSWEIGHT",
			   queue->name);
}

/* The hosts of acl_hosts may submit, with acl_host_enable. */
static void partitions_hosts(FILE *line, const struct maui_torque_object *queue,
			     struct maui_torque_result *result)
{
	const struct maui_torque_attribute *hosts = maui_torque_get(queue, "acl_hosts");

	if (!hosts || !maui_torque_is_true(queue, "acl_host_enable"))
		return;
	for (const char *at = hosts->value; *at; at++)
		if (!maui_is_name(*at) && !strchr("-,", *at)) {
			maui_torque_remark(
				result, queue, hosts, MAUI_IMPORT_LOST,
				"AllocNodes= of the partition takes names of hosts alone, "
				"without wildcards: users submit from everywhere");
			return;
		}
	fprintf(line, " AllocNodes=%s", hosts->value);
	maui_torque_remark(result, queue, hosts, MAUI_IMPORT_OTHER,
			   "AllocNodes compares names as a job has them in AllocNode of `scontrol "
			   "show job`: take away the domains if yours have none");
}

static void partitions_execution(const struct maui_torque_site *site,
				 const struct maui_torque_object *queue, bool is_default,
				 struct maui_torque_result *result)
{
	const char *nodes = maui_torque_place(site, queue, result);
	const char *groups = maui_torque_groups(queue, result);
	char *text = NULL;
	size_t size;
	FILE *line = open_memstream(&text, &size);

	if (!line)
		maui_memory_short(0);
	fprintf(line, "PartitionName=%s%s%s%s", queue->name, *nodes ? " Nodes=" : "", nodes,
		is_default ? " Default=YES" : "");
	partitions_time(line, site, queue, "resources_max.walltime", "MaxTime");
	partitions_time(line, site, queue, "resources_default.walltime", "DefaultTime");
	partitions_nodes(line, site, queue, "min", "MinNodes", result);
	partitions_nodes(line, site, queue, "max", "MaxNodes", result);
	partitions_memory(line, site, queue, "resources_default.pmem", "DefMemPerCPU");
	partitions_memory(line, site, queue, "resources_max.pmem", "MaxMemPerCPU");
	if (groups)
		fprintf(line, " AllowGroups=%s", groups);
	partitions_hosts(line, queue, result);
	partitions_factor(line, queue, result);
	fprintf(line, " State=%s", partitions_state(queue));
	if (fclose(line))
		maui_memory_short(0);
	maui_torque_line(result, MAUI_TORQUE_CONF, "# %s:%u: queue %s", queue->place.file,
			 queue->place.line, queue->name);
	maui_torque_line(result, MAUI_TORQUE_CONF, "%s", text);
	free(text);
}

static const struct maui_torque_object *partitions_find(const struct maui_torque_site *site,
							const char *name, size_t size)
{
	for (size_t i = 0; i < site->queue_count; i++)
		if (strlen(site->queues[i].name) == size &&
		    !memcmp(site->queues[i].name, name, size))
			return &site->queues[i];
	return NULL;
}

/* The queue whose partition is the default one: of a Route queue the first destination. */
static const struct maui_torque_object *partitions_default(const struct maui_torque_site *site)
{
	const struct maui_torque_attribute *name = maui_torque_get(&site->server, "default_queue");
	const struct maui_torque_object *queue =
		name ? partitions_find(site, name->value, strlen(name->value)) : NULL;

	for (size_t depth = 0; queue && maui_torque_is_route(queue); depth++) {
		const struct maui_torque_attribute *to =
			maui_torque_get(queue, "route_destinations");

		if (!to || depth == site->queue_count)
			return NULL;
		queue = partitions_find(site, to->value, strcspn(to->value, ",@"));
	}
	return queue;
}

static void partitions_tell_default(const struct maui_torque_site *site,
				    const struct maui_torque_object *chosen,
				    struct maui_torque_result *result)
{
	const struct maui_torque_attribute *name = maui_torque_get(&site->server, "default_queue");

	if (!name)
		maui_import_remark(&result->import, MAUI_IMPORT_OTHER, "default_queue",
				   "it is not set, and no partition is the default one: sbatch "
				   "needs --partition");
	else if (!chosen)
		maui_torque_remark(result, &site->server, name, MAUI_IMPORT_LOST,
				   "there is no such Execution queue, and so no default partition");
	else if (strcmp(chosen->name, name->value) != 0)
		maui_torque_remark(
			result, &site->server, name, MAUI_IMPORT_OTHER,
			"it is a Route queue: its first destination, %s, has Default=YES",
			chosen->name);
}

static void partitions_route(const struct maui_torque_object *queue,
			     struct maui_torque_result *result)
{
	const struct maui_torque_attribute *to = maui_torque_get(queue, "route_destinations");
	const struct maui_torque_attribute *type = maui_torque_get(queue, "queue_type");
	const char *names = to ? to->value : "";

	maui_torque_line(result, MAUI_TORQUE_CONF, "# %s:%u: queue %s routes to %s: no partition",
			 queue->place.file, queue->place.line, queue->name, to ? names : "nothing");
	maui_torque_remark(result, queue, to ? to : type, MAUI_IMPORT_LOST,
			   "Slurm has no Route queues: submit to all destinations (sbatch "
			   "--partition=%s, SBATCH_PARTITION), of which the first takes the job "
			   "that has room; EnforcePartLimits=ANY rejects a job that fits none; a "
			   "job_submit plugin can choose one for jobs of partition %s",
			   *names ? names : "...", queue->name);
}

void maui_torque_partitions(const struct maui_torque_site *site, struct maui_torque_result *result)
{
	const struct maui_torque_object *chosen = partitions_default(site);

	maui_torque_line(result, MAUI_TORQUE_CONF, "%s", "");
	maui_torque_line(result, MAUI_TORQUE_CONF, "# Partitions.");
	for (size_t i = 0; i < site->queue_count; i++) {
		const struct maui_torque_object *queue = &site->queues[i];

		if (maui_torque_is_route(queue))
			partitions_route(queue, result);
		else
			partitions_execution(site, queue, queue == chosen, result);
		if (!maui_torque_get(queue, "queue_type"))
			maui_import_remark(
				&result->import, MAUI_IMPORT_OTHER,
				maui_import_text(&result->import, "queue %s", queue->name),
				"it has no queue_type, and is taken for an Execution queue");
	}
	partitions_tell_default(site, chosen, result);
}
