/* SPDX-License-Identifier: GPL-2.0-or-later */
/* maui why --node: what it asks, the answer in one sentence, and how it is printed. */
#include "contribs/maui/why/why_node.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/report/json.h"
#include "contribs/maui/lib/output.h"
#include "contribs/maui/queue/machine_use.h"
#include "contribs/maui/service/engine_request.h"

#define COMPLAINT_SIZE 1024

/* ---- what is asked -------------------------------------------------------------------------- */

static void add_unseen(struct why_node *node, const char *reason)
{
	struct json_object *facts = json_make_object();

	why_fact_text(facts, "request", "check-node");
	why_add(&node->why, WHY_UNSEEN, "engine", facts,
		"whom reservations of Maui's admit, and which of its limits and lists hold a job "
		"back: %s",
		reason);
}

/* The data of check-node, for the access lists of reservations. */
static void why_node_ask(struct why_node *node)
{
	struct why *why = &node->why;
	struct json_object *arguments, *answer = NULL;
	char text[COMPLAINT_SIZE] = "";
	int code = EXIT_UNREACHABLE;

	why->engine = why->service != NULL;
	if (why->engine) {
		arguments = json_make_object();
		json_set_text(arguments, "node", node->name);
		complaints_keep(text, sizeof(text));
		code = engine_ask(why->service, "check-node", arguments, &answer);
		complaints_keep(NULL, 0);
		why->engine = code == EXIT_OK || code == EXIT_REFUSED;
	}
	if (code == EXIT_OK) {
		json_append(why->answers, answer);
		node->detail = member_object(answer, "data");
		return;
	}
	if (*text)
		note("%s", text);
	add_unseen(node,
		   why->engine ? "the engine refused to answer" : "the engine cannot be asked");
	if (why->engine)
		return;
	note("what follows is from Slurm alone");
	why->service = NULL;
}

/* ---- the answer ----------------------------------------------------------------------------- */

/* Of the first waiting job; the first finding is how many there are. */
static const char *first_reason(const struct why_node *node)
{
	for (size_t i = 0, seen = 0; i < array_size(node->why.findings); i++) {
		struct json_object *finding = json_object_array_get_idx(node->why.findings, i);

		if (!strcmp(member_text(finding, "part"), why_part_name(WHY_NODE_WAITING)) &&
		    seen++ == 1)
			return member_text(finding, "text");
	}
	return "";
}

/* Why a node that could take a job has none, or not more. */
static void add_reason(struct why_node *node)
{
	struct why *why = &node->why;
	struct json_object *reserved = why_first(why, WHY_NODE_RESERVED),
			   *plan = why_first(why, WHY_NODE_PLAN);
	size_t size = sizeof(why->summary);

	if (node->next)
		why_append(why->summary, size,
			   "job %s of %s may start there at the scheduler's next pass",
			   member_text(node->next, "id"), member_text(node->next, "user"));
	else if (reserved && !strcmp(member_text(reserved, "kind"), "now"))
		why_append(why->summary, size, "%s", member_text(reserved, "text"));
	else if (plan)
		why_append(why->summary, size, "%s", member_text(plan, "text"));
	else if (!node->waiting)
		why_append(why->summary, size, "%s",
			   member_text(why_first(why, WHY_NODE_WAITING), "text"));
	else
		why_append(why->summary, size, "%" PRId64 " %s for its partitions; first %s",
			   node->waiting, why_plural(node->waiting, "job waits", "jobs wait"),
			   first_reason(node));
}

static void why_node_summarise(struct why_node *node)
{
	struct why *why = &node->why;

	snprintf(why->summary, sizeof(why->summary), "node %s is %s", node->name, node->state);
	if (node->usable) {
		why_append(why->summary, sizeof(why->summary), ": ");
		add_reason(node);
	} else if (node->holders) {
		why_append(why->summary, sizeof(why->summary),
			   ": %" PRId64 " %s it; first to end: %s", node->holders,
			   why_plural(node->holders, "job has", "jobs have"),
			   member_text(why_first(why, WHY_NODE_JOBS), "text"));
	}
}

static void why_node_explain(struct why_node *node)
{
	why_node_ask(node);
	why_node_state(node);
	why_node_jobs(node);
	why_node_reserved(node);
	why_node_plan(node);
	why_node_waiting(node);
	why_node_summarise(node);
}

/* ---- printing ------------------------------------------------------------------------------- */

static int print_data(const struct why_node *node)
{
	struct json_object *data = json_make_object();
	int code;

	json_set_number(data, "time", node->why.now);
	json_set_text(data, "node", node->name);
	json_set_same(data, node->node, "state");
	json_set_same(data, node->node, "flags");
	json_set_same(data, node->node, "reason");
	json_set_same(data, node->node, "partitions");
	json_set_number(data, "procs", count_of(node->node, "procs"));
	json_set_number(data, "free_procs", node->free_procs);
	json_set_flag(data, "usable", node->usable);
	json_set_number(data, "waiting", node->waiting);
	json_set_flag(data, "engine", node->why.engine);
	json_set_text(data, "summary", node->why.summary);
	json_set(data, "findings", why_in_order(&node->why));
	code = print_json("maui.why-node/1", data);
	json_object_put(data);
	return code;
}

int why_node_tell(const struct cli *cli, struct json_object *queue, const char *name, int64_t limit)
{
	struct json_object *record = queue_find(queue, "nodes", name);
	struct queue_sorted sorted;
	struct engine engine;
	struct why_node node = {.why = {.queue = queue, .sorted = &sorted, .last = true},
				.node = record,
				.name = name,
				.limit = limit};
	int code = EXIT_OK;

	if (!record)
		return fail(EXIT_REFUSED, "Slurm has no node %s, or it is not yours to see", name);
	node.why.service = why_find_engine(cli, &engine);
	queue_sort(queue, &sorted);
	queue_sorted_node(&sorted, name, &node.at);
	why_open(&node.why);
	why_node_explain(&node);
	if (cli->json)
		code = print_data(&node);
	else
		why_print(&node.why);
	why_clear(&node.why);
	queue_sorted_clear(&sorted);
	return code;
}
