/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Running jobs, and a scheduler that looks at one, calling the engine as select/maui does. */
#include "testsuite/unit/engine/controller.h"

#include <stdlib.h>
#include <time.h>

#include "plugins/engine/api/select.h"
#include "src/common/job_resources.h"
#include "src/common/node_conf.h"
#include "testsuite/unit/engine/controller_private.h"

/* ---- what it holds ---- */

static uint32_t used_of(int node)
{
	const struct maui_engine_node_use *use = maui_engine_select.node_use();

	return use && (uint32_t)node < use->count ? use->cpus[node] : 0;
}

static void add_node(job_resources_t *held, int node, uint32_t cpus, uint64_t memory)
{
	bit_set(held->node_bitmap, node);
	held->cpus[held->nhosts] = held->cpus_used[held->nhosts] = (uint16_t)cpus;
	held->memory_allocated[held->nhosts++] = memory;
	held->ncpus += cpus;
}

/* Takes each node's first free cores. The bitmap covers only the cores of the job's own nodes. */
static void set_cores(job_resources_t *held, bitstr_t *busy)
{
	uint32_t size = 0, at = 0, position = 0;

	for (int i = 0; i < node_record_count; i++)
		if (bit_test(held->node_bitmap, i))
			size += node_record_table_ptr[i]->tot_cores;
	held->core_bitmap = bit_alloc(size);
	for (int i = 0; i < node_record_count; i++) {
		uint32_t from = cr_get_coremap_offset((uint32_t)i);
		uint32_t wanted;

		if (!bit_test(held->node_bitmap, i))
			continue;
		wanted = held->cpus[position++];
		for (uint32_t k = 0; k < node_record_table_ptr[i]->tot_cores; k++, at++)
			if (wanted && !bit_test(busy, from + k)) {
				bit_set(held->core_bitmap, at);
				wanted--;
			}
	}
}

static int note_cores(void *object, void *context)
{
	const job_record_t *job = object;
	const job_resources_t *held = job->job_resrcs;
	bitstr_t *busy = context;
	uint32_t at = 0;

	if (!held || !(IS_JOB_RUNNING(job) || IS_JOB_SUSPENDED(job)))
		return 0;
	for (int i = 0; i < node_record_count; i++) {
		uint32_t from = cr_get_coremap_offset((uint32_t)i);

		if (!bit_test(held->node_bitmap, i))
			continue;
		for (uint32_t k = 0; k < node_record_table_ptr[i]->tot_cores; k++, at++)
			if (bit_test(held->core_bitmap, at))
				bit_set(busy, from + k);
	}
	return 0;
}

static bitstr_t *busy_cores(void)
{
	bitstr_t *busy = bit_alloc(cr_get_coremap_offset((uint32_t)node_record_count));

	list_for_each(job_list, note_cores, busy);
	return busy;
}

static job_resources_t *new_resources(void)
{
	job_resources_t *held = create_job_resources();

	held->node_req = NODE_CR_ONE_ROW;
	held->node_bitmap = bit_alloc(node_record_count);
	held->cpus = xcalloc(node_record_count, sizeof(*held->cpus));
	held->cpus_used = xcalloc(node_record_count, sizeof(*held->cpus_used));
	held->memory_allocated = xcalloc(node_record_count, sizeof(*held->memory_allocated));
	held->memory_used = xcalloc(node_record_count, sizeof(*held->memory_used));
	return held;
}

static void give(job_record_t *job, job_resources_t *held)
{
	uint64_t memory = 0;

	for (uint32_t i = 0; i < held->nhosts; i++)
		memory += held->memory_allocated[i];
	held->nodes = bitmap2node_name(held->node_bitmap);
	job->job_resrcs = held;
	job->node_bitmap = bit_copy(held->node_bitmap);
	job->nodes = xstrdup(held->nodes);
	job->node_cnt = job->total_nodes = held->nhosts;
	job->total_cpus = job->cpu_cnt = held->ncpus;
	job->tres_alloc_cnt = xcalloc(slurmctld_tres_cnt, sizeof(*job->tres_alloc_cnt));
	job->tres_alloc_cnt[TRES_ARRAY_CPU] = held->ncpus;
	job->tres_alloc_cnt[TRES_ARRAY_MEM] = memory;
}

void controller_take_back(job_record_t *job)
{
	free_job_resources(&job->job_resrcs);
	FREE_NULL_BITMAP(job->node_bitmap);
	xfree(job->nodes);
	xfree(job->tres_alloc_cnt);
	job->node_cnt = job->total_nodes = job->total_cpus = job->cpu_cnt = 0;
}

/* Keeps its flags. */
static void set_base(node_record_t *node, uint32_t base)
{
	node->node_state = (node->node_state & NODE_STATE_FLAGS) | base;
}

static void begin_run(job_record_t *job)
{
	job->job_state = JOB_RUNNING;
	job->state_reason = WAIT_NO_REASON;
	xfree(job->state_desc);
	job->billable_tres = (double)NO_VAL;
	job->start_time = time(NULL);
	job->end_time = job->start_time + (time_t)job->time_limit * 60;
	for (int i = 0; i < node_record_count; i++)
		if (bit_test(job->node_bitmap, i)) {
			node_record_table_ptr[i]->run_job_cnt++;
			set_base(node_record_table_ptr[i], NODE_STATE_ALLOCATED);
		}
}

void controller_runs(job_record_t *job, const char *nodes)
{
	job_resources_t *held = new_resources();
	bitstr_t *wanted = NULL, *busy = busy_cores();
	uint32_t count;

	CONTROLLER_REQUIRE(controller_nodes(nodes, &wanted), "%s", nodes);
	count = (uint32_t)bit_set_count(wanted);
	for (int i = 0; i < node_record_count; i++)
		if (bit_test(wanted, i))
			add_node(held, i, job->details->min_cpus / count,
				 job->details->pn_min_memory);
	set_cores(held, busy);
	give(job, held);
	begin_run(job);
	FREE_NULL_BITMAP(wanted);
	FREE_NULL_BITMAP(busy);
}

/* ---- a scheduler ---- */

struct choice {
	int node;
	uint32_t rank;
};

static int compare_choices(const void *left, const void *right)
{
	const struct choice *a = left, *b = right;

	if (a->rank != b->rank)
		return a->rank < b->rank ? -1 : 1;
	return a->node < b->node ? -1 : 1;
}

static uint32_t blocked_cores(bitstr_t *cores, int node)
{
	if (!cores)
		return 0;
	return (uint32_t)bit_set_count_range(cores, (int)cr_get_coremap_offset((uint32_t)node),
					     (int)cr_get_coremap_offset((uint32_t)node + 1));
}

static uint32_t free_cpus(int node, bitstr_t *cores)
{
	uint32_t gone = used_of(node) + blocked_cores(cores, node);
	uint32_t all = node_record_table_ptr[node]->cpus;

	return gone < all ? all - gone : 0;
}

/* Takes as many nodes from the front as needed; NULL: there are too few. */
static job_resources_t *pick(const job_record_t *job, const struct choice *choices, size_t count,
			     bitstr_t *cores)
{
	const job_details_t *details = job->details;
	uint32_t missing = details->min_cpus, nodes = details->min_nodes;
	job_resources_t *held = new_resources();
	uint32_t *cpus = xcalloc(node_record_count, sizeof(*cpus));

	for (size_t i = 0; i < count && (missing || nodes); i++) {
		uint32_t most = missing - (nodes > 1 ? nodes - 1 : 0);
		uint32_t room = free_cpus(choices[i].node, cores);
		uint32_t taken = room < most ? room : most;
		bool whole = details->whole_node == WHOLE_NODE_REQUIRED;

		if (!room || (whole && used_of(choices[i].node)))
			continue;
		cpus[choices[i].node] = whole ? room : taken;
		missing -= taken;
		nodes -= nodes > 0;
	}
	for (int i = 0; i < node_record_count; i++)
		if (cpus[i])
			add_node(held, i, cpus[i], details->pn_min_memory);
	xfree(cpus);
	if (missing || nodes)
		free_job_resources(&held);
	return held;
}

static job_resources_t *choose(const job_record_t *job, bitstr_t *nodes, bitstr_t *cores)
{
	uint32_t *rank = xcalloc(node_record_count, sizeof(*rank));
	struct choice *choices = xcalloc(node_record_count, sizeof(*choices));
	job_resources_t *held;
	size_t count = 0;

	if (maui_engine_select.orders(job))
		maui_engine_select.rank(job, nodes, true, rank);
	for (int i = 0; i < node_record_count; i++)
		if (bit_test(nodes, i))
			choices[count++] = (struct choice){i, rank[i]};
	qsort(choices, count, sizeof(*choices), compare_choices);
	held = pick(job, choices, count, cores);
	xfree(choices);
	xfree(rank);
	return held;
}

/* The nodes that the job may use, and their cores that it may not. */
static bitstr_t *possible(const job_record_t *job, bitstr_t **cores)
{
	bitstr_t *nodes = bit_copy(job->part_ptr->node_bitmap);

	if (job->details->req_node_bitmap)
		bit_and(nodes, job->details->req_node_bitmap);
	if (job->details->exc_node_bitmap)
		bit_and_not(nodes, job->details->exc_node_bitmap);
	bit_and(nodes, avail_node_bitmap);
	maui_engine_select.permit(job, nodes);
	controller_keep_out(job, nodes, cores);
	if (maui_engine_select.may_be_admitted(job))
		maui_engine_select.admit(job, nodes, cores, time(NULL));
	return nodes;
}

static bool start(job_record_t *job)
{
	bitstr_t *cores = NULL, *nodes = possible(job, &cores), *busy;
	job_resources_t *held = choose(job, nodes, cores);

	busy = busy_cores();
	if (cores)
		bit_or(busy, cores);
	if (held)
		set_cores(held, busy);
	FREE_NULL_BITMAP(busy);
	FREE_NULL_BITMAP(nodes);
	FREE_NULL_BITMAP(cores);
	if (!held)
		return false;
	give(job, held);
	if (!maui_engine_select.may_hold(job)) {
		controller_take_back(job);
		return false;
	}
	begin_run(job);
	maui_engine_select.run_began(job);
	return true;
}

bool controller_try(job_record_t *job, bool main_scheduler)
{
	bool started;

	controller_lock_all();
	CONTROLLER_REQUIRE(IS_JOB_PENDING(job), "job %u does not wait", job->job_id);
	job->last_sched_eval = time(NULL);
	if (main_scheduler)
		job->bit_flags &= ~BACKFILL_SCHED;
	else
		job->bit_flags |= BACKFILL_SCHED;
	started = job->priority && maui_engine_select.may_start(job, true) && start(job);
	if (started)
		job->db_flags |=
			main_scheduler ? SLURMDB_JOB_FLAG_SCHED : SLURMDB_JOB_FLAG_BACKFILL;
	controller_unlock_all();
	return started;
}

const char *controller_lands(job_record_t *job)
{
	return controller_try(job, true) ? job->nodes : "";
}

/* ---- its end ---- */

static void free_nodes(const job_record_t *job)
{
	for (int i = 0; i < node_record_count; i++)
		if (bit_test(job->node_bitmap, i) && !--node_record_table_ptr[i]->run_job_cnt)
			set_base(node_record_table_ptr[i], NODE_STATE_IDLE);
}

/* As Slurm keeps it in the record of a job that is over. */
static void keep_amounts(job_record_t *job)
{
	uint64_t *amounts = job->tres_alloc_cnt;
	uint32_t cpus = job->total_cpus;

	job->tres_alloc_cnt = NULL;
	controller_take_back(job);
	job->tres_alloc_cnt = amounts;
	job->total_cpus = cpus;
}

void controller_end(job_record_t *job, uint32_t state)
{
	controller_lock_all();
	job->end_time = time(NULL);
	job->job_state = state;
	maui_engine_job_end(job);
	maui_engine_select.run_ended(job);
	free_nodes(job);
	if (state == JOB_PENDING) {
		controller_take_back(job);
		job->end_time_exp = 0;
	} else {
		keep_amounts(job); /* and the sign that job_end() has been called */
	}
	controller_unlock_all();
}

void controller_step_ends(job_record_t *job, double used)
{
	jobacctinfo_t measured = {.user_cpu_sec = (uint32_t)used};
	step_record_t step = {.job_ptr = job,
			      .jobacct = &measured,
			      .start_time = job->start_time,
			      .cpu_count = job->total_cpus};

	controller_lock_all();
	maui_engine_select.step_ended(&step);
	controller_unlock_all();
}

void controller_requeue(job_record_t *job)
{
	controller_end(job, JOB_PENDING);
	job->details->submit_time = job->details->begin_time = time(NULL);
	job->start_time = 0;
}

void controller_suspend(job_record_t *job, bool suspended)
{
	time_t now = time(NULL);

	controller_lock_all();
	maui_engine_select.suspended(job, suspended);
	if (suspended)
		job->pre_sus_time +=
			now - (job->suspend_time ? job->suspend_time : job->start_time);
	else
		job->end_time = now + (time_t)job->time_limit * 60 - job->pre_sus_time;
	job->suspend_time = now;
	job->job_state = suspended ? JOB_SUSPENDED : JOB_RUNNING;
	controller_unlock_all();
}
