/* SPDX-License-Identifier: GPL-2.0-or-later */
/* maui why --node: the node's state, and who has it now or gets it next. */
#include "contribs/maui/why/why_node.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/memory.h"
#include "common/report/json.h"
#include "contribs/maui/lib/output.h"
#include "contribs/maui/lib/rsv_text.h"
#include "contribs/maui/queue/machine_use.h"

/* ---- its state ------------------------------------------------------------------------------ */

/* Of a node that takes no jobs, or not at once; NULL: of one that does. */
static const char *state_words(struct json_object *node)
{
	switch (node_use(node)) {
	case MAUI_NODE_POWERS_UP:
		return node_has_flag(node, "POWERED_DOWN")
			       ? "powered down, and booted for a job that gets it"
			       : "booting";
	case MAUI_NODE_POWERS_DOWN:
		return "powering down: it takes jobs when it is off, and boots for them";
	case MAUI_NODE_REBOOTS:
		return "rebooting";
	case MAUI_NODE_MAINT:
		return "in maintenance: only jobs of that reservation start there";
	case MAUI_NODE_DRAINS:
		return count_of(node, "allocated_procs")
			       ? "draining: it ends what it runs, and starts nothing"
			       : "drained";
	case MAUI_NODE_UNKNOWN:
		return "unknown to slurmctld until its slurmd registers";
	case MAUI_NODE_DOWN:
		return node_has_flag(node, "NOT_RESPONDING") ? "down: its slurmd does not respond"
							     : "down";
	case MAUI_NODE_FUTURE:
		return "a FUTURE node of slurm.conf, not there yet";
	case MAUI_NODE_USABLE:
		break;
	}
	return NULL;
}

/* False for a node whose memory is not known. */
static bool lacks_memory(struct json_object *node)
{
	int64_t memory = count_of(node, "memory");

	return memory && count_of(node, "allocated_memory") >= memory;
}

static void use_words(struct why_node *node, int64_t procs)
{
	if (node->free_procs == procs)
		why_append(node->state, sizeof(node->state), "idle");
	else if (!node->free_procs)
		why_append(node->state, sizeof(node->state), "all in use");
	else
		why_append(node->state, sizeof(node->state),
			   "partly in use, %" PRId64 " of %" PRId64 " processors free",
			   node->free_procs, procs);
	if (node->free_procs && lacks_memory(node->node))
		why_append(node->state, sizeof(node->state), ", but no memory is left");
}

void why_node_state(struct why_node *node)
{
	const char *words = state_words(node->node), *reason = member_text(node->node, "reason");
	int64_t procs = count_of(node->node, "procs"),
		used = count_of(node->node, "allocated_procs");
	struct json_object *facts = json_make_object();

	node->free_procs = procs > used ? procs - used : 0;
	node->usable = node_takes_jobs(node->node) && node->free_procs &&
		       !lacks_memory(node->node) && !node_has_flag(node->node, "COMPLETING");
	if (words)
		why_append(node->state, sizeof(node->state), "%s", words);
	else
		use_words(node, procs);
	if (node_has_flag(node->node, "COMPLETING"))
		why_append(node->state, sizeof(node->state),
			   ", and slurmd still ends a job (COMPLETING)");
	if (*reason)
		why_append(node->state, sizeof(node->state), " (Slurm's reason: %.300s)", reason);
	json_set_number(facts, "procs", procs);
	json_set_number(facts, "free_procs", node->free_procs);
	json_set_number(facts, "memory", count_of(node->node, "memory"));
	json_set_number(facts, "allocated_memory", count_of(node->node, "allocated_memory"));
	why_fact_text(facts, "reason", reason);
	why_add(&node->why, WHY_NODE_STATE, "state", facts, "%s", node->state);
}

/* ---- jobs that hold it ---------------------------------------------------------------------- */

struct holder {
	struct json_object *job;
	int64_t procs, end; /* INT64_MAX: never */
};

static int by_end(const void *first, const void *second)
{
	const struct holder *one = first, *other = second;

	return (one->end > other->end) - (one->end < other->end);
}

/* Those on the node, the first to end first; the caller frees them. */
static struct holder *holders_of(const struct why_node *node, size_t *ret_count)
{
	const struct queue_sorted *sorted = node->why.sorted;
	struct json_object *jobs = member_array(sorted->active, "jobs");
	struct holder *holders = maui_calloc(sorted->use_count + 1, sizeof(*holders));
	size_t count = 0;

	for (size_t i = 0; i < sorted->use_count; i++) {
		const struct queue_use *use = &sorted->uses[i];
		struct json_object *job;
		int64_t end;

		if (use->node != node->at)
			continue;
		job = json_object_array_get_idx(jobs, use->job);
		end = member_integer(job, "end");
		holders[count++] = (struct holder){job, use->procs, end > 0 ? end : INT64_MAX};
	}
	qsort(holders, count, sizeof(*holders), by_end);
	*ret_count = count;
	return holders;
}

static void add_holder(struct why_node *node, const struct holder *holder)
{
	struct json_object *facts = json_make_object(), *job = holder->job;
	int64_t end = member_integer(job, "end");
	char time[TEXT_DATE_SIZE];

	json_set_same(facts, job, "id");
	json_set_same(facts, job, "job");
	json_set_same(facts, job, "user");
	json_set_same(facts, job, "state");
	json_set_number(facts, "procs", holder->procs);
	why_fact_time(facts, "end", end);
	why_add(&node->why, WHY_NODE_JOBS, "job", facts, "job %s of %s has %" PRId64 " %s%s%s%s",
		member_text(job, "id"), member_text(job, "user"), holder->procs,
		why_plural(holder->procs, "processor", "processors"),
		strcmp(member_text(job, "state"), "SUSPENDED") != 0 ? "" : " and is suspended",
		end > 0 ? ", until " : ", without a time limit",
		end > 0 ? why_time(end, time) : "");
}

void why_node_jobs(struct why_node *node)
{
	size_t count;
	struct holder *holders = holders_of(node, &count);
	int64_t hidden = count_of(node->node, "allocated_procs");

	for (size_t i = 0; i < count; i++) {
		hidden -= holders[i].procs;
		if ((int64_t)i < node->limit)
			add_holder(node, &holders[i]);
	}
	node->holders = (int64_t)count;
	if (node->holders > node->limit)
		why_add(&node->why, WHY_NODE_JOBS, "omitted", NULL,
			"and %" PRId64 " more, which end later", node->holders - node->limit);
	if (hidden > 0)
		why_add(&node->why, WHY_UNSEEN, "jobs", NULL,
			"who holds %" PRId64 " %s: jobs that are not yours to see", hidden,
			why_plural(hidden, "processor", "processors"));
	free(holders);
}

/* ---- reservations --------------------------------------------------------------------------- */

static struct json_object *detail_of(const struct why_node *node, const char *name)
{
	struct json_object *rows = member_array(node->detail, "reservation_list");

	for (size_t i = 0; i < array_size(rows); i++) {
		struct json_object *row = json_object_array_get_idx(rows, i);

		if (!strcmp(member_text(row, "name"), name))
			return row;
	}
	return NULL;
}

/* To Slurm, ours belong to SlurmUser: the engine has their lists. */
static void why_node_state_users(const struct why_node *node, struct json_object *reservation,
				 char *text, size_t size)
{
	struct json_object *detail = detail_of(node, member_text(reservation, "name"));
	const char *users = member_text(reservation, "users"),
		   *accounts = member_text(reservation, "accounts");
	int64_t omitted = member_integer(detail, "acl_omitted");
	char list[300];

	*text = '\0';
	if (member_flag(detail, "ours") && !member_flag(detail, "open")) {
		why_append(text, size, "nobody, as it is closed");
	} else if (member_flag(detail, "ours")) {
		joined(member_array(detail, "acl"), " ", list, sizeof(list));
		why_append(text, size, "%s", *list ? list : "nobody: its list is empty");
		if (omitted > 0)
			why_append(text, size, " and %" PRId64 " more", omitted);
	} else if (!node->detail && member_integer(reservation, "max_start_delay") > 0) {
		why_append(text, size, "those of an access list that only the engine has");
	} else {
		why_append(text, size, "%s%.200s%s%s%.200s", *users ? "users " : "", users,
			   *users && *accounts ? ", " : "", *accounts ? "accounts " : "", accounts);
	}
}

/* Cores of the node that it takes; 0: all of it. */
static int64_t cores_on(struct json_object *reservation, const char *name)
{
	struct json_object *parts = member_array(reservation, "cores");

	for (size_t i = 0; i < array_size(parts); i++) {
		struct json_object *part = json_object_array_get_idx(parts, i);

		if (!strcmp(member_text(part, "node"), name))
			return rsv_cores(member_text(part, "cores"));
	}
	return 0;
}

static void add_reserved(struct why_node *node, struct json_object *reservation)
{
	int64_t start = member_integer(reservation, "start"), end = rsv_end(reservation);
	int64_t cores = cores_on(reservation, node->name);
	bool now = start <= node->why.now;
	struct json_object *facts = json_make_object();
	char from[TEXT_DATE_SIZE], until[TEXT_DATE_SIZE], text[600], what[64] = "it";

	why_node_state_users(node, reservation, text, sizeof(text));
	if (cores)
		snprintf(what, sizeof(what), "%" PRId64 " of its cores", cores);
	why_fact_text(facts, "reservation", member_text(reservation, "name"));
	why_fact_text(facts, "for", text);
	why_fact_time(facts, "start", start);
	why_fact_time(facts, "end", end);
	json_set(facts, "cores", cores ? json_make_number(cores) : NULL);
	why_add(&node->why, WHY_NODE_RESERVED, now ? "now" : "later", facts,
		"reservation %s %s %s for %s%s%s%s%s", member_text(reservation, "name"),
		now ? "keeps" : "will keep", what, text, now ? "" : " from ",
		now ? "" : why_time(start, from), end ? " until " : ", and never ends",
		end ? why_time(end, until) : "");
}

void why_node_reserved(struct why_node *node)
{
	struct json_object *all = member_array(node->why.queue, "reservations");
	bool now = false;

	for (int later = 0; later < 2; later++) {
		for (size_t i = 0; i < array_size(all); i++) {
			struct json_object *one = json_object_array_get_idx(all, i), *set;
			int64_t end = rsv_end(one);
			bool begun = member_integer(one, "start") <= node->why.now;

			if ((end && end <= node->why.now) || begun == (later == 1))
				continue;
			set = why_node_set(member_text(one, "nodes"));
			if (why_in_set(set, node->name)) {
				now |= begun;
				add_reserved(node, one);
			}
			json_object_put(set);
		}
	}
	if (!now && node_has_flag(node->node, "RESERVED"))
		why_add(&node->why, WHY_UNSEEN, "reservation", NULL,
			"the reservation that it is in: it is not yours to see");
}

/* ---- planned starts ------------------------------------------------------------------------- */

static void add_plan(struct why_node *node, struct json_object *job, int64_t start)
{
	struct json_object *facts = json_make_object();
	char time[TEXT_DATE_SIZE];

	json_set_same(facts, job, "id");
	json_set_same(facts, job, "job");
	json_set_same(facts, job, "user");
	json_set_same(facts, job, "priority");
	why_fact_time(facts, "start", start);
	json_set_same(facts, job, "scheduled_nodes");
	why_add(&node->why, WHY_NODE_PLAN, "plan", facts,
		"backfill keeps it for job %s of %s, planned to start at %s on %s",
		member_text(job, "id"), member_text(job, "user"), why_time(start, time),
		member_text(job, "scheduled_nodes"));
}

static bool is_planned_on(struct json_object *job, const char *name)
{
	struct json_object *set = why_node_set(member_text(job, "scheduled_nodes"));
	bool there = why_in_set(set, name);

	json_object_put(set);
	return there;
}

void why_node_plan(struct why_node *node)
{
	const struct queue_sorted *sorted = node->why.sorted;

	for (size_t i = 0; i < sorted->waiting_count; i++) {
		struct json_object *job = sorted->waiting[i].job;
		int64_t start = member_integer(job, "start");

		if (start <= node->why.now || !*member_text(job, "scheduled_nodes") ||
		    !is_planned_on(job, node->name))
			continue;
		if (!node->planned || start < node->plan) {
			node->planned = job;
			node->plan = start;
		}
	}
	if (node->planned)
		add_plan(node, node->planned, node->plan);
	else if (node_has_flag(node->node, "PLANNED"))
		why_add(&node->why, WHY_UNSEEN, "plan", NULL,
			"for which job backfill keeps it: its plan is not in the queue, or not "
			"yours to see");
}
