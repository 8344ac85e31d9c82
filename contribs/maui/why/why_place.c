/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether nodes are left for the job, and who comes before it; that is the cause if nothing else
 * is. */
#include "contribs/maui/why/why.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/util/list.h"
#include "common/report/json.h"
#include "contribs/maui/lib/output.h"
#include "contribs/maui/queue/queue.h"

#define TOLD 3 /* jobs in a text */

/* ---- who is in the way on nodes ------------------------------------------------------------- */

/* Processors that a job has on nodes that are busy; *use goes on to the next job. */
static int64_t procs_on(const struct queue_use **use, const struct queue_use *last,
			const struct why_nodes *nodes)
{
	size_t job = (*use)->job;
	int64_t procs = 0;

	for (; *use < last && (*use)->job == job; (*use)++)
		procs += nodes->obstacles[(*use)->node] == WHY_BUSY ? (*use)->procs : 0;
	return procs;
}

static int64_t procs_held(const struct why *why, const struct why_nodes *nodes)
{
	struct json_object *all = member_array(why->queue, "nodes");
	int64_t procs = 0;

	for (size_t i = 0; i < array_size(all); i++) {
		struct json_object *node = json_object_array_get_idx(all, i);

		if (nodes->obstacles[i] == WHY_BUSY)
			procs += member_integer(node, "allocated_procs");
	}
	return procs;
}

/* {"count", "id", "user", "time", "hidden_procs"} of the jobs on nodes that would be suitable
 * without them. */
static struct json_object *busy_jobs(const struct why *why, const struct why_nodes *nodes)
{
	struct json_object *jobs = member_array(why->sorted->active, "jobs"), *first = NULL;
	struct json_object *facts = json_make_object();
	const struct queue_use *use = why->sorted->uses, *last = use + why->sorted->use_count;
	int64_t count = 0, earliest = 0, hidden = procs_held(why, nodes);

	while (use < last) {
		struct json_object *job = json_object_array_get_idx(jobs, use->job);
		int64_t procs = procs_on(&use, last, nodes), end;

		if (procs <= 0)
			continue;
		end = member_integer(job, "end");
		count++;
		hidden -= procs;
		if (end > 0 && (!earliest || end < earliest)) {
			earliest = end;
			first = job;
		}
	}
	json_set_same(facts, nodes->partition, "name");
	json_set_number(facts, "count", count);
	json_set_same(facts, first, "id");
	json_set_same(facts, first, "user");
	why_fact_time(facts, "time", earliest);
	json_set_number(facts, "hidden_procs", hidden > 0 ? hidden : 0);
	return facts;
}

static void add_busy(struct why *why, const struct why_nodes *nodes)
{
	struct json_object *facts = busy_jobs(why, nodes);
	int64_t count = member_integer(facts, "count"), end = member_integer(facts, "time");
	int64_t hidden = member_integer(facts, "hidden_procs");
	char time[TEXT_DATE_SIZE];

	if (hidden)
		why_add(why, WHY_UNSEEN, "nodes", NULL,
			"who holds %" PRId64
			" %s of the busy nodes: jobs that are not yours to see",
			hidden, why_plural(hidden, "processor", "processors"));
	if (!count) {
		json_object_put(facts);
		why_add(why, WHY_FREES, "nodes", NULL,
			"the end of jobs on nodes that would do in partition %s",
			member_text(nodes->partition, "name"));
		return;
	}
	why_add(why, WHY_FREES, "nodes", NULL,
		"the end of the %" PRId64 " %s on nodes that would do in partition %s", count,
		why_plural(count, "job", "jobs"), member_text(nodes->partition, "name"));
	why_add(why, WHY_WHEN, "nodes", facts, "the first of them, job %s of %s, ends by %s",
		member_text(facts, "id"), member_text(facts, "user"), why_time(end, time));
}

static void add_reserved(struct why *why, const struct why_nodes *nodes)
{
	json_object_object_foreach(nodes->reserved, name, one)
	{
		int64_t count = member_integer(one, "count"), end = member_integer(one, "end");
		struct json_object *facts;
		char time[TEXT_DATE_SIZE];

		if (!count)
			continue;
		facts = json_make_object();
		why_fact_text(facts, "reservation", name);
		json_set_number(facts, "nodes", count);
		json_set_same(facts, one, "text");
		json_set_same(facts, one, "start");
		json_set_same(facts, one, "end");
		why_add(why, WHY_NODES, "reservation", facts,
			"reservation %s keeps it off %" PRId64 " %s: %s", name, count,
			why_plural(count, "node", "nodes"), member_text(one, "text"));
		if (nodes->enough)
			continue;
		facts = json_make_object();
		why_fact_text(facts, "reservation", name);
		why_fact_time(facts, "time", end);
		why_add(why, WHY_FREES, "reservation", NULL, "%s reservation %s%s",
			end ? "the end of" : "to be admitted by", name,
			member_integer(one, "start") > why->now
				? ", or a job that ends before it begins"
				: "");
		why_add(why, WHY_WHEN, "reservation", facts, "reservation %s %s%s", name,
			end ? "ends at " : "never ends", end ? why_time(end, time) : "");
	}
}

static void add_remedies(struct why *why, const struct why_nodes *nodes)
{
	if (nodes->never) {
		why_add(why, WHY_FREES, "nodes", NULL,
			"nothing that happens by itself in partition %s: fewer or other nodes, "
			"features or tasks",
			member_text(nodes->partition, "name"));
		why_add(why, WHY_WHEN, "nodes", NULL, "never, as it is");
		return;
	}
	if (nodes->out[WHY_UNREGISTERED])
		why_add(why, WHY_FREES, "nodes", NULL,
			"the registration of nodes of partition %s: slurmctld has just started",
			member_text(nodes->partition, "name"));
	else if (nodes->up < nodes->need.nodes)
		why_add(why, WHY_FREES, "nodes", NULL,
			"nodes of partition %s that are down or drained, once they are back",
			member_text(nodes->partition, "name"));
	if (nodes->out[WHY_LIMITS])
		why_add(why, WHY_FREES, "nodes", NULL,
			"the end of jobs on nodes with a limit of NODECFG (`maui diagnose -n -v`)");
	if (nodes->out[WHY_BUSY])
		add_busy(why, nodes);
}

/* ---- who is ahead --------------------------------------------------------------------------- */

static void ahead_text(struct json_object *facts, char *text, size_t size)
{
	struct json_object *jobs = member_array(facts, "jobs");
	int64_t count = member_integer(facts, "count");

	*text = '\0';
	why_append(text, size, "%" PRId64 " %s of higher priority %s for the same nodes", count,
		   why_plural(count, "job", "jobs"), why_plural(count, "waits", "wait"));
	for (size_t i = 0; i < array_size(jobs) && i < TOLD; i++) {
		struct json_object *job = json_object_array_get_idx(jobs, i);

		why_append(text, size, "%s%s of %s (%" PRId64 ")", i ? ", " : ": ",
			   member_text(job, "id"), member_text(job, "user"),
			   member_integer(job, "priority"));
	}
	if (array_size(jobs) > TOLD)
		why_append(text, size, ", ...");
}

/* Returns how many there are. */
static int64_t add_ahead(struct why *why, const struct why_nodes *nodes)
{
	struct json_object *facts = why_ahead(why, nodes);
	int64_t count = member_integer(facts, "count");
	char text[600];

	if (!count || why->brief) {
		json_object_put(facts);
		return count;
	}
	ahead_text(facts, text, sizeof(text));
	why_add(why, WHY_AHEAD, "ahead", facts, "%s; its own is %" PRId64, text,
		member_integer(why->job, "priority"));
	return count;
}

/* ---- the cause ------------------------------------------------------------------------------ */

static void add_nodes_cause(struct why *why, const struct why_nodes *nodes)
{
	char text[600];

	why_nodes_text(nodes, text, sizeof(text));
	why_add(why, WHY_CAUSE, "nodes", why_nodes_facts(nodes), "%s%s",
		nodes->never ? "it can never start as it is: " : "", text);
}

/* All of them may be hidden from the caller. */
static void add_priority_cause(struct why *why, const struct why_nodes *nodes, int64_t count)
{
	struct json_object *facts = why->brief ? NULL : why_ahead(why, nodes);

	if (count)
		why_add(why, WHY_CAUSE, "priority", facts,
			"%" PRId64 " %s of higher priority %s for the same nodes", count,
			why_plural(count, "job", "jobs"), why_plural(count, "waits", "wait"));
	else
		why_add(why, WHY_CAUSE, "priority", facts,
			"jobs of higher priority wait, as Slurm says; you see none of them");
	if (!count)
		why_add(why, WHY_UNSEEN, "priority", NULL,
			"who is ahead: jobs that are not yours to see");
	why_add(why, WHY_FREES, "priority", NULL,
		"the start of jobs that are ahead, or a gap that backfill finds before them");
}

static void add_scheduler_cause(struct why *why, const struct why_nodes *nodes)
{
	const char *reason = member_text(why->job, "reason");
	bool says = *reason && strcmp(reason, "None") != 0;
	struct json_object *facts = json_make_object();

	json_set_same(facts, nodes->partition, "name");
	why_fact_text(facts, "reason", reason);
	why_add(why, WHY_CAUSE, "scheduler", facts,
		"nothing that can be seen stands against it in partition %s%s%s: the next pass of "
		"the "
		"scheduler decides",
		member_text(nodes->partition, "name"), says ? "; Slurm's reason is " : "",
		says ? reason : "");
}

/*
 * Behind others, unless nodes are missing that no ending job gives back, or it names them all. Jobs
 * ahead may be hidden: then Slurm's reason says so.
 */
static void add_cause(struct why *why, const struct why_nodes *nodes, int64_t ahead)
{
	bool behind = ahead || !strcmp(member_text(why->job, "reason"), "Priority");
	int64_t ends = nodes->left + nodes->out[WHY_BUSY] + nodes->out[WHY_LIMITS];
	bool lacks = ends < nodes->need.nodes || (nodes->named && !nodes->enough);

	if (lacks || (!nodes->enough && !behind))
		add_nodes_cause(why, nodes);
	else if (behind)
		add_priority_cause(why, nodes, ahead);
	else
		add_scheduler_cause(why, nodes);
	if (!nodes->enough || nodes->never)
		add_remedies(why, nodes);
}

/* It may ask for several partitions, not all of which would start it. */
static bool add_refusal(struct why *why, struct json_object *partition)
{
	struct json_object *facts = json_make_object();
	char text[512];

	json_set_same(facts, partition, "name");
	if (!why_refused(why, partition, text, sizeof(text), facts)) {
		json_object_put(facts);
		return false;
	}
	why_add(why, WHY_NODES, "partition", facts, "partition %s %s",
		member_text(partition, "name"), text);
	return true;
}

static void look_at(struct why *why, struct json_object *partition, bool is_cause)
{
	struct why_nodes nodes;
	char text[600];
	int64_t ahead;

	why_nodes_look(why, partition, &nodes);
	why_nodes_text(&nodes, text, sizeof(text));
	why_add(why, WHY_NODES, "nodes", why_nodes_facts(&nodes), "%s", text);
	if (!nodes.constraint_counts)
		why_add(why, WHY_UNSEEN, "features", NULL,
			"features: only Slurm judges a constraint such as %s",
			member_text(why->job, "features"));
	add_reserved(why, &nodes);
	ahead = member_integer(why->job, "priority") > 0 ? add_ahead(why, &nodes) : 0;
	if (!add_refusal(why, partition) && is_cause)
		add_cause(why, &nodes, ahead);
	why_nodes_clear(&nodes);
}

void why_place(struct why *why)
{
	const char *list = member_text(why->job, "partition");
	bool is_cause = !why_has(why, WHY_CAUSE);
	struct maui_item item;

	while (maui_list_next(&list, ",", &item)) {
		struct json_object *partition;
		char name[256];

		maui_item_copy(item, name, sizeof(name));
		partition = queue_find(why->queue, "partitions", name);
		if (partition)
			look_at(why, partition, is_cause);
		else
			why_add(why, WHY_UNSEEN, "partition", NULL,
				"partition %s: it is gone, or hidden from you", name);
	}
}

void why_plan(struct why *why)
{
	int64_t start = member_integer(why->job, "start");
	const char *nodes = member_text(why->job, "scheduled_nodes");
	struct json_object *facts = json_make_object();
	char time[TEXT_DATE_SIZE];

	why_fact_time(facts, "time", start > why->now ? start : 0);
	why_fact_text(facts, "nodes", nodes);
	if (start > why->now)
		why_add(why, WHY_WHEN, "plan", facts, "Slurm's plan is to start it at %s%s%s",
			why_time(start, time), *nodes ? " on " : "", nodes);
	else if (!why_has(why, WHY_WHEN))
		why_add(why, WHY_WHEN, "plan", facts,
			"not known: Slurm has no plan for its start yet");
	else
		json_object_put(facts);
}
