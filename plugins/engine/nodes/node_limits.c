/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/compat/compat.h"

#include "plugins/engine/nodes/node_limits.h"

#include <stdlib.h>
#include <strings.h>

#include "common/policy/priority/pe.h"
#include "src/common/job_resources.h"

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
	struct tally *counting; /* which, and */
	enum maui_credential type;
	struct maui_resources task; /* of the job */
};

bool node_limited(const struct maui_node_settings *settings)
{
	const struct maui_node_limits *limits = &settings->limits;

	return limits->jobs.hard > 0 || limits->jobs_per_user.hard > 0 || limits->procs.hard > 0 ||
	       limits->procs_per_user.hard > 0 || limits->pe_per_job > 0 || limits->load > 0 ||
	       limits->dimension_count;
}

/* ---- counting ---- */

static const char *class_of(const job_record_t *job)
{
	return job->part_ptr ? job->part_ptr->name : NULL;
}

static bool same_text(const char *a, const char *b)
{
	return a && b && !strcasecmp(a, b);
}

static bool same_credential(const job_record_t *a, const job_record_t *b, enum maui_credential type)
{
	switch (type) {
	case MAUI_USER:
		return a->user_id == b->user_id;
	case MAUI_GROUP:
		return a->group_id == b->group_id;
	case MAUI_ACCOUNT:
		return same_text(a->account, b->account);
	case MAUI_QOS:
		return a->qos_id == b->qos_id;
	case MAUI_CLASS:
		return same_text(class_of(a), class_of(b));
	default:
		return false;
	}
}

static int count_job(void *element, void *context)
{
	const job_record_t *other = element;
	const struct limits_view *view = context;
	const job_resources_t *held = other->job_resrcs;
	int last, position = 0;

	if (!(IS_JOB_RUNNING(other) || IS_JOB_SUSPENDED(other)) || !held || !held->node_bitmap ||
	    !same_credential(other, view->job, view->type))
		return 0;
	last = bit_fls(held->node_bitmap);
	for (int i = bit_ffs(held->node_bitmap);
	     i >= 0 && i <= last && (uint32_t)i < view->table->count; i++) {
		if (!bit_test(held->node_bitmap, i))
			continue;
		view->counting->jobs[i]++;
		view->counting->cpus[i] += held->cpus ? held->cpus[position] : 0;
		position++;
	}
	return 0;
}

/* NULL when memory is short. */
static const struct tally *tally_of(struct limits_view *view, enum maui_credential type)
{
	struct tally *tally = &view->tally[type];

	if (tally->counted)
		return tally;
	tally->jobs = calloc(view->table->count + 1, sizeof(*tally->jobs));
	tally->cpus = calloc(view->table->count + 1, sizeof(*tally->cpus));
	if (!tally->jobs || !tally->cpus)
		return NULL;
	view->counting = tally;
	view->type = type;
	list_for_each_ro(job_list, count_job, view);
	tally->counted = true;
	return tally;
}

/* ---- one node ---- */

static bool over(double used, double more, int64_t limit)
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
	return !tally || over(tally->jobs[node], 1, jobs) ||
	       over(tally->cpus[node], view->task.procs, procs);
}

/* Whom a limit of a dimension is for. Users, groups and QOS are not known by name here: a limit
 * that names one is said to be without effect by `maui check`. */
static bool concerns(const struct limits_view *view, const struct maui_node_dimension_limit *limit)
{
	if (!limit->name)
		return true;
	if (limit->dimension == MAUI_CLASS)
		return same_text(limit->name, class_of(view->job));
	return limit->dimension == MAUI_ACCOUNT && same_text(limit->name, view->job->account);
}

static bool over_dimension(struct limits_view *view, uint32_t node,
			   const struct maui_node_limits *limits)
{
	for (size_t i = 0; i < limits->dimension_count; i++) {
		const struct maui_node_dimension_limit *limit = &limits->dimensions[i];
		bool jobs = limit->key == MAUI_ATTR_MAXJOB;

		if (concerns(view, limit) &&
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

static bool refuses(struct limits_view *view, uint32_t index, const node_record_t *node)
{
	const struct node_row *row = &view->table->rows[index];
	const struct maui_node_limits *limits = &row->settings->limits;
	uint32_t cpus = index < view->use->count ? view->use->cpus[index] : 0;
	double load = node->cpu_load == NO_VAL ? 0 : node->cpu_load / 100.0;

	return over(node->run_job_cnt + node->sus_job_cnt, 1, limits->jobs.hard) ||
	       over(cpus, view->task.procs, limits->procs.hard) ||
	       (limits->load > 0 && load >= limits->load) ||
	       over_pe(view, row, limits->pe_per_job) ||
	       over_of(view, index, MAUI_USER, limits->jobs_per_user.hard,
		       limits->procs_per_user.hard) ||
	       over_dimension(view, index, limits);
}

/* What one task of the job takes. */
static struct maui_resources task_of(const job_record_t *job)
{
	const struct job_details *details = job->details;
	struct maui_resources task = {.procs = 1};

	if (!details)
		return task;
	if (details->cpus_per_task)
		task.procs = details->cpus_per_task;
	if (details->pn_min_memory & MEM_PER_CPU)
		task.memory = (double)(details->pn_min_memory & ~MEM_PER_CPU) * task.procs;
	else
		task.memory = (double)details->pn_min_memory;
	task.disk = details->pn_min_tmp_disk;
	return task;
}

void node_limits_apply(const struct node_table *table, const job_record_t *job,
		       const struct maui_engine_node_use *use, bitstr_t *nodes)
{
	struct limits_view view = {.table = table, .job = job, .use = use, .task = task_of(job)};

	for (uint32_t i = 0; i < table->listed; i++) {
		uint32_t index = table->list[i];

		if (node_limited(table->rows[index].settings) && bit_test(nodes, index) &&
		    refuses(&view, index, node_record_table_ptr[index]))
			bit_clear(nodes, index);
	}
	for (int type = 0; type < MAUI_CREDENTIALS; type++) {
		free(view.tally[type].jobs);
		free(view.tally[type].cpus);
	}
}
