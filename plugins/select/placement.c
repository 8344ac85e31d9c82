/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/select/placement.h"

#include "plugins/select/active_jobs.h"
#include "plugins/select/engine_link.h"
#include "plugins/select/horizon.h"
#include "plugins/select/inner.h"
#include "plugins/select/order.h"

/* A node has to boot, or is outside a FLEX reservation, or both. */
#define STATES 4

/* Grows with the number of nodes and is reused by every call. */
static struct {
	uint32_t room;
	/* For the current call, one of each per candidate, in the nodes' order. */
	uint32_t count;
	uint32_t *node;
	uint32_t *free_cpus;             /* 0: too few to be of use to the job */
	struct compat_node_order *order; /* as Slurm had it */
	uint64_t *state;                 /* the part of it that precedes any rank */
	/* By node, and by rank. */
	uint32_t *rank;
	struct horizon_node *later;
	struct order_class *classes;
	uint32_t *dense; /* for each state: by rank */
	bitstr_t *candidates;
} scratch;

static bool serial_jobs_at_end;
static uint32_t reboot_weight;
static bool plans_keep_weights;

void placement_configure(void)
{
	serial_jobs_at_end = xstrcasestr(slurm_conf.sched_params, "pack_serial_at_end");
	reboot_weight = compat_reboot_weight();
	plans_keep_weights =
		COMPAT_PLANS_BY_WEIGHT && !xstrcmp(slurm_conf.schedtype, "sched/builtin");
}

void placement_free(void)
{
	xfree(scratch.node);
	xfree(scratch.free_cpus);
	xfree(scratch.order);
	xfree(scratch.state);
	xfree(scratch.rank);
	xfree(scratch.later);
	xfree(scratch.classes);
	xfree(scratch.dense);
	FREE_NULL_BITMAP(scratch.candidates);
	scratch.room = 0;
}

static void make_room(uint32_t nodes)
{
	if (nodes == scratch.room)
		return;
	placement_free();
	scratch.node = xcalloc(nodes, sizeof(*scratch.node));
	scratch.free_cpus = xcalloc(nodes, sizeof(*scratch.free_cpus));
	scratch.order = xcalloc(nodes, sizeof(*scratch.order));
	scratch.state = xcalloc(nodes, sizeof(*scratch.state));
	scratch.rank = xcalloc(nodes, sizeof(*scratch.rank));
	scratch.later = xcalloc(nodes, sizeof(*scratch.later));
	scratch.classes = xcalloc(nodes, sizeof(*scratch.classes));
	scratch.dense = xcalloc((size_t)nodes * STATES, sizeof(*scratch.dense));
	scratch.candidates = bit_alloc(nodes);
	scratch.room = nodes;
}

/* ---- what kind of job it is ---- */

/*
 * With a tree of switches Slurm takes the lowest weights that suffice, and only limits the number
 * of switches among nodes of the same weight: an order would scatter a multi-node job all over the
 * tree.
 */
static bool may_span_switches(const struct compat_job_test *test)
{
	return test->max_nodes > 1 && compat_has_switches(test->job->part_ptr) &&
	       (test->min_nodes > 1 || test->job->details->min_cpus > 1);
}

/* Slurm chooses by something other than weights, or there is nothing to choose. */
static bool order_is_slurms(const struct compat_job_test *test)
{
	const job_record_t *job = test->job;

	return test->mode == SELECT_MODE_TEST_ONLY || !job->details || !job->part_ptr ||
	       (test->mode == SELECT_MODE_WILL_RUN && plans_keep_weights) || !test->max_nodes ||
	       may_span_switches(test) || job->details->contiguous ||
	       (job->bit_flags & SPREAD_JOB) || (slurm_conf.select_type_param & SELECT_LLN) ||
	       (job->part_ptr->flags & PART_FLAG_LLN) ||
	       (serial_jobs_at_end && job->details->min_cpus == 1 && test->req_nodes == 1);
}

/* The job may run beside, or instead of, others on the same CPUs: which are idle says little. */
static bool may_share(const job_record_t *job)
{
	uint16_t share = job->part_ptr->max_share;

	return (share & SHARED_FORCE) || (share > 1 && job->details->share_res == 1) ||
	       (slurm_conf.preempt_mode & PREEMPT_MODE_GANG) || job->details->overcommit;
}

static bool wants_whole_nodes(const job_record_t *job)
{
	return compat_wants_whole_nodes(job->details) || job->part_ptr->max_share == 0;
}

/*
 * Whether the first nodes that fit do as well as any: then a try that fails in one order fails in
 * every order, and no other is tried. True if a node is taken when it has enough for a task, and
 * nothing can run out but CPUs and nodes: one node, or a fixed number of them (cons_tres leaves out
 * the small ones and tries again), or as many as it takes.
 */
static bool fits_in_any_order(const struct compat_job_test *test)
{
	const job_record_t *job = test->job;

	return !job->gres_list_req && !compat_has_switches(job->part_ptr) && !may_share(job) &&
	       (test->max_nodes == 1 || test->max_nodes == test->min_nodes ||
		test->max_nodes >= job->details->min_cpus);
}

/* ---- what there is ---- */

/* The minimum number of CPUs with which a node is of use. */
static uint32_t cpus_of_use(const job_record_t *job)
{
	const job_details_t *details = job->details;
	uint32_t task = MAX(details->cpus_per_task, 1);

	return MAX(MAX(details->ntasks_per_node, 1) * task, details->pn_min_cpus);
}

/* The minimum memory in MB, as far as nodes are chosen by that: that of a task. */
static uint64_t memory_of_use(const job_record_t *job)
{
	uint64_t asked = job->details->pn_min_memory;

	if (!(slurm_conf.select_type_param & SELECT_MEMORY) || job->gres_list_req)
		return 0;
	if (asked & MEM_PER_CPU)
		return (asked & ~MEM_PER_CPU) * MAX(job->details->cpus_per_task, 1);
	return asked;
}

static uint32_t idle_cpus(const node_record_t *node, const struct maui_engine_node_use *use)
{
	uint32_t held = node->index < use->count ? use->cpus[node->index] : 0;

	return held < node->cpus_efctv ? node->cpus_efctv - held : 0;
}

static uint64_t free_memory(const node_record_t *node, const struct maui_engine_node_use *use)
{
	uint64_t held = node->index < use->count ? use->memory[node->index] : 0;

	held += node->mem_spec_limit;
	return held < node->real_memory ? node->real_memory - held : 0;
}

/* Its idle CPUs; 0 if they are too few. */
static uint32_t useful_cpus(const node_record_t *node, const struct maui_engine_node_use *use,
			    uint32_t least, bool whole)
{
	uint32_t cpus = idle_cpus(node, use);

	return cpus < (whole ? node->cpus_efctv : least) ? 0 : cpus;
}

/*
 * Lists the candidates; returns whether those with idle CPUs could hold the job, judging only by
 * nodes and CPUs.
 */
static bool look_at_candidates(const struct compat_job_test *test,
			       const struct maui_engine_node_use *use)
{
	uint32_t least = cpus_of_use(test->job), nodes = 0, cpus = 0;
	bool whole = wants_whole_nodes(test->job);
	int last = bit_fls(test->nodes);

	scratch.count = 0;
	for (int i = bit_ffs(test->nodes); i >= 0 && i <= last; i++) {
		uint32_t idle;

		if (!bit_test(test->nodes, i) || !node_record_table_ptr[i])
			continue;
		idle = useful_cpus(node_record_table_ptr[i], use, least, whole);
		scratch.node[scratch.count] = i;
		scratch.free_cpus[scratch.count++] = idle;
		nodes += idle > 0;
		cpus += idle;
	}
	return may_share(test->job) ||
	       (nodes >= test->min_nodes && cpus >= test->job->details->min_cpus);
}

/* The states in Slurm's order. */
static uint32_t state_of(uint32_t candidate)
{
	return (scratch.state[candidate] & COMPAT_ORDER_BOOTS ? 2 : 0) +
	       (scratch.state[candidate] & ~COMPAT_ORDER_BOOTS ? 1 : 0);
}

/*
 * What is not up to the engine: whatever their ranks, nodes that have to boot come after those that
 * need not.
 */
static void put_states_first(uint16_t mode)
{
	uint64_t any = 0;
	uint32_t next = 0;

	for (uint32_t i = 0; i < scratch.count; i++) {
		uint32_t *rank = &scratch.rank[scratch.node[i]];

		if (*rank >= scratch.count) /* the engine broke its promise */
			*rank = scratch.count - 1;
		scratch.state[i] = compat_order_state(
			compat_node_order(node_record_table_ptr[scratch.node[i]]).order,
			reboot_weight, mode);
		any |= scratch.state[i];
	}
	if (!any)
		return;
	memset(scratch.dense, 0, (size_t)scratch.count * STATES * sizeof(*scratch.dense));
	for (uint32_t i = 0; i < scratch.count; i++)
		scratch.dense[state_of(i) * scratch.count + scratch.rank[scratch.node[i]]] = 1;
	for (size_t i = 0; i < (size_t)scratch.count * STATES; i++)
		if (scratch.dense[i])
			scratch.dense[i] = next++;
	for (uint32_t i = 0; i < scratch.count; i++) {
		uint32_t *rank = &scratch.rank[scratch.node[i]];

		*rank = scratch.dense[state_of(i) * scratch.count + *rank];
	}
}

/*
 * The classes of the ranks. idle_only: a node without idle CPUs is useless. Returns the number of
 * classes.
 */
static uint32_t classify(bool idle_only)
{
	uint32_t count = 0;

	memset(scratch.classes, 0, scratch.count * sizeof(*scratch.classes));
	for (uint32_t i = 0; i < scratch.count; i++) {
		uint32_t rank = scratch.rank[scratch.node[i]];

		count = MAX(count, rank + 1);
		if (idle_only && !scratch.free_cpus[i])
			continue;
		scratch.classes[rank].nodes++;
		scratch.classes[rank].cpus += scratch.free_cpus[i];
	}
	return count;
}

/* ---- the inner plugin's calls ---- */

/* What a failing call may leave changed in the job; every call sets the rest again. */
struct job_before {
	uint64_t bit_flags;
	uint64_t pn_min_memory;
	uint32_t min_cpus;
	uint32_t total_cpus;
	time_t start_time;
};

static struct job_before remember(const struct compat_job_test *test)
{
	const job_record_t *job = test->job;

	bit_copybits(scratch.candidates, test->nodes);
	return (struct job_before){
		.bit_flags = job->bit_flags,
		.pn_min_memory = job->details->pn_min_memory,
		.min_cpus = job->details->min_cpus,
		.total_cpus = job->total_cpus,
		.start_time = job->start_time,
	};
}

static void put_back(const struct compat_job_test *test, const struct job_before *before)
{
	job_record_t *job = test->job;

	bit_copybits(test->nodes, scratch.candidates);
	job->details->pn_min_memory = before->pn_min_memory;
	job->details->min_cpus = before->min_cpus;
	job->total_cpus = before->total_cpus;
	job->start_time = before->start_time;
}

/* The inner call with our order in force, which is restored afterwards. */
static int ordered_job_test(const struct compat_job_test *test, const struct order_plan *plan)
{
	int status;

	for (uint32_t i = 0; i < scratch.count; i++) {
		node_record_t *node = node_record_table_ptr[scratch.node[i]];
		uint32_t rank = order_shared_rank(plan, scratch.rank[scratch.node[i]]);

		scratch.order[i] = compat_node_order(node);
		compat_rank_node(node, scratch.state[i], rank, test->mode);
	}
	status = compat_job_test(&inner, test);
	for (uint32_t i = 0; i < scratch.count; i++)
		compat_unrank_node(node_record_table_ptr[scratch.node[i]], scratch.order[i],
				   test->mode);
	return status;
}

/*
 * Keeps as candidates only those of the first classes that have idle CPUs, and the nodes that the
 * job requires by name.
 */
static void keep_few(const struct compat_job_test *test, const struct order_plan *plan)
{
	bitstr_t *required = test->job->details->req_node_bitmap;

	for (uint32_t i = 0; i < scratch.count; i++) {
		uint32_t node = scratch.node[i];

		if (scratch.free_cpus[i] && scratch.rank[node] < plan->few)
			continue;
		if (!required || !bit_test(required, node))
			bit_clear(test->nodes, node);
	}
}

/*
 * Only the best few nodes, without preemption, for a start now. (Planning a later start on them
 * would be pointless: all nodes may allow an earlier one.)
 */
static int test_few(const struct compat_job_test *test, const struct order_plan *plan,
		    const struct job_before *before)
{
	struct compat_job_test few = *test;
	int status;

	keep_few(test, plan);
	few.preemptable = NULL;
	test->job->bit_flags |= TEST_NOW_ONLY;
	status = ordered_job_test(&few, plan);
	if (!(before->bit_flags & TEST_NOW_ONLY))
		test->job->bit_flags &= ~TEST_NOW_ONLY;
	return status;
}

/*
 * With fewer candidates the outcome may differ from that with all, and be as good, only if any
 * nodes that fit satisfy the job: not if it would like more of them, if it shares CPUs when none is
 * idle, or by topology.
 */
static bool few_may_do(const struct compat_job_test *test)
{
	return test->req_nodes <= test->min_nodes && !may_share(test->job) &&
	       !compat_has_switches(test->job->part_ptr);
}

/* ---- a start later ---- */

/* Whether the outcome is the same without the nodes that are of no use by then: horizon.h. */
static bool may_look_later(const struct compat_job_test *test)
{
	return test->mode == SELECT_MODE_WILL_RUN && compat_plans_from_now(test) &&
	       !test->preemptable && !(test->job->bit_flags & TEST_NOW_ONLY) &&
	       !may_share(test->job) && !compat_has_switches(test->job->part_ptr);
}

static void show_nodes(const struct compat_job_test *test, const struct maui_engine_node_use *use)
{
	uint32_t least = cpus_of_use(test->job);
	bool whole = wants_whole_nodes(test->job);

	memset(scratch.later, 0, scratch.room * sizeof(*scratch.later));
	for (uint32_t i = 0; i < scratch.count; i++) {
		const node_record_t *node = node_record_table_ptr[scratch.node[i]];

		scratch.later[scratch.node[i]] = (struct horizon_node){
			.memory = free_memory(node, use),
			.cpus = idle_cpus(node, use),
			.least = whole ? node->cpus_efctv : least,
		};
	}
}

/* Whether so few nodes matter that a try with them alone is worth it, and the required ones do. */
static bool few_are_kept(const struct compat_job_test *test)
{
	bitstr_t *required = test->job->details->req_node_bitmap;
	uint32_t kept = 0;

	for (uint32_t i = 0; i < scratch.count; i++) {
		const struct horizon_node *later = &scratch.later[scratch.node[i]];

		kept += later->kept;
		if (!later->of_use && required && bit_test(required, scratch.node[i]))
			return false;
	}
	return kept <= scratch.count - scratch.count / 4;
}

/* Only the nodes that matter until the job can start. False: it could not be planned by then. */
static bool test_later(const struct compat_job_test *test, struct order_demand demand, int64_t end,
		       const struct job_before *before)
{
	struct order_plan plan;
	uint32_t shown = 0;
	int status;

	for (uint32_t i = 0; i < scratch.count; i++) {
		const struct horizon_node *later = &scratch.later[scratch.node[i]];

		scratch.free_cpus[i] = later->of_use ? later->cpus : 0;
		if (horizon_shows(later))
			shown++;
		else
			bit_clear(test->nodes, scratch.node[i]);
	}
	plan = order_plan(scratch.classes, classify(true), scratch.count, demand);
	status = ordered_job_test(test, &plan);
	log_flag(SELECT_TYPE, "Maui: %pJ on %u of %u nodes until %ld: %s, at %ld", test->job, shown,
		 scratch.count, (long)end, slurm_strerror(status), (long)test->job->start_time);
	if (status == SLURM_SUCCESS && test->job->start_time <= end)
		return true;
	put_back(test, before);
	return false;
}

static bool planned_later(const struct compat_job_test *test,
			  const struct maui_engine_node_use *use, struct order_demand demand,
			  const struct job_before *before)
{
	const struct horizon_running *running = active_jobs_held();
	/* A quarter more: a node may lack what is not counted, such as GRES. */
	struct horizon_demand needed = {.sum = {.nodes = demand.nodes + demand.nodes / 4,
						.cpus = demand.cpus + demand.cpus / 4},
					.memory = memory_of_use(test->job)};
	int64_t end;

	if (!running || !may_look_later(test))
		return false;
	show_nodes(test, use);
	return horizon_look(running, &needed, scratch.later, scratch.room, &end) &&
	       few_are_kept(test) && test_later(test, demand, end, before);
}

static int ranked_job_test(const struct compat_job_test *test,
			   const struct maui_engine_node_use *use, bool immediate)
{
	struct order_demand demand = {.nodes = test->min_nodes,
				      .cpus = test->job->details->min_cpus};
	bool idle_only = immediate && !test->preemptable && !may_share(test->job);
	uint32_t classes = classify(idle_only);
	struct order_plan plan = order_plan(scratch.classes, classes, scratch.count, demand);
	struct job_before before = remember(test);
	int status;

	if (plan.few && idle_only && few_may_do(test)) {
		status = test_few(test, &plan, &before);
		log_flag(SELECT_TYPE, "Maui: %pJ on the first %u of %u ranks: %s", test->job,
			 plan.few, classes, slurm_strerror(status));
		if (status == SLURM_SUCCESS)
			return status;
		put_back(test, &before);
	}
	if (planned_later(test, use, demand, &before))
		return SLURM_SUCCESS;
	status = ordered_job_test(test, &plan);
	log_flag(SELECT_TYPE, "Maui: %pJ on %u nodes of %u ranks, %u of them in order: %s",
		 test->job, scratch.count, classes, plan.exact, slurm_strerror(status));
	if (status == SLURM_SUCCESS || fits_in_any_order(test))
		return status;
	put_back(test, &before);
	return compat_job_test(&inner, test);
}

int placement_job_test(const struct compat_job_test *test)
{
	const struct maui_engine_select *engine = engine_link();
	const struct maui_engine_node_use *use;
	bool immediate;

	if (!engine || order_is_slurms(test) || bit_size(test->nodes) != node_record_count ||
	    !engine->orders(test->job))
		return compat_job_test(&inner, test);
	make_room(node_record_count);
	use = engine->node_use();
	immediate = look_at_candidates(test, use);
	if (test->mode == SELECT_MODE_RUN_NOW) {
		/* A job that cannot start needs no order. */
		if (!immediate && !test->preemptable)
			return compat_job_test(&inner, test);
		immediate = true;
	}
	if (!scratch.count || !engine->rank(test->job, test->nodes, immediate, scratch.rank))
		return compat_job_test(&inner, test);
	put_states_first(test->mode);
	return ranked_job_test(test, use, immediate);
}
