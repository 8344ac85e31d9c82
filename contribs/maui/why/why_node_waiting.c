/* SPDX-License-Identifier: GPL-2.0-or-later */
/* maui why --node: for each waiting job that asks for one of its partitions, why it does not start
 * there. */
#include "contribs/maui/why/why_node.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/list.h"
#include "common/util/memory.h"
#include "common/report/json.h"
#include "contribs/maui/lib/output.h"
#include "contribs/maui/queue/machine_use.h"

/* Why one job does not start on the node. */
struct verdict {
	char kind[32]; /* of a cause in maui.why/1, or the name of an obstacle; "" not judged */
	bool may_start;
	char text[700];
};

/* ---- obstacles on this node ----------------------------------------------------------------- */

static void need_text(const struct why_need *need, char *text, size_t size)
{
	int64_t procs = need->procs * (need->tasks_per_node ? need->tasks_per_node : 1);

	*text = '\0';
	if (need->exclusive)
		why_append(text, size, "all of a node");
	else
		why_append(text, size, "%" PRId64 " %s of a node", procs,
			   why_plural(procs, "processor", "processors"));
	if (need->memory)
		why_append(text, size, ", %" PRId64 " MB of memory%s", need->memory,
			   need->memory_is_per_proc ? " for each" : "");
	if (need->disk)
		why_append(text, size, ", %" PRId64 " MB of disk", need->disk);
}

static void small_text(const struct why_node *node, const struct why_need *need, char *text,
		       size_t size)
{
	char asked[200];

	need_text(need, asked, sizeof(asked));
	snprintf(text, size,
		 "it needs %s; the node has %" PRId64 ", %" PRId64 " MB of memory, %" PRId64
		 " MB of disk",
		 asked, count_of(node->node, "procs"), count_of(node->node, "memory"),
		 count_of(node->node, "disk"));
}

static void busy_text(const struct why_node *node, const struct why_need *need, char *text,
		      size_t size)
{
	int64_t memory = count_of(node->node, "memory") - count_of(node->node, "allocated_memory");
	char asked[200];

	need_text(need, asked, sizeof(asked));
	snprintf(text, size,
		 "it needs %s; %" PRId64 " %s and %" PRId64 " MB of memory are free there", asked,
		 node->free_procs, why_plural(node->free_procs, "processor", "processors"),
		 memory > 0 ? memory : 0);
}

/* The first reservation that keeps it off this node. */
static void reserved_text(const struct why_node *node, const struct why_nodes *nodes, char *text,
			  size_t size)
{
	json_object_object_foreach(nodes->reserved, name, one)
	{
		if (!why_in_set(member_object(one, "set"), node->name))
			continue;
		snprintf(text, size, "reservation %s keeps it off: %s", name,
			 member_text(one, "text"));
		return;
	}
	snprintf(text, size, "a reservation keeps it off");
}

static void obstacle_text(const struct why_node *node, const struct why *job,
			  const struct why_nodes *nodes, enum why_obstacle obstacle, char *text,
			  size_t size)
{
	switch (obstacle) {
	case WHY_UNREGISTERED:
	case WHY_DOWN:
		snprintf(text, size, "the node takes no jobs");
		break;
	case WHY_EXCLUDED:
		snprintf(text, size, "it excludes the node (--exclude=%s)",
			 member_text(job->job, "excluded_nodes"));
		break;
	case WHY_NODELIST:
		snprintf(text, size, "it asks for other nodes (--nodelist=%s)",
			 member_text(job->job, "required_nodes"));
		break;
	case WHY_FEATURES:
		snprintf(text, size, "it asks for the features %s, which the node does not have",
			 member_text(job->job, "features"));
		break;
	case WHY_SMALL:
		small_text(node, &nodes->need, text, size);
		break;
	case WHY_LIMITS:
		snprintf(text, size, "a limit of NODECFG keeps it off the node");
		break;
	case WHY_OUTSIDE:
		snprintf(text, size, "it asks for reservation %s, which does not have the node",
			 job->asks);
		break;
	case WHY_RESERVED:
		reserved_text(node, nodes, text, size);
		break;
	case WHY_BUSY:
	case WHY_OBSTACLES:
		busy_text(node, &nodes->need, text, size);
		break;
	}
}

/* ---- the node would do ---------------------------------------------------------------------- */

/* It would run into the start for which backfill keeps the node. */
static bool meets_plan(const struct why_node *node, const struct why *job,
		       struct json_object *partition)
{
	int64_t walltime = why_walltime(job->job, partition);

	return node->planned && node->planned != job->job &&
	       (walltime == INT64_MAX || job->now + walltime > node->plan);
}

static void why_node_waiting_set(struct verdict *verdict, const char *kind, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static void why_node_waiting_set(struct verdict *verdict, const char *kind, const char *format, ...)
{
	va_list arguments;

	snprintf(verdict->kind, sizeof(verdict->kind), "%s", kind);
	va_start(arguments, format);
	vsnprintf(verdict->text, sizeof(verdict->text), format, arguments);
	va_end(arguments);
}

/* Behind others, some of whom may be hidden: then Slurm's reason says so. */
static bool judge_order(struct why *job, const struct why_nodes *nodes, struct verdict *verdict)
{
	struct json_object *facts = why_ahead(job, nodes);
	int64_t ahead = member_integer(facts, "count");

	json_object_put(facts);
	if (ahead)
		why_node_waiting_set(verdict, "priority",
				     "%" PRId64 " %s of higher priority %s for the same nodes",
				     ahead, why_plural(ahead, "job", "jobs"),
				     why_plural(ahead, "waits", "wait"));
	else if (!strcmp(member_text(job->job, "reason"), "Priority"))
		why_node_waiting_set(
			verdict, "priority",
			"jobs of higher priority wait, as Slurm says; you see none of them");
	else
		return false;
	return true;
}

static void judge_free(const struct why_node *node, struct why *job, const struct why_nodes *nodes,
		       struct verdict *verdict)
{
	int64_t start = member_integer(job->job, "start");
	const char *planned = member_text(job->job, "scheduled_nodes");
	char time[TEXT_DATE_SIZE], text[600];

	if (start > job->now && *planned) {
		why_node_waiting_set(verdict, "plan", "backfill has planned it for %s on %s",
				     why_time(start, time), planned);
	} else if (!nodes->enough) {
		why_nodes_text(nodes, text, sizeof(text));
		why_node_waiting_set(verdict, "nodes", "it could use the node, but not alone: %s",
				     text);
	} else if (meets_plan(node, job, nodes->partition)) {
		why_node_waiting_set(
			verdict, "plan",
			"it may run past %s, when backfill has planned job %s of %s there",
			why_time(node->plan, time), member_text(node->planned, "id"),
			member_text(node->planned, "user"));
	} else if (!judge_order(job, nodes, verdict)) {
		verdict->may_start = true;
		why_node_waiting_set(verdict, "scheduler",
				     "nothing that can be seen stands against it: the next pass of "
				     "the scheduler decides");
	}
}

/* ---- one job -------------------------------------------------------------------------------- */

/* As seen from one of the partitions that both the job and the node have. */
static void judge_in(const struct why_node *node, struct why *job, struct json_object *partition,
		     struct verdict *verdict)
{
	struct json_object *facts = json_make_object();
	enum why_obstacle obstacle;
	struct why_nodes nodes;
	char text[512];
	bool refused = why_refused(job, partition, text, sizeof(text), facts);

	json_object_put(facts);
	if (refused) {
		why_node_waiting_set(verdict, "partition", "partition %s %s",
				     member_text(partition, "name"), text);
		return;
	}
	why_nodes_look(job, partition, &nodes);
	obstacle = nodes.obstacles[node->at];
	if (obstacle == WHY_FREE) {
		judge_free(node, job, &nodes, verdict);
	} else {
		why_node_waiting_set(verdict, why_obstacle_name(obstacle), "%s", "");
		obstacle_text(node, job, &nodes, obstacle, verdict->text, sizeof(verdict->text));
	}
	why_nodes_clear(&nodes);
}

/* In the first partition in which it may start there, or else in the first. */
static void judge_partitions(const struct why_node *node, struct why *job, struct verdict *verdict)
{
	const char *list = member_text(job->job, "partition");
	struct maui_item item;

	while (!verdict->may_start && maui_list_next(&list, ",", &item)) {
		struct verdict here = {0};
		struct json_object *partition;
		char name[256];

		maui_item_copy(item, name, sizeof(name));
		partition = queue_find(job->queue, "partitions", name);
		if (!partition || !node_is_in(node->node, name))
			continue;
		judge_in(node, job, partition, &here);
		if (!*verdict->kind || here.may_start)
			*verdict = here;
	}
	if (!*verdict->kind)
		why_node_waiting_set(verdict, "partition", "its partition is hidden from you");
}

/* What the engine does not say of a job is said of the node, once. */
static void add_unseen(struct why_node *node, const struct why *job, struct json_object *told)
{
	for (size_t i = 0; i < array_size(job->findings); i++) {
		struct json_object *finding = json_object_array_get_idx(job->findings, i);
		const char *text = member_text(finding, "text");

		if (strcmp(member_text(finding, "part"), why_part_name(WHY_UNSEEN)) != 0 ||
		    why_in_set(told, text))
			continue;
		json_set_flag(told, text, true);
		why_add(&node->why, WHY_UNSEEN, member_text(finding, "kind"),
			json_object_get(member_object(finding, "facts")), "%s", text);
	}
}

static void why_node_waiting_judge(struct why_node *node, struct json_object *record,
				   struct json_object *told, struct verdict *verdict)
{
	struct why job = {.service = node->why.service,
			  .quiet = true,
			  .last = true,
			  .brief = true,
			  .queue = node->why.queue,
			  .sorted = node->why.sorted,
			  .job = record};
	struct json_object *cause;

	why_open(&job);
	why_ask(&job);
	why_causes(&job);
	cause = why_first(&job, WHY_CAUSE);
	if (cause)
		why_node_waiting_set(verdict, member_text(cause, "kind"), "%s",
				     member_text(cause, "text"));
	else
		judge_partitions(node, &job, verdict);
	if (node->why.service)
		add_unseen(node, &job, told);
	if (!job.engine)
		node->why.service = NULL;
	why_clear(&job);
}

static void why_node_waiting_add(struct why_node *node, struct json_object *job,
				 const struct verdict *verdict)
{
	static const char *const members[] = {"id",       "job",       "user",
					      "priority", "partition", "reason"};
	struct json_object *facts = json_make_object();

	for (size_t i = 0; i < sizeof(members) / sizeof(*members); i++)
		json_set_same(facts, job, members[i]);
	json_set_flag(facts, "may_start", verdict->may_start);
	why_add(&node->why, WHY_NODE_WAITING, verdict->kind, facts,
		"job %s of %s, priority %" PRId64 ": %s", member_text(job, "id"),
		member_text(job, "user"), member_integer(job, "priority"), verdict->text);
	if (verdict->may_start && !node->next)
		node->next = job;
}

/* ---- all of them ---------------------------------------------------------------------------- */

/* Of each kind of waiting jobs: whether it asks for a partition of the node; and how many jobs do.
 * The caller frees it. */
static bool *kinds_that_ask(const struct why_node *node, int64_t *ret_waiting)
{
	const struct queue_sorted *sorted = node->why.sorted;
	bool *asks = maui_calloc(sorted->kind_count + 1, sizeof(*asks));
	int64_t waiting = 0;

	for (size_t i = 0; i < sorted->kind_count; i++) {
		const char *list = sorted->kinds[i].partitions;
		struct maui_item item;

		while (!asks[i] && maui_list_next(&list, ",", &item))
			asks[i] = has_item(member_array(node->node, "partitions"), item);
		waiting += asks[i] ? (int64_t)sorted->kinds[i].count : 0;
	}
	*ret_waiting = waiting;
	return asks;
}

static void add_count(struct why_node *node)
{
	struct json_object *facts = json_make_object();
	char partitions[400];

	joined(member_array(node->node, "partitions"), ", ", partitions, sizeof(partitions));
	json_set_number(facts, "count", node->waiting);
	json_set_same(facts, node->node, "partitions");
	if (!*partitions)
		why_add(&node->why, WHY_NODE_WAITING, "none", facts, "it is in no partition");
	else if (!node->waiting)
		why_add(&node->why, WHY_NODE_WAITING, "none", facts,
			"no job that you see waits for its partitions (%s)", partitions);
	else
		why_add(&node->why, WHY_NODE_WAITING, "count", facts,
			"%" PRId64 " %s for its partitions (%s)", node->waiting,
			why_plural(node->waiting, "job waits", "jobs wait"), partitions);
}

/* The highest priority first; on a node that has nothing to give, each has the same reason. */
void why_node_waiting(struct why_node *node)
{
	const struct queue_sorted *sorted = node->why.sorted;
	bool *asks = kinds_that_ask(node, &node->waiting);
	struct json_object *told = json_make_object();
	int64_t count = 0;

	add_count(node);
	for (size_t i = 0; node->usable && i < sorted->waiting_count && count < node->limit; i++) {
		struct verdict verdict = {.may_start = false};

		if (!asks[sorted->waiting[i].kind])
			continue;
		why_node_waiting_judge(node, sorted->waiting[i].job, told, &verdict);
		why_node_waiting_add(node, sorted->waiting[i].job, &verdict);
		count++;
	}
	if (node->usable && node->waiting > count)
		why_add(&node->why, WHY_NODE_WAITING, "omitted", NULL,
			"and %" PRId64 " more: --limit=%" PRId64 " shows all",
			node->waiting - count, node->waiting);
	json_object_put(told);
	free(asks);
}
