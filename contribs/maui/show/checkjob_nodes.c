/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tests a node first for good (State, HostList, Features, CPU, Memory, Disk),
 * then for now (State, ReserveTime, CPU, Memory).
 */
#include "contribs/maui/show/checkjob_nodes.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/list.h"
#include "common/util/memory.h"
#include "contribs/maui/lib/output.h"
#include "contribs/maui/queue/job_text.h"
#include "contribs/maui/queue/machine_use.h"
#include "contribs/maui/queue/name_set.h"
#include "contribs/maui/queue/reserved_nodes.h"

/* ---- one node -------------------------------------------------------------------------------- */

struct wish {
	struct json_object *job;
	struct name_set excluded;
	struct reserved_nodes reserved;
	int64_t procs, memory, disk; /* minimum on a node */
	bool per_cpu, exclusive;
};

static void read_wish(struct json_object *job, struct wish *wish)
{
	int64_t tasks = count_of(job, "tasks_per_node");

	wish->job = job;
	wish->procs = job_procs_per_task(job) * (tasks ? tasks : 1);
	wish->memory = count_of(job, "memory");
	wish->per_cpu = !job_node_memory(job);
	wish->disk = count_of(job, "disk");
	wish->exclusive = member_flag(job, "exclusive");
}

/* Each of fast&big; expressions of other kinds are left to Slurm. */
static bool has_features(struct json_object *node, const char *features)
{
	struct json_object *own = member_array(node, "features");
	struct maui_item item;

	if (strpbrk(features, "|[]()*!"))
		return true;
	while (maui_list_next(&features, "&,", &item))
		if (item.size && !has_item(own, item))
			return false;
	return true;
}

/* Memory for the minimum that the job wants on a node. */
static bool checkjob_nodes_fits(const struct wish *wish, int64_t procs, int64_t memory)
{
	return memory >= (wish->per_cpu ? wish->memory * wish->procs : wish->memory) &&
	       procs >= wish->procs;
}

/* What rules it out for good. */
static const char *checkjob_nodes_unfit(struct json_object *node, const struct wish *wish)
{
	int64_t procs = count_of(node, "procs"), memory = count_of(node, "memory");

	if (name_set_has(&wish->excluded, member_text(node, "name")))
		return "HostList";
	if (!has_features(node, member_text(wish->job, "features")))
		return "Features";
	if (procs < wish->procs)
		return "CPU";
	if (!checkjob_nodes_fits(wish, procs, memory))
		return "Memory";
	return count_of(node, "disk") < wish->disk ? "Disk" : NULL;
}

/* What rules it out now. */
static const char *not_now(struct json_object *node, const struct wish *wish, int64_t idle,
			   int64_t memory)
{
	if (!idle || (wish->exclusive && count_of(node, "allocated_procs")))
		return "State"; /* the original's nodes without free processors are Busy */
	if (reserved_nodes_bar(&wish->reserved, wish->job, node))
		return "ReserveTime";
	if (idle < wish->procs)
		return "CPU";
	return checkjob_nodes_fits(wish, idle, memory) ? NULL : "Memory";
}

static int64_t checkjob_nodes_rest(int64_t all, int64_t used)
{
	return all > used ? all - used : 0;
}

static void checkjob_nodes_judge(struct json_object *node, const struct wish *wish,
				 struct node_scan *scan)
{
	struct node_verdict *verdict = &scan->nodes[scan->count++];
	int64_t idle =
		checkjob_nodes_rest(count_of(node, "procs"), count_of(node, "allocated_procs"));
	int64_t memory =
		checkjob_nodes_rest(count_of(node, "memory"), count_of(node, "allocated_memory"));

	*verdict = (struct node_verdict){.name = member_text(node, "name"), .why = "State"};
	if (!node_takes_jobs(node))
		return;
	verdict->why = checkjob_nodes_unfit(node, wish);
	if (verdict->why)
		return;
	scan->feasible += count_of(node, "procs");
	verdict->why = not_now(node, wish, idle, memory);
	if (verdict->why)
		return;
	if (wish->per_cpu && wish->memory && memory / wish->memory < idle)
		idle = memory / wish->memory;
	verdict->idle = idle;
	scan->idle += idle;
	scan->usable++;
}

/* ---- all of them ----------------------------------------------------------------------------- */

void node_scan(struct json_object *queue, const struct job_facts *facts,
	       struct json_object *admitted, const char *partition, struct node_scan *ret_scan)
{
	struct json_object *nodes = member_array(queue, "nodes");
	struct node_scan scan = {.nodes = maui_calloc(array_size(nodes) + 1, sizeof(*scan.nodes))};
	struct wish wish = {0};

	name_set_add(&wish.excluded, member_text(facts->job, "excluded_nodes"));
	name_set_close(&wish.excluded);
	reserved_nodes_read(queue, facts->job, admitted, facts->limit, &wish.reserved);
	read_wish(facts->job, &wish);
	for (size_t i = 0; i < array_size(nodes); i++) {
		struct json_object *node = json_object_array_get_idx(nodes, i);

		if (node_is_in(node, partition))
			checkjob_nodes_judge(node, &wish, &scan);
	}
	name_set_clear(&wish.excluded);
	reserved_nodes_clear(&wish.reserved);
	*ret_scan = scan;
}
