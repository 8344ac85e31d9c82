/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The nodes of a partition, each counted under the first obstacle that applies. Slurm decides
 * whether GRES, the topology and the rest fit: it may be unable to use a node that is left here.
 */
#include "contribs/maui/why/why.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/list.h"
#include "common/util/memory.h"
#include "common/report/json.h"
#include "contribs/maui/lib/output.h"
#include "contribs/maui/queue/machine_use.h"
#include "contribs/maui/queue/queue.h"

/* ---- what the job needs --------------------------------------------------------------------- */

static int64_t at_least(int64_t number, int64_t least)
{
	return number > least ? number : least;
}

static void read_need(struct json_object *job, struct why_need *ret_need)
{
	int64_t tasks = member_integer(job, "tasks"), procs = member_integer(job, "procs");
	struct why_need need = {
		.nodes = at_least(member_integer(job, "nodes"), 1),
		.max_nodes = at_least(member_integer(job, "max_nodes"), 0),
		.procs = at_least(member_integer(job, "procs_per_task"), 1),
		.tasks_per_node = at_least(member_integer(job, "tasks_per_node"), 0),
		.memory = at_least(member_integer(job, "memory"), 0),
		.memory_is_per_proc = !strcmp(member_text(job, "memory_per"), "cpu"),
		.exclusive = member_flag(job, "exclusive"),
		.disk = at_least(member_integer(job, "disk"), 0),
	};

	need.tasks = at_least(at_least(tasks, (procs + need.procs - 1) / need.procs), need.nodes);
	*ret_need = need;
}

/* Tasks that fit on a node with this many processors and this much memory. */
static int64_t tasks_on(const struct why_need *need, int64_t procs, int64_t memory)
{
	int64_t tasks = procs / need->procs;

	if (need->tasks_per_node && tasks > need->tasks_per_node)
		tasks = need->tasks_per_node;
	if (!need->memory)
		return tasks;
	if (!need->memory_is_per_proc)
		return memory >= need->memory ? tasks : 0;
	return tasks < memory / (need->memory * need->procs)
		       ? tasks
		       : memory / (need->memory * need->procs);
}

static int64_t tasks_ever(const struct why_need *need, struct json_object *node)
{
	if (need->disk > member_integer(node, "disk"))
		return 0;
	return tasks_on(need, member_integer(node, "procs"), member_integer(node, "memory"));
}

/* ---- one node ------------------------------------------------------------------------------- */

/* Plain ones: all of a&b or a,b, any of a|b. Counts, brackets and mixtures are left to Slurm. */
static bool is_plain(const char *constraint)
{
	return !strpbrk(constraint, "[]()*!") &&
	       !(strchr(constraint, '|') && strpbrk(constraint, "&,"));
}

static bool has_features(struct json_object *node, const char *constraint)
{
	struct json_object *features = member_array(node, "features");
	bool any = strchr(constraint, '|');
	struct maui_item item;

	while (maui_list_next(&constraint, "&,|", &item))
		if (item.size && has_item(features, item) == any)
			return any;
	return !any;
}

/* ---- all of them ---------------------------------------------------------------------------- */

struct look {
	struct why *why;
	struct why_nodes *nodes;
	const char *constraint;
	struct json_object *excluded, *required, *asked, *limited;
	int64_t least; /* tasks that a node must hold to be of any use */
};

/* The nodes that NODECFG's limits keep from the job; none if they are not known for this
 * partition. */
static struct json_object *limited_nodes(const struct why *why, const char *partition)
{
	bool known = !strcmp(member_text(why->order, "partition"), partition);

	return why_node_set(known ? member_text(member_object(why->order, "left_out"), "limited")
				  : "");
}

/* If all the nodes that it gets are named, others are ruled out. */
static bool why_nodes_names_all(const struct look *look)
{
	return json_object_object_length(look->required) >= look->nodes->need.nodes;
}

/* Marks the reservation; false: enough of the node is left. *procs: less what a reservation of
 * parts takes. */
static bool is_reserved(struct look *look, struct json_object *node, int64_t *procs)
{
	const char *name = member_text(node, "name");
	bool whole = false;

	json_object_object_foreach(look->nodes->reserved, reservation, one)
	{
		struct json_object *parts = member_object(one, "parts");

		(void)reservation;
		if (!why_in_set(member_object(one, "set"), name))
			continue;
		whole |= !parts;
		*procs -= parts ? member_integer(parts, name) : 0;
		json_set_number(one, "count", member_integer(one, "count") + 1);
	}
	return whole || *procs < look->least * look->nodes->need.procs;
}

static enum why_obstacle why_nodes_lasting(const struct look *look, struct json_object *node)
{
	const char *name = member_text(node, "name");

	if (why_in_set(look->excluded, name))
		return WHY_EXCLUDED;
	if (why_nodes_names_all(look) && !why_in_set(look->required, name))
		return WHY_NODELIST;
	if (look->nodes->constraint_counts && !has_features(node, look->constraint))
		return WHY_FEATURES;
	if (tasks_ever(&look->nodes->need, node) < look->least)
		return WHY_SMALL;
	return WHY_FREE;
}

static enum why_obstacle why_nodes_passing(struct look *look, struct json_object *node,
					   int64_t *tasks)
{
	const struct why_need *need = &look->nodes->need;
	const char *name = member_text(node, "name");
	int64_t used = member_integer(node, "allocated_procs");
	int64_t procs = member_integer(node, "procs");
	int64_t memory = member_integer(node, "memory") - member_integer(node, "allocated_memory");

	*tasks = 0;
	if (why_in_set(look->limited, name))
		return WHY_LIMITS;
	if (look->asked && !why_in_set(look->asked, name))
		return WHY_OUTSIDE;
	if (is_reserved(look, node, &procs))
		return WHY_RESERVED;
	look->nodes->free_procs += at_least(procs - used, 0);
	*tasks = need->exclusive && used ? 0 : tasks_on(need, at_least(procs - used, 0), memory);
	return *tasks < look->least || node_has_flag(node, "COMPLETING") ? WHY_BUSY : WHY_FREE;
}

static enum why_obstacle why_nodes_classify(struct look *look, struct json_object *node)
{
	struct why_nodes *nodes = look->nodes;
	enum why_obstacle obstacle = why_nodes_lasting(look, node);
	bool down = !node_takes_jobs(node);
	int64_t tasks = 0;

	nodes->total++;
	nodes->ever += obstacle == WHY_FREE;
	nodes->up += obstacle == WHY_FREE && !down;
	if (down)
		obstacle = node_use(node) == MAUI_NODE_UNKNOWN ? WHY_UNREGISTERED : WHY_DOWN;
	if (obstacle == WHY_FREE)
		obstacle = why_nodes_passing(look, node, &tasks);
	if (obstacle == WHY_FREE) {
		nodes->left++;
		nodes->left_tasks += tasks;
	} else {
		nodes->out[obstacle]++;
	}
	return obstacle;
}

/* What a node must hold at least: all that the largest others could not. */
static int64_t least_tasks(const struct look *look, struct json_object *all, const char *partition)
{
	const struct why_need *need = &look->nodes->need;
	int64_t greatest = 0;

	if (need->tasks_per_node)
		return need->tasks_per_node < need->tasks ? need->tasks_per_node : need->tasks;
	if (!need->max_nodes)
		return 1;
	for (size_t i = 0; i < array_size(all); i++) {
		struct json_object *node = json_object_array_get_idx(all, i);

		if (node_is_in(node, partition))
			greatest = at_least(tasks_ever(need, node), greatest);
	}
	return at_least(need->tasks - (need->max_nodes - 1) * greatest, 1);
}

static void why_nodes_judge(struct why_nodes *nodes)
{
	const struct why_need *need = &nodes->need;

	nodes->enough = nodes->left >= need->nodes && nodes->left_tasks >= need->tasks;
	nodes->never = nodes->ever < need->nodes;
}

void why_nodes_look(struct why *why, struct json_object *partition, struct why_nodes *ret_nodes)
{
	struct json_object *all = member_array(why->queue, "nodes");
	const char *name = member_text(partition, "name"), *asks = why->asks;
	struct why_nodes nodes = {.partition = partition,
				  .obstacles = maui_malloc(array_size(all) + 1, 1)};
	struct look look = {
		.why = why, .nodes = &nodes, .constraint = member_text(why->job, "features")};
	struct json_object *asked = *asks ? queue_find(why->queue, "reservations", asks) : NULL;

	read_need(why->job, &nodes.need);
	nodes.constraint_counts = is_plain(look.constraint);
	nodes.reserved = why_reserved(why, partition);
	look.excluded = why_node_set(member_text(why->job, "excluded_nodes"));
	look.required = why_node_set(member_text(why->job, "required_nodes"));
	look.asked = asked ? why_node_set(member_text(asked, "nodes")) : NULL;
	look.limited = limited_nodes(why, name);
	nodes.named = why_nodes_names_all(&look);
	look.least = least_tasks(&look, all, name);
	for (size_t i = 0; i < array_size(all); i++) {
		struct json_object *node = json_object_array_get_idx(all, i);

		nodes.obstacles[i] =
			node_is_in(node, name) ? why_nodes_classify(&look, node) : WHY_ELSEWHERE;
	}
	why_nodes_judge(&nodes);
	json_object_put(look.excluded);
	json_object_put(look.required);
	json_object_put(look.asked);
	json_object_put(look.limited);
	*ret_nodes = nodes;
}

void why_nodes_clear(struct why_nodes *nodes)
{
	free(nodes->obstacles);
	json_object_put(nodes->reserved);
	*nodes = (struct why_nodes){0};
}

/* ---- telling -------------------------------------------------------------------------------- */

static const struct {
	const char *name, *text;
} obstacles[WHY_OBSTACLES] = {
	[WHY_UNREGISTERED] = {"unregistered", "not registered since slurmctld's start"},
	[WHY_DOWN] = {"down", "down or drained"},
	[WHY_EXCLUDED] = {"excluded", "excluded by --exclude"},
	[WHY_NODELIST] = {"nodelist", "not in its --nodelist"},
	[WHY_FEATURES] = {"features", "without the features"},
	[WHY_SMALL] = {"small", "too small"},
	[WHY_LIMITS] = {"limits", "kept by a limit of NODECFG"},
	[WHY_OUTSIDE] = {"outside", "outside of its reservation"},
	[WHY_RESERVED] = {"reserved", "reserved for others"},
	[WHY_BUSY] = {"busy", "busy"},
};

const char *why_obstacle_name(enum why_obstacle obstacle)
{
	return obstacles[obstacle].name;
}

void why_nodes_text(const struct why_nodes *nodes, char *text, size_t size)
{
	const char *between = ": ";

	*text = '\0';
	why_append(text, size, "partition %s has %" PRId64 " %s",
		   member_text(nodes->partition, "name"), nodes->total,
		   why_plural(nodes->total, "node", "nodes"));
	for (size_t i = 0; i < WHY_OBSTACLES; i++) {
		if (!nodes->out[i])
			continue;
		why_append(text, size, "%s%" PRId64 " %s", between, nodes->out[i],
			   obstacles[i].text);
		between = ", ";
	}
	why_append(text, size, "; %" PRId64 " %s left, it needs %" PRId64, nodes->left,
		   why_plural(nodes->left, "is", "are"), nodes->need.nodes);
	if (nodes->left >= nodes->need.nodes && !nodes->enough)
		why_append(text, size, ", with room for %" PRId64 " of its %" PRId64 " tasks",
			   nodes->left_tasks, nodes->need.tasks);
	if (nodes->out[WHY_BUSY])
		why_append(text, size, " (%" PRId64 " free %s)", nodes->free_procs,
			   why_plural(nodes->free_procs, "processor", "processors"));
}

static struct json_object *reserved_facts(const struct why_nodes *nodes)
{
	struct json_object *list = json_make_array();

	json_object_object_foreach(nodes->reserved, name, one)
	{
		struct json_object *facts;

		if (!member_integer(one, "count"))
			continue;
		facts = json_make_object();
		why_fact_text(facts, "reservation", name);
		json_set_number(facts, "nodes", member_integer(one, "count"));
		json_set_same(facts, one, "text");
		json_set_same(facts, one, "start");
		json_set_same(facts, one, "end");
		json_append(list, facts);
	}
	return list;
}

struct json_object *why_nodes_facts(const struct why_nodes *nodes)
{
	struct json_object *facts = json_make_object(), *out = json_make_object();

	for (size_t i = 0; i < WHY_OBSTACLES; i++)
		json_set_number(out, obstacles[i].name, nodes->out[i]);
	json_set_same(facts, nodes->partition, "name");
	json_set_number(facts, "nodes", nodes->total);
	json_set(facts, "out", out);
	json_set_number(facts, "left", nodes->left);
	json_set_number(facts, "left_tasks", nodes->left_tasks);
	json_set_number(facts, "needed", nodes->need.nodes);
	json_set_number(facts, "needed_tasks", nodes->need.tasks);
	json_set_number(facts, "free_procs", nodes->free_procs);
	json_set_flag(facts, "enough", nodes->enough);
	json_set_flag(facts, "never", nodes->never);
	json_set_flag(facts, "features_counted", nodes->constraint_counts);
	json_set(facts, "reserved_by", reserved_facts(nodes));
	return facts;
}
