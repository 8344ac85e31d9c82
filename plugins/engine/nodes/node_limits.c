/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Clears the nodes whose NODECFG limits refuse the job. Jobs and CPUs of each
 * of its credentials are counted per node when a limit first needs them.
 */
#include "plugins/compat/base.h"

#include "plugins/engine/nodes/node_limits.h"

#include <stdlib.h>
#include <strings.h>

#include "common/policy/priority/pe.h"
#include "common/util/memory.h"
#include "plugins/engine/slurm/jobrec.h"
#include "plugins/engine/slurm/noderec.h"

/* What the jobs of one credential of the job hold of each node; counted when the first limit asks
 * for it. */
struct tally {
	uint32_t *jobs, *cpus;
	bool counted;
};

struct limits_view {
	const struct node_table *table;
	const job_record_t *job;
	const struct maui_engine_node_use *use;
	struct tally tally[MAUI_CREDENTIALS];
	struct tally *counting; /* the one being filled, of this type */
	enum maui_credential type;
	struct maui_resources task; /* of the job */
};

/* ---- counting ---- */

static bool same_text(const char *a, const char *b)
{
	return a && b && !strcasecmp(a, b);
}

static bool same_credential(const job_record_t *a, const job_record_t *b, enum maui_credential type)
{
	switch (type) {
	case MAUI_USER:
		return jobrec_user(a) == jobrec_user(b);
	case MAUI_GROUP:
		return jobrec_group(a) == jobrec_group(b);
	case MAUI_ACCOUNT:
		return same_text(jobrec_account(a), jobrec_account(b));
	case MAUI_QOS:
		return jobrec_qos(a) == jobrec_qos(b);
	case MAUI_CLASS:
		return same_text(jobrec_class(a), jobrec_class(b));
	default:
		return false;
	}
}

static void count_node(uint32_t node, uint16_t cpus, uint64_t memory, void *context)
{
	const struct limits_view *view = context;

	(void)memory;
	if (node >= view->table->count)
		return;
	view->counting->jobs[node]++;
	view->counting->cpus[node] += cpus;
}

static int count_job(job_record_t *other, void *context)
{
	const struct limits_view *view = context;

	if (jobrec_is_active(other) && same_credential(other, view->job, view->type))
		jobrec_each_node(other, count_node, context);
	return 0;
}

static const struct tally *tally_of(struct limits_view *view, enum maui_credential type)
{
	struct tally *tally = &view->tally[type];

	if (tally->counted)
		return tally;
	tally->jobs = maui_calloc(view->table->count + 1, sizeof(*tally->jobs));
	tally->cpus = maui_calloc(view->table->count + 1, sizeof(*tally->cpus));
	view->counting = tally;
	view->type = type;
	jobrec_each(count_job, view);
	tally->counted = true;
	return tally;
}

/* ---- one node ---- */

static bool node_limits_over(double used, double more, int64_t limit)
{
	return limit > 0 && used + more > (double)limit;
}

static bool over_of(struct limits_view *view, uint32_t node, enum maui_credential type,
		    int64_t jobs, int64_t procs)
{
	const struct tally *tally;

	if (jobs <= 0 && procs <= 0)
		return false;
	tally = tally_of(view, type);
	return node_limits_over(tally->jobs[node], 1, jobs) ||
	       node_limits_over(tally->cpus[node], view->task.procs, procs);
}

/* Whom a dimension's limit applies to. Users, groups and QOS are not known by name here: `maui
 * check` reports that a limit that names one has no effect. */
static bool node_limits_concerns(const struct limits_view *view,
				 const struct maui_node_dimension_limit *limit)
{
	if (!limit->name)
		return true;
	if (limit->dimension == MAUI_CLASS)
		return same_text(limit->name, jobrec_class(view->job));
	return limit->dimension == MAUI_ACCOUNT &&
	       same_text(limit->name, jobrec_account(view->job));
}

static bool over_dimension(struct limits_view *view, uint32_t node,
			   const struct maui_node_limits *limits)
{
	for (size_t i = 0; i < limits->dimension_count; i++) {
		const struct maui_node_dimension_limit *limit = &limits->dimensions[i];
		bool jobs = limit->key == MAUI_ATTR_MAXJOB;

		if (node_limits_concerns(view, limit) &&
		    over_of(view, node, limit->dimension, jobs ? limit->limit.hard : 0,
			    jobs ? 0 : limit->limit.hard))
			return true;
	}
	return false;
}

static bool over_pe(const struct limits_view *view, const struct node_row *row, double limit)
{
	struct maui_resources size = {
		.procs = row->procs, .memory = row->memory, .disk = row->disk};

	return limit > 0 && maui_pe(&view->task, &size) > limit;
}

static bool node_limits_refuses(struct limits_view *view, uint32_t index,
				const struct noderec_facts *node)
{
	const struct node_row *row = &view->table->rows[index];
	const struct maui_node_limits *limits = &row->settings->limits;
	bool known = index < view->use->count;
	uint32_t cpus = known ? view->use->cpus[index] : 0;
	uint32_t jobs = known ? view->use->jobs[index] : 0;

	return node_limits_over(jobs, 1, limits->jobs.hard) ||
	       node_limits_over(cpus, view->task.procs, limits->procs.hard) ||
	       (limits->load > 0 && node->load >= limits->load) ||
	       over_pe(view, row, limits->pe_per_job) ||
	       over_of(view, index, MAUI_USER, limits->jobs_per_user.hard,
		       limits->procs_per_user.hard) ||
	       over_dimension(view, index, limits);
}

/* What one task of the job takes. */
static struct maui_resources task_of(const job_record_t *job)
{
	struct maui_resources task = {.procs = 1, .disk = jobrec_min_disk(job)};
	uint64_t memory = jobrec_min_memory(job);

	if (jobrec_cpus_per_task(job))
		task.procs = jobrec_cpus_per_task(job);
	if (memory & MEM_PER_CPU)
		task.memory = (double)(memory & ~MEM_PER_CPU) * task.procs;
	else
		task.memory = (double)memory;
	return task;
}

void node_limits_apply(const struct node_table *table, const job_record_t *job,
		       const struct maui_engine_node_use *use, bitstr_t *nodes)
{
	struct limits_view view = {.table = table, .job = job, .use = use, .task = task_of(job)};

	for (uint32_t i = 0; i < table->listed; i++) {
		uint32_t index = table->list[i];
		struct noderec_facts node;

		if (node_row_limited(&table->rows[index]) && bit_test(nodes, index) &&
		    noderec_look(index, &node) && node_limits_refuses(&view, index, &node))
			bit_clear(nodes, index);
	}
	for (int type = 0; type < MAUI_CREDENTIALS; type++) {
		free(view.tally[type].jobs);
		free(view.tally[type].cpus);
	}
}
