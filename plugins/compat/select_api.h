/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The interface of select plugins: its calls (select_calls.h), the arguments of job_test, and how a
 * node's place in the order is written down. Another release needs another list here and nothing
 * elsewhere.
 */
#ifndef MAUI_COMPAT_SELECT_API_H
#define MAUI_COMPAT_SELECT_API_H

/* Programs with libslurm.so have Slurm's functions only under the names that this gives them. */
#include "src/common/slurm_xlator.h"

#include "plugins/compat/compat.h"

#include "src/common/job_resources.h"
#include "src/common/plugin.h"
#if COMPAT_FROM(23, 11)
#include "src/common/core_array.h"
#include "src/interfaces/node_features.h"
#include "src/interfaces/select.h"
#else
#include "src/common/node_features.h"
#include "src/common/select.h"
#endif

#include "plugins/compat/select_calls.h"

#pragma weak idle_node_bitmap
#if !COMPAT_FROM(24, 11)
#pragma weak switch_record_cnt
extern int switch_record_cnt;
#endif

#if COMPAT_FROM(24, 11)
#define COMPAT_JOB_TEST_PARAMETERS                                                                 \
	(job_record_t * job, bitstr_t * nodes, uint32_t min_nodes, uint32_t max_nodes,             \
	 uint32_t req_nodes, uint16_t mode, compat_list_t preemptable, compat_list_t * preempted,  \
	 resv_exc_t * excluded, will_run_data_t * will_run)
#define COMPAT_JOB_TEST_ARGUMENTS                                                                  \
	(job, nodes, min_nodes, max_nodes, req_nodes, mode, preemptable, preempted, excluded,      \
	 will_run)
#elif COMPAT_FROM(23, 11)
#define COMPAT_JOB_TEST_PARAMETERS                                                                 \
	(job_record_t * job, bitstr_t * nodes, uint32_t min_nodes, uint32_t max_nodes,             \
	 uint32_t req_nodes, uint16_t mode, compat_list_t preemptable, compat_list_t * preempted,  \
	 resv_exc_t * excluded)
#define COMPAT_JOB_TEST_ARGUMENTS                                                                  \
	(job, nodes, min_nodes, max_nodes, req_nodes, mode, preemptable, preempted, excluded)
#else
#define COMPAT_JOB_TEST_PARAMETERS                                                                 \
	(job_record_t * job, bitstr_t * nodes, uint32_t min_nodes, uint32_t max_nodes,             \
	 uint32_t req_nodes, uint16_t mode, compat_list_t preemptable, compat_list_t * preempted,  \
	 bitstr_t * excluded_cores)
#define COMPAT_JOB_TEST_ARGUMENTS                                                                  \
	(job, nodes, min_nodes, max_nodes, req_nodes, mode, preemptable, preempted, excluded_cores)
#endif

/* Up to 23.11 Slurm's header has it, with the same members. */
#if COMPAT_FROM(24, 11)
typedef struct {
	const uint32_t *plugin_id;
#define MEMBER(type, name, member, parameters, arguments) type(*member) parameters;
	COMPAT_SELECT_FORWARDED(MEMBER) COMPAT_SELECT_HOOKED(MEMBER)
#undef MEMBER
} slurm_select_ops_t;
#endif

/* Before that a plan has no bounds. */
#if !COMPAT_FROM(24, 11)
typedef struct {
	time_t start, end;
} will_run_data_t;
#endif

/* The arguments of job_test in one struct, and the call with them. */
struct compat_job_test {
	job_record_t *job;
	bitstr_t *nodes; /* candidates; the chosen ones afterwards */
	uint32_t min_nodes, max_nodes, req_nodes;
	uint16_t mode;
	compat_list_t preemptable;
	compat_list_t *preempted;
	bitstr_t *excluded_cores;
#if COMPAT_FROM(23, 11)
	resv_exc_t *excluded; /* as Slurm gave it: GRES, and the cores that are above, too */
#endif
#if COMPAT_FROM(24, 11)
	will_run_data_t *will_run;
#endif
};

#if COMPAT_FROM(24, 11)
#define COMPAT_JOB_TEST_OF_ARGUMENTS                                                               \
	{                                                                                          \
		job, nodes, min_nodes, max_nodes, req_nodes, mode, preemptable, preempted,         \
			excluded ? excluded->core_bitmap : NULL, excluded, will_run                \
	}
#elif COMPAT_FROM(23, 11)
#define COMPAT_JOB_TEST_OF_ARGUMENTS                                                               \
	{                                                                                          \
		job, nodes, min_nodes, max_nodes, req_nodes, mode, preemptable, preempted,         \
			excluded ? excluded->core_bitmap : NULL, excluded                          \
	}
#else
#define COMPAT_JOB_TEST_OF_ARGUMENTS                                                               \
	{                                                                                          \
		job, nodes, min_nodes, max_nodes, req_nodes, mode, preemptable, preempted,         \
			excluded_cores                                                             \
	}
#endif

#if COMPAT_FROM(23, 11)
/* excluded_cores is what counts, even if the caller has changed it. */
static inline int compat_job_test(const slurm_select_ops_t *ops, const struct compat_job_test *test)
{
	resv_exc_t ours = {0}, *excluded = test->excluded;
	int status;

	if (test->excluded_cores != (excluded ? excluded->core_bitmap : NULL)) {
		if (excluded)
			ours = *excluded;
		ours.core_bitmap = test->excluded_cores;
		ours.exc_cores = core_bitmap_to_array(test->excluded_cores);
		excluded = &ours;
	}
	status = ops->job_test(test->job, test->nodes, test->min_nodes, test->max_nodes,
			       test->req_nodes, test->mode, test->preemptable, test->preempted,
#if COMPAT_FROM(24, 11)
			       excluded, test->will_run);
#else
			       excluded);
#endif
	if (excluded == &ours)
		free_core_array(&ours.exc_cores);
	return status;
}
#else
static inline int compat_job_test(const slurm_select_ops_t *ops, const struct compat_job_test *test)
{
	return ops->job_test(test->job, test->nodes, test->min_nodes, test->max_nodes,
			     test->req_nodes, test->mode, test->preemptable, test->preempted,
			     test->excluded_cores);
}
#endif

/*
 * From when on a plan may begin, with all gone that have ended by then, and up to when ends of
 * running jobs count. 0: from now on, without an end.
 */
static inline void compat_plan_bounds(const struct compat_job_test *test, time_t *ret_from,
				      time_t *ret_until)
{
	*ret_from = *ret_until = 0;
#if COMPAT_FROM(24, 11)
	if (test->will_run) {
		*ret_from = test->will_run->start;
		*ret_until = test->will_run->end;
	}
#else
	(void)test;
#endif
}

/* They stay the caller's. */
static inline void compat_bind_plan(struct compat_job_test *test, will_run_data_t *bounds)
{
#if COMPAT_FROM(24, 11)
	test->will_run = bounds;
#else
	(void)test;
	(void)bounds;
#endif
}

/*
 * Whether a plan goes by the least times of running jobs instead of their ends. slurm.conf's
 * SchedulerParameters.
 */
static inline bool compat_plans_by_least_times(const char *parameters)
{
	return COMPAT_FROM(25, 5) && xstrcasestr(parameters, "time_min_as_soft_limit");
}

/* A planned start is the end of the last job on the nodes that were chosen: on others it may be another
 * one (S-SEL-15). */
#define COMPAT_PLAN_DEPENDS_ON_NODES (COMPAT_FROM(25, 5))

/*
 * Whether nodes are in a tree of switches or another topology, where it matters which of them are
 * used together. Node read lock.
 */
static inline bool compat_has_switches(const part_record_t *partition)
{
#if COMPAT_FROM(25, 5)
	int count = 0;

	(void)topology_g_get(TOPO_DATA_REC_CNT, partition->topology_name, &count);
	return count;
#elif COMPAT_FROM(24, 11)
	int count = 0;

	(void)partition;
	(void)topology_g_get(TOPO_DATA_REC_CNT, &count);
	return count;
#else
	(void)partition;
	return switch_record_cnt;
#endif
}

/*
 * The type of our plugin. Up to 24.11 clients load the select plugin, too, and jobs' state has its
 * number: there it has the name of the one that it wraps. From 25.05 on Slurm looks for "cons_tres"
 * in SelectType: without it slurm.conf is invalid with MaxNodeCount, and no node can be created.
 */
#if COMPAT_FROM(25, 5)
#define COMPAT_SELECT_TYPE "select/cons_tres_maui"
#else
#define COMPAT_SELECT_TYPE "select/cons_tres"
#endif

/*
 * A node's place is its sched_weight: the lowest goes first. From bit 40 on Slurm says what comes
 * before any weight (the node has to boot, or is outside of the reservation), and cons_tres writes
 * the nearness of GPUs to the lowest 8 bits.
 *
 * From 23.11 on WILL_RUN computes it anew, from node->weight and from what the node has to do
 * before: there the rank is the weight, and the rest is Slurm's. Others read that weight with the
 * node lock, and sched/builtin plans without its write lock.
 */
#define COMPAT_ORDER_STATE_BITS (~UINT64_C(0) << 40)
#define COMPAT_ORDER_GPU_BITS   UINT64_C(0xff)
#define COMPAT_ORDER_SHIFT      16
#define COMPAT_ORDER_BOOTS      (UINT64_C(1) << 41)
#define COMPAT_PLANS_BY_WEIGHT  (COMPAT_FROM(23, 11))

/* A node's place as Slurm had it. */
struct compat_node_order {
	uint64_t order;
	uint32_t weight;
};

static inline struct compat_node_order compat_node_order(const node_record_t *node)
{
	return (struct compat_node_order){node->sched_weight, node->weight};
}

/*
 * In 22.05 a set of nodes that all have to boot (powered down, or with other features than the
 * job's) has the weight of rebooting instead of its own, and no bit that says so. Weights are
 * shifted as 32 bits.
 */
#if COMPAT_FROM(23, 11)
static inline uint32_t compat_reboot_weight(void)
{
	return 0;
}

static inline uint64_t compat_order_state(uint64_t order, uint32_t reboot_weight, uint16_t mode)
{
	(void)reboot_weight;
	return mode == SELECT_MODE_WILL_RUN ? 0 : order & COMPAT_ORDER_STATE_BITS;
}
#else
static inline uint32_t compat_reboot_weight(void)
{
	return node_features_g_reboot_weight();
}

static inline uint64_t compat_order_state(uint64_t order, uint32_t reboot_weight, uint16_t mode)
{
	uint64_t state = order & COMPAT_ORDER_STATE_BITS;

	(void)mode;
	if ((order | COMPAT_ORDER_GPU_BITS) ==
	    ((uint64_t)(reboot_weight << 8) | COMPAT_ORDER_GPU_BITS))
		state |= COMPAT_ORDER_BOOTS;
	return state;
}
#endif

/* Puts the node at that rank, from 0, among those of the same state. */
static inline void compat_rank_node(node_record_t *node, uint64_t state, uint32_t rank,
				    uint16_t mode)
{
	node->sched_weight =
		state | (uint64_t)(rank + 1) << COMPAT_ORDER_SHIFT | COMPAT_ORDER_GPU_BITS;
	if (COMPAT_PLANS_BY_WEIGHT && mode == SELECT_MODE_WILL_RUN)
		node->weight = rank + 1;
}

/* Puts it back to where it was. */
static inline void compat_unrank_node(node_record_t *node, struct compat_node_order order,
				      uint16_t mode)
{
	node->sched_weight = order.order;
	if (COMPAT_PLANS_BY_WEIGHT && mode == SELECT_MODE_WILL_RUN)
		node->weight = order.weight;
}

/*
 * From 23.11 on the cores of a reservation are asked for by planning a job that is nobody's, and
 * Slurm takes them from the job's resources: the answer goes there.
 */
#if !COMPAT_SELECT_PLACES_CORES
static inline bool compat_is_reservation_test(const struct compat_job_test *test)
{
	return test->mode == SELECT_MODE_WILL_RUN && !test->job->job_id;
}

/* Slurm counts the processors of these cores on each node; a reservation without that count is
 * saved so that it cannot be read again, nor any behind it in the file. */
static inline void compat_set_cores(job_resources_t *resources, bitstr_t *cores)
{
	int at = 0, host = 0;

	resources->cpus = xcalloc(resources->nhosts, sizeof(*resources->cpus));
	for (int node = 0; (node = bit_ffs_from_bit(resources->node_bitmap, node)) >= 0;
	     node++, host++) {
		uint16_t threads = node_record_table_ptr[node]->threads;
		uint32_t last = cr_get_coremap_offset(node + 1);

		for (uint32_t core = cr_get_coremap_offset(node); core < last; core++, at++) {
			if (!bit_test(cores, core))
				continue;
			bit_set(resources->core_bitmap, at);
			resources->cpus[host] += threads;
			resources->ncpus += threads;
		}
	}
}

/* Node read lock. Both bitmaps stay the caller's. SLURM_SUCCESS, or why it failed. */
static inline int compat_give_cores(const struct compat_job_test *test, bitstr_t *nodes,
				    bitstr_t *cores)
{
	job_resources_t *resources = create_job_resources();
	int status;

	resources->node_bitmap = bit_copy(nodes);
	resources->nodes = bitmap2node_name(nodes);
	resources->nhosts = bit_set_count(nodes);
	resources->node_req = NODE_CR_ONE_ROW;
	status = build_job_resources(resources);
	if (status != SLURM_SUCCESS) {
		free_job_resources(&resources);
		return status;
	}
	compat_set_cores(resources, cores);
	bit_copybits(test->nodes, nodes);
	free_job_resources(&test->job->job_resrcs);
	test->job->job_resrcs = resources;
	test->job->total_cpus = resources->ncpus;
	test->job->start_time = time(NULL);
	return SLURM_SUCCESS;
}
#endif

#endif
