/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The interface of select plugins: its calls (select_calls.h), the arguments of job_test, and how a
 * node's place in the order is written down. Another release needs another list here and nothing
 * elsewhere.
 */
#ifndef MAUI_COMPAT_SELECT_API_H
#define MAUI_COMPAT_SELECT_API_H

/* Programs with libslurm.so have Slurm's functions under the names alone that this gives them. */
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

/* The header of up to 23.11 has it, with the same members. */
#if COMPAT_FROM(24, 11)
typedef struct {
	const uint32_t *plugin_id;
#define MEMBER(type, name, member, parameters, arguments) type(*member) parameters;
	COMPAT_SELECT_FORWARDED(MEMBER) COMPAT_SELECT_HOOKED(MEMBER)
#undef MEMBER
} slurm_select_ops_t;
#endif

/* The arguments of job_test as one thing, and the call with them. */
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
/* excluded_cores counts, whatever the caller has made of it. */
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
 * A node's place is its sched_weight alone: the least goes first. From bit 40 on Slurm says what
 * comes before any weight (the node has to boot, or is outside of the reservation), and cons_tres
 * writes the nearness of GPUs to the lowest 8 bits.
 *
 * So it is in 22.05. From 23.11 on WILL_RUN computes it anew from node->weight, which has to be set
 * and put back, too, and what has to boot has a bit: nothing is here for that yet.
 */
#if !COMPAT_FROM(23, 11)
#define COMPAT_ORDER_STATE_BITS (~UINT64_C(0) << 40)
#define COMPAT_ORDER_GPU_BITS   UINT64_C(0xff)
#define COMPAT_ORDER_SHIFT      16

/*
 * A set of nodes that all have to boot (powered down, or with other features than the job's) has
 * the weight of rebooting in place of its own, and no bit that says so. Weights are shifted as 32
 * bits.
 */
#define COMPAT_ORDER_BOOTS (UINT64_C(1) << 41)

static inline uint64_t compat_order_state(uint64_t order, uint32_t reboot_weight)
{
	uint64_t state = order & COMPAT_ORDER_STATE_BITS;

	if ((order | COMPAT_ORDER_GPU_BITS) ==
	    ((uint64_t)(reboot_weight << 8) | COMPAT_ORDER_GPU_BITS))
		state |= COMPAT_ORDER_BOOTS;
	return state;
}

static inline uint64_t compat_node_order(const node_record_t *node)
{
	return node->sched_weight;
}

static inline void compat_set_node_order(node_record_t *node, uint64_t order)
{
	node->sched_weight = order;
}
#endif

#endif
