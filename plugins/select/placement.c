/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sets the engine's ranks as node weights and calls cons_tres: with the best
 * few nodes, with those free later, then with all.
 */
#include "plugins/select/placement.h"

#include "plugins/select/active_jobs.h"
#include "plugins/select/engine_link.h"
#include "plugins/select/horizon.h"
#include "plugins/select/idle.h"
#include "plugins/select/select_inner.h"
#include "plugins/select/job_before.h"
#include "plugins/select/no_room.h"
#include "plugins/select/order.h"
#include "plugins/select/request.h"

/* A node has to boot, or is outside a FLEX reservation, or both. */
#define STATES 4

/* Grows with the number of nodes and is reused by every call. */
static struct {
	uint32_t room;
	/* For the current call, one of each per candidate, in the nodes' order. */
	uint32_t count;
	uint32_t ranks; /* how many there are */
	uint32_t *node;
	uint32_t *free_cpus;             /* 0: too few to be of use to the job */
	struct compat_node_order *order; /* as Slurm had it */
	uint64_t *state;                 /* the part of it that precedes any rank */
	/* By node, and by rank. */
	uint32_t *rank;
	struct horizon_node *later;
	struct order_class *classes;
	uint32_t *dense;   /* for each state: by rank */
	uint8_t *outcomes; /* enum order_outcome, by candidate */
	uint32_t *ordered; /* rank, by candidate */
	bitstr_t *candidates;
	bitstr_t *lead;
} scratch;

static uint32_t reboot_weight;

void placement_configure(void)
{
	reboot_weight = compat_reboot_weight();
	request_configure();
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
	xfree(scratch.outcomes);
	xfree(scratch.ordered);
	FREE_NULL_BITMAP(scratch.candidates);
	FREE_NULL_BITMAP(scratch.lead);
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
	scratch.outcomes = xcalloc(nodes, sizeof(*scratch.outcomes));
	scratch.ordered = xcalloc(nodes, sizeof(*scratch.ordered));
	scratch.candidates = bit_alloc(nodes);
	scratch.lead = bit_alloc(nodes);
	scratch.room = nodes;
}

/* ---- what there is ---- */

/* Lists the candidates; returns whether those with idle CPUs could hold the job, judging only by
 * nodes, CPUs and memory. */
static bool look_at_candidates(const struct compat_job_test *test,
			       const struct maui_engine_node_use *use,
			       const struct idle_least *least)
{
	int last = bit_fls(test->nodes);
	uint32_t nodes = 0, cpus = 0;

	scratch.count = 0;
	for (int i = bit_ffs(test->nodes); i >= 0 && i <= last; i++) {
		uint32_t idle;

		if (!bit_test(test->nodes, i) || !node_record_table_ptr[i])
			continue;
		idle = idle_cpus_of_use(node_record_table_ptr[i], use, least);
		scratch.node[scratch.count] = i;
		scratch.free_cpus[scratch.count++] = idle;
		nodes += idle > 0;
		cpus += idle;
	}
	return request_may_share(test->job) ||
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

/* The classes of the ranks. idle_only: a node without idle CPUs is useless. */
static void placement_classify(bool idle_only)
{
	scratch.ranks = 0;
	memset(scratch.classes, 0, scratch.count * sizeof(*scratch.classes));
	for (uint32_t i = 0; i < scratch.count; i++) {
		uint32_t rank = scratch.rank[scratch.node[i]];

		scratch.ranks = MAX(scratch.ranks, rank + 1);
		if (idle_only && !scratch.free_cpus[i])
			continue;
		scratch.classes[rank].nodes++;
		scratch.classes[rank].cpus += scratch.free_cpus[i];
	}
}

static struct order_plan plan_order(const struct compat_job_test *test, struct order_demand demand,
				    bool idle_only)
{
	struct order_plan plan;

	placement_classify(idle_only);
	plan = order_plan(scratch.classes, scratch.ranks, scratch.count, demand,
			  !request_is_counted(test));
	if (!request_takes_the_first(test))
		plan.lead = 0;
	return plan;
}

/* ---- the inner plugin's calls ---- */

static void put_back(const struct compat_job_test *test, const struct job_before *before)
{
	bit_copybits(test->nodes, scratch.candidates);
	job_put_back(test->job, before);
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

/* In Slurm's order on the same nodes, which are lost; what our order has found stays if that starts
 * no earlier. */
static void plan_earlier(const struct compat_job_test *test, bitstr_t *nodes,
			 const struct job_before *before)
{
	struct compat_job_test slurms = *test;
	struct job_before ours = job_remember(test->job);
	compat_list_t preempted = NULL;

	slurms.nodes = nodes;
	slurms.preempted = &preempted;
	job_put_back(test->job, before);
	if (compat_job_test(&inner, &slurms) == SLURM_SUCCESS &&
	    test->job->start_time < ours.start_time) {
		bit_copybits(test->nodes, nodes);
		if (test->preempted) {
			FREE_NULL_LIST(*test->preempted);
			*test->preempted = preempted;
			preempted = NULL;
		}
	} else {
		job_put_back(test->job, &ours);
	}
	FREE_NULL_LIST(preempted);
}

static int plan_in_order(const struct compat_job_test *test, const struct order_plan *plan,
			 const struct job_before *before)
{
	bitstr_t *shown = request_may_be_delayed(test) ? bit_copy(test->nodes) : NULL;
	int status = ordered_job_test(test, plan);

	if (shown && status == SLURM_SUCCESS && test->job->start_time > time(NULL))
		plan_earlier(test, shown, before);
	FREE_NULL_BITMAP(shown);
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
 * Whether it has taken the first nodes, as it would of all. Where tasks may be spread unevenly it
 * begins again without small nodes if those do not give enough; of all it would then go further
 * down the order for the last node, which is the only one that it chooses by what is still needed.
 */
static bool took_the_first(const struct compat_job_test *test, const struct order_plan *plan)
{
	bitstr_t *required = test->job->details->req_node_bitmap;

	if (!request_may_be_uneven(test))
		return true;
	for (uint32_t i = 0; i < scratch.count; i++) {
		uint32_t node = scratch.node[i];

		scratch.outcomes[i] = ORDER_NO_MATTER;
		if (!scratch.free_cpus[i] || scratch.rank[node] >= plan->few ||
		    (required && bit_test(required, node)))
			continue;
		scratch.outcomes[i] = bit_test(test->nodes, node) ? ORDER_TAKEN : ORDER_LEFT;
		scratch.ordered[i] = scratch.rank[node];
	}
	return order_took_first(scratch.ordered, scratch.outcomes, scratch.count,
				(uint32_t)bit_set_count(test->nodes) >= request_most_nodes(test));
}

/*
 * All nodes of the job, if the best classes have just as many, as if it had asked for them by name:
 * cons_tres takes such nodes in one pass, and else scans all sets of neighbours for each that it
 * takes. Only where all that a node may lack is counted; a job that names nodes has no lead.
 */
static bitstr_t *required_nodes(const struct compat_job_test *test, const struct order_plan *plan)
{
	uint32_t nodes = 0;

	if (!plan->lead || !request_is_counted(test))
		return test->job->details->req_node_bitmap;
	bit_clear_all(scratch.lead);
	for (uint32_t i = 0; i < scratch.count; i++)
		if (scratch.free_cpus[i] && scratch.rank[scratch.node[i]] < plan->lead) {
			bit_set(scratch.lead, scratch.node[i]);
			nodes++;
		}
	return nodes == test->min_nodes ? scratch.lead : NULL;
}

/*
 * Only the best few nodes, without preemption, for a start now. (Planning a later start on them
 * would be pointless: all nodes may allow an earlier one.)
 */
static int test_few(const struct compat_job_test *test, const struct order_plan *plan,
		    const struct job_before *before)
{
	bitstr_t *required = test->job->details->req_node_bitmap;
	struct compat_job_test few = *test;
	int status;

	keep_few(test, plan);
	few.preemptable = NULL;
	test->job->bit_flags |= TEST_NOW_ONLY;
	test->job->details->req_node_bitmap = required_nodes(test, plan);
	status = ordered_job_test(&few, plan);
	test->job->details->req_node_bitmap = required;
	if (!(before->bit_flags & TEST_NOW_ONLY))
		test->job->bit_flags &= ~TEST_NOW_ONLY;
	if (status != SLURM_SUCCESS || took_the_first(test, plan))
		return status;
	free_job_resources(&test->job->job_resrcs);
	return SLURM_ERROR;
}

/* ---- a start later ---- */

static void show_nodes(const struct compat_job_test *test, const struct maui_engine_node_use *use)
{
	struct idle_least least = request_least(test->job);

	memset(scratch.later, 0, scratch.room * sizeof(*scratch.later));
	for (uint32_t i = 0; i < scratch.count; i++) {
		const node_record_t *node = node_record_table_ptr[scratch.node[i]];

		scratch.later[scratch.node[i]] = (struct horizon_node){
			.memory = idle_memory(node, use),
			.cpus = idle_cpus(node, use),
			.least = idle_least_cpus(node, &least),
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

/* Takes away the candidates that do not matter, but one: cons_tres is asked of some. */
static uint32_t show_few(const struct compat_job_test *test)
{
	uint32_t shown = 0;

	for (uint32_t i = 0; i < scratch.count; i++) {
		const struct horizon_node *later = &scratch.later[scratch.node[i]];

		scratch.free_cpus[i] = later->of_use ? later->cpus : 0;
		if (horizon_shows(later) || (!shown && i + 1 == scratch.count))
			shown++;
		else
			bit_clear(test->nodes, scratch.node[i]);
	}
	return shown;
}

/* Only the nodes that matter until the job can start. False: the answer is not that of all. */
static bool test_later(const struct compat_job_test *test, struct order_demand demand,
		       const struct horizon_found *found, const struct job_before *before,
		       int *ret_status)
{
	uint32_t shown = show_few(test);
	struct order_plan plan = plan_order(test, demand, true);

	*ret_status = plan_in_order(test, &plan, before);
	log_flag(SELECT_TYPE, "Maui: %pJ on %u of %u nodes until %ld: %s, at %ld", test->job, shown,
		 scratch.count, (long)found->end, slurm_strerror(*ret_status),
		 (long)test->job->start_time);
	if (*ret_status == SLURM_SUCCESS ? test->job->start_time <= found->end
					 : found->is_last && request_fits_in_any_order(test))
		return true;
	put_back(test, before);
	return false;
}

static struct horizon_span span_of(const struct compat_job_test *test)
{
	time_t from, until;

	compat_plan_bounds(test, &from, &until);
	return (struct horizon_span){.now = time(NULL), .from = from, .until = until};
}

static bool planned_later(const struct compat_job_test *test,
			  const struct maui_engine_node_use *use, struct order_demand demand,
			  const struct job_before *before, int *ret_status)
{
	const struct horizon_running *running = active_jobs_held();
	struct horizon_span span = span_of(test);
	struct horizon_demand needed = {.sum = order_with_spare(demand),
					.memory = request_least(test->job).memory};
	struct horizon_found found;

	if (!running || !request_may_look_later(test))
		return false;
	show_nodes(test, use);
	return horizon_look(running, &needed, &span, scratch.later, scratch.room, &found) &&
	       few_are_kept(test) && test_later(test, demand, &found, before, ret_status);
}

static int ranked_job_test(const struct compat_job_test *test,
			   const struct maui_engine_node_use *use, bool immediate)
{
	struct order_demand demand = {.nodes = test->min_nodes,
				      .cpus = test->job->details->min_cpus};
	bool idle_only = immediate && !test->preemptable && !request_may_share(test->job);
	struct order_plan plan = plan_order(test, demand, idle_only);
	struct job_before before = job_remember(test->job);
	int status;

	bit_copybits(scratch.candidates, test->nodes);
	if (plan.few && idle_only && request_few_may_do(test)) {
		status = test_few(test, &plan, &before);
		log_flag(SELECT_TYPE, "Maui: %pJ on the first %u of %u ranks: %s", test->job,
			 plan.few, scratch.ranks, slurm_strerror(status));
		if (status == SLURM_SUCCESS)
			return status;
		put_back(test, &before);
	}
	if (planned_later(test, use, demand, &before, &status))
		return status;
	status = plan_in_order(test, &plan, &before);
	log_flag(SELECT_TYPE, "Maui: %pJ on %u nodes of %u ranks, %u of them in order: %s",
		 test->job, scratch.count, scratch.ranks, plan.exact, slurm_strerror(status));
	if (status == SLURM_SUCCESS || request_fits_in_any_order(test))
		return status;
	put_back(test, &before);
	return compat_job_test(&inner, test);
}

/* In our order, if the job has one. */
static int placed_job_test(const struct compat_job_test *test,
			   const struct maui_engine_select *engine,
			   const struct maui_engine_node_use *use)
{
	struct idle_least least;
	bool immediate;

	if (request_has_slurms_order(test) || !engine->orders(test->job))
		return compat_job_test(&inner, test);
	make_room(node_record_count);
	least = request_least(test->job);
	immediate = look_at_candidates(test, use, &least);
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

int placement_job_test(const struct compat_job_test *test)
{
	const struct maui_engine_select *engine = engine_link();
	const struct maui_engine_node_use *use = engine ? engine->node_use() : NULL;

	if (!use || bit_size(test->nodes) != node_record_count)
		return compat_job_test(&inner, test);
	if (no_room(test, use))
		return SLURM_ERROR;
	return placed_job_test(test, engine, use);
}
