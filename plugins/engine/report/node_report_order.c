/* SPDX-License-Identifier: GPL-2.0-or-later */
/* explain-nodes. */
#include "plugins/compat/base.h"

#include "plugins/engine/report/node_report.h"

#include <stdlib.h>
#include <string.h>

#include "plugins/engine/report/name_texts.h"
#include "plugins/engine/report/node_json.h"
#include "plugins/engine/report/report_arguments.h"
#include "plugins/engine/report/report_json.h"
#include "plugins/engine/report/report_records.h"
#include "plugins/engine/reservation/rsv_admission.h"
#include "plugins/engine/slurm/features.h"
#include "plugins/engine/slurm/jobrec.h"
#include "plugins/engine/slurm/noderec.h"
#include "plugins/engine/slurm/partrec.h"

#define NO_SUCH_JOB "Slurm has no such job, or it is not yours to see"

struct question {
	uint32_t job, task; /* NO_VAL: no task of an array */
	int64_t limit;
};

/* Nodes of the partition that are no candidates, each counted under the first reason against it. */
struct left_out {
	uint32_t down, excluded, features, limits;
	const char *limited; /* the nodes of limits, as a list expression; NULL: none */
};

struct copy {
	struct maui_arena *arena;
	struct node_explanation explanation;
	const char **names; /* parallel to explanation.nodes */
	bool *allocated, *required;
	struct report_job job;
	const char *state, *partition, *constraint;
	bool constraint_counts;
	uint32_t wanted_nodes, wanted_tasks;
	struct left_out left_out;
};

/* ---- the candidates; Slurm's locks are held ---- */

static bool holds_nodes(const job_record_t *job)
{
	return jobrec_is_active(job) && jobrec_nodes(job);
}

static void keep_features(const job_record_t *job, struct copy *copy, bitstr_t *nodes)
{
	copy->constraint_counts = features_keep(job, nodes);
	copy->constraint = report_copy_text(copy->arena, jobrec_constraint(job));
}

/* How many fewer nodes there are than before. */
static uint32_t node_order_lost(bitstr_t *nodes, uint32_t *count)
{
	uint32_t before = *count;

	*count = (uint32_t)bit_set_count(nodes);
	return before - *count;
}

/* The nodes that limits keep the job off are named: those that are missing for another reason
 * cannot be told from them by a command that asked Slurm a moment earlier or later. */
static void leave_out_limited(const job_record_t *job, struct copy *copy, bitstr_t *nodes,
			      uint32_t *count)
{
	bitstr_t *limited = bit_copy(nodes);
	char *names;

	node_order_permit(job, nodes);
	copy->left_out.limits = node_order_lost(nodes, count);
	if (copy->left_out.limits) {
		bit_and_not(limited, nodes);
		names = noderec_names(limited);
		copy->left_out.limited = report_copy_text(copy->arena, names);
		xfree(names);
	}
	FREE_NULL_BITMAP(limited);
}

/* The nodes of the job's partition that it may get. A running job keeps its nodes, whatever has
 * become of them. */
static bitstr_t *candidates_of(const job_record_t *job, struct copy *copy)
{
	bitstr_t *nodes = bit_copy(partrec_nodes(jobrec_partition(job)));
	uint32_t count = (uint32_t)bit_set_count(nodes);

	if (noderec_available())
		bit_and(nodes, noderec_available());
	copy->left_out.down = node_order_lost(nodes, &count);
	if (jobrec_excluded_nodes(job))
		bit_and_not(nodes, jobrec_excluded_nodes(job));
	copy->left_out.excluded = node_order_lost(nodes, &count);
	keep_features(job, copy, nodes);
	copy->left_out.features = node_order_lost(nodes, &count);
	leave_out_limited(job, copy, nodes, &count);
	if (holds_nodes(job))
		bit_or(nodes, jobrec_nodes(job));
	return nodes;
}

/* ---- copying; Slurm's locks are held ---- */

static const job_record_t *find_job(const struct question *question)
{
	return question->task == NO_VAL ? jobrec_find(question->job)
					: jobrec_find_task(question->job, question->task);
}

static void copy_job(struct copy *copy, const job_record_t *job)
{
	uint32_t tasks = jobrec_tasks(job), per_task = jobrec_cpus_per_task(job);

	copy->partition = report_copy_text(copy->arena, jobrec_class(job));
	copy->state = jobrec_is_suspended(job) ? "suspended"
		      : jobrec_is_running(job) ? "running"
					       : "pending";
	copy->wanted_nodes = jobrec_min_nodes(job);
	copy->wanted_tasks = tasks ? tasks : jobrec_min_cpus(job) / (per_task ? per_task : 1);
}

static void copy_node(struct copy *copy, const job_record_t *job, uint32_t at)
{
	const struct node_explained *node = &copy->explanation.nodes[at];
	uint32_t index = node->candidate.position;
	bitstr_t *required = jobrec_required_nodes(job);

	copy->names[at] = report_copy_text(copy->arena, node->name);
	copy->allocated[at] = holds_nodes(job) && bit_test(jobrec_nodes(job), index);
	copy->required[at] = required && bit_test(required, index);
}

static const char *copy_order(struct copy *copy, const job_record_t *job)
{
	bitstr_t *candidates;
	bool explained;
	uint32_t count;

	if (!job)
		return NO_SUCH_JOB;
	report_copy_job(copy->arena, job, &copy->job);
	if (!jobrec_is_pending(job) && !holds_nodes(job))
		return "the job has ended";
	if (!jobrec_partition(job) || !partrec_nodes(jobrec_partition(job)))
		return "the job's partition has no nodes";
	copy_job(copy, job);
	candidates = candidates_of(job, copy);
	explained = node_order_explain(job, rsv_admission_affinity(job, noderec_count()),
				       candidates, &copy->explanation);
	FREE_NULL_BITMAP(candidates);
	if (!explained)
		return NODE_REPORT_FAILED;
	count = copy->explanation.count;
	copy->names = maui_arena_alloc(copy->arena, count, sizeof(*copy->names));
	copy->allocated = maui_arena_alloc(copy->arena, count, sizeof(*copy->allocated));
	copy->required = maui_arena_alloc(copy->arena, count, sizeof(*copy->required));
	for (uint32_t i = 0; i < count; i++)
		copy_node(copy, job, i);
	return NULL;
}

/* ---- the answer ---- */

static struct json_object *node_object(const struct copy *copy, uint32_t at)
{
	const struct node_explained *node = &copy->explanation.nodes[at];
	struct json_object *object = json_make_object();
	int64_t reserved = node->candidate.available_until;

	json_set_text(object, "name", copy->names[at]);
	json_set_number(object, "rank", (int64_t)node->rank + 1);
	json_set_number(object, "tasks", node->candidate.tasks);
	json_set_flag(object, "preferred", node->candidate.preferred);
	json_set_flag(object, "required", copy->required[at]);
	json_set_flag(object, "allocated", copy->allocated[at]);
	node_json_terms(object, node->candidate.settings->formula.gres, &node->terms);
	node_json_resources(object, &node->candidate);
	report_json_time(object, "reserved_from", reserved == MAUI_NODE_FOREVER ? 0 : reserved);
	return object;
}

static struct json_object *left_out_object(const struct left_out *left_out)
{
	struct json_object *object = json_make_object();

	json_set_number(object, "down", left_out->down);
	json_set_number(object, "excluded", left_out->excluded);
	json_set_number(object, "features", left_out->features);
	json_set_number(object, "limits", left_out->limits);
	json_set_text(object, "limited", left_out->limited);
	return object;
}

static struct json_object *order_object(const struct copy *copy, int64_t limit)
{
	const struct node_explanation *explanation = &copy->explanation;
	uint32_t count = explanation->count < limit ? explanation->count : (uint32_t)limit;
	struct json_object *data = json_make_object();
	size_t unanswered = 0;
	struct json_object *nodes = json_make_array();

	report_json_job(data, &copy->job, &unanswered);
	name_texts_add_unanswered(data, unanswered);
	json_set_text(data, "account", copy->job.account);
	json_set_text(data, "partition", copy->partition);
	json_set_text(data, "state", copy->state);
	json_set_text(data, "policy_asked", maui_nodealloc_policy_name(explanation->asked));
	json_set_text(data, "policy", maui_nodealloc_policy_name(explanation->served));
	json_set_flag(data, "policy_by_job", explanation->by_job);
	json_set_number(data, "wanted_nodes", copy->wanted_nodes);
	json_set_number(data, "wanted_tasks", copy->wanted_tasks);
	json_set_text(data, "constraint", copy->constraint);
	json_set_flag(data, "constraint_counts", copy->constraint_counts);
	for (uint32_t i = 0; i < count; i++)
		json_append(nodes, node_object(copy, i));
	json_set(data, "nodes", nodes);
	json_set_number(data, "omitted", explanation->count - count);
	json_set(data, "left_out", left_out_object(&copy->left_out));
	return data;
}

static const char *read_question(struct json_object *arguments, struct question *question)
{
	const char *wrong = report_job_argument(arguments, &question->job, &question->task);

	question->limit = NODE_JSON_MAX;
	if (wrong)
		return wrong;
	if (!report_number_argument(arguments, "limit", 1, UINT32_MAX, &question->limit))
		return "the limit is not a number of nodes";
	if (question->limit > NODE_JSON_MAX)
		question->limit = NODE_JSON_MAX;
	return NULL;
}

const char *node_report_order(const struct report_asker *asker, struct json_object *arguments,
			      struct json_object **ret_data)
{
	struct question question;
	const char *wrong = read_question(arguments, &question);
	struct copy copy = {0};

	if (wrong)
		return wrong;
	if (report_asker_is_bound(asker, PRIVATE_DATA_NODES))
		return NODE_REPORT_PRIVATE;
	copy.arena = maui_arena_new();
	if (!report_records_lock()) {
		wrong = REPORT_STANDBY;
	} else {
		wrong = copy_order(&copy, find_job(&question));
		report_records_unlock();
	}
	/* Reveal nothing about a job that the user may not see, not even that it has ended. */
	if (copy.job.id && !report_asker_sees_job(asker, copy.job.uid, copy.job.account))
		wrong = NO_SUCH_JOB;
	if (!wrong)
		*ret_data = order_object(&copy, question.limit);
	node_explanation_clear(&copy.explanation);
	maui_arena_free(copy.arena);
	return wrong;
}
