/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The interface of select plugins in Slurm 22.05: its calls, the arguments of job_test, and how a
 * node's place in the order is written down. Another release needs another list here and nothing
 * elsewhere.
 */
#ifndef MAUI_COMPAT_SELECT_API_H
#define MAUI_COMPAT_SELECT_API_H

/* Programs with libslurm.so have Slurm's functions under the names alone that this gives them. */
#include "src/common/slurm_xlator.h"

#include "plugins/compat/compat.h"

#include "src/common/job_resources.h"
#include "src/common/node_features.h"
#include "src/common/plugin.h"
#include "src/common/select.h"

#pragma weak idle_node_bitmap
#pragma weak switch_record_cnt
extern int switch_record_cnt;

/*
 * CALL(type, name, member, parameters, arguments): the symbol is select_p_<name>, and
 * slurm_select_ops_t has it as <member>. These are handed on as they are:
 */
#define COMPAT_SELECT_FORWARDED(CALL)                                                              \
	CALL(int, state_save, state_save, (char *directory), (directory))                          \
	CALL(int, state_restore, state_restore, (char *directory), (directory))                    \
	CALL(int, job_init, job_init, (List jobs), (jobs))                                         \
	CALL(int, job_begin, job_begin, (job_record_t * job), (job))                               \
	CALL(int, job_ready, job_ready, (job_record_t * job), (job))                               \
	CALL(int, job_signal, job_signal, (job_record_t * job, int signal), (job, signal))         \
	CALL(bitstr_t *, step_pick_nodes, step_pick_nodes,                                         \
	     (job_record_t * job, select_jobinfo_t * info, uint32_t count, bitstr_t * *nodes),     \
	     (job, info, count, nodes))                                                            \
	CALL(int, step_start, step_start, (step_record_t * step), (step))                          \
	CALL(int, select_nodeinfo_pack, nodeinfo_pack,                                             \
	     (select_nodeinfo_t * info, buf_t * buffer, uint16_t protocol),                        \
	     (info, buffer, protocol))                                                             \
	CALL(int, select_nodeinfo_unpack, nodeinfo_unpack,                                         \
	     (select_nodeinfo_t * *info, buf_t * buffer, uint16_t protocol),                       \
	     (info, buffer, protocol))                                                             \
	CALL(select_nodeinfo_t *, select_nodeinfo_alloc, nodeinfo_alloc, (void), ())               \
	CALL(int, select_nodeinfo_free, nodeinfo_free, (select_nodeinfo_t * info), (info))         \
	CALL(int, select_nodeinfo_set_all, nodeinfo_set_all, (void), ())                           \
	CALL(int, select_nodeinfo_get, nodeinfo_get,                                               \
	     (select_nodeinfo_t * info, enum select_nodedata_type type, enum node_states state,    \
	      void *data),                                                                         \
	     (info, type, state, data))                                                            \
	CALL(select_jobinfo_t *, select_jobinfo_alloc, jobinfo_alloc, (void), ())                  \
	CALL(int, select_jobinfo_free, jobinfo_free, (select_jobinfo_t * info), (info))            \
	CALL(int, select_jobinfo_set, jobinfo_set,                                                 \
	     (select_jobinfo_t * info, enum select_jobdata_type type, void *data),                 \
	     (info, type, data))                                                                   \
	CALL(int, select_jobinfo_get, jobinfo_get,                                                 \
	     (select_jobinfo_t * info, enum select_jobdata_type type, void *data),                 \
	     (info, type, data))                                                                   \
	CALL(select_jobinfo_t *, select_jobinfo_copy, jobinfo_copy, (select_jobinfo_t * info),     \
	     (info))                                                                               \
	CALL(int, select_jobinfo_pack, jobinfo_pack,                                               \
	     (select_jobinfo_t * info, buf_t * buffer, uint16_t protocol),                         \
	     (info, buffer, protocol))                                                             \
	CALL(int, select_jobinfo_unpack, jobinfo_unpack,                                           \
	     (select_jobinfo_t * *info, buf_t * buffer, uint16_t protocol),                        \
	     (info, buffer, protocol))                                                             \
	CALL(char *, select_jobinfo_sprint, jobinfo_sprint,                                        \
	     (select_jobinfo_t * info, char *buffer, size_t size, int mode),                       \
	     (info, buffer, size, mode))                                                           \
	CALL(char *, select_jobinfo_xstrdup, jobinfo_xstrdup, (select_jobinfo_t * info, int mode), \
	     (info, mode))                                                                         \
	CALL(int, get_info_from_plugin, get_info_from_plugin,                                      \
	     (enum select_plugindata_info type, job_record_t * job, void *data),                   \
	     (type, job, data))                                                                    \
	CALL(int, update_node_config, update_node_config, (int node), (node))

/* The plugin does something of its own at these, and hands them on, too: */
#define COMPAT_SELECT_HOOKED(CALL)                                                                 \
	CALL(int, node_init, node_init, (void), ())                                                \
	CALL(int, reconfigure, reconfigure, (void), ())                                            \
	CALL(int, job_test, job_test, COMPAT_JOB_TEST_PARAMETERS, COMPAT_JOB_TEST_ARGUMENTS)       \
	CALL(int, job_expand, job_expand, (job_record_t * from, job_record_t * to), (from, to))    \
	CALL(int, job_resized, job_resized, (job_record_t * job, node_record_t * node),            \
	     (job, node))                                                                          \
	CALL(int, job_fini, job_fini, (job_record_t * job), (job))                                 \
	CALL(int, job_suspend, job_suspend, (job_record_t * job, bool indefinitely),               \
	     (job, indefinitely))                                                                  \
	CALL(int, job_resume, job_resume, (job_record_t * job, bool indefinitely),                 \
	     (job, indefinitely))                                                                  \
	CALL(int, step_finish, step_finish, (step_record_t * step, bool killing), (step, killing)) \
	CALL(int, select_nodeinfo_set, nodeinfo_set, (job_record_t * job), (job))                  \
	CALL(bitstr_t *, resv_test, resv_test,                                                     \
	     (resv_desc_msg_t * request, uint32_t count, bitstr_t * nodes, bitstr_t * *cores),     \
	     (request, count, nodes, cores))

#define COMPAT_JOB_TEST_PARAMETERS                                                                 \
	(job_record_t * job, bitstr_t * nodes, uint32_t min_nodes, uint32_t max_nodes,             \
	 uint32_t req_nodes, uint16_t mode, List preemptable, List * preempted,                    \
	 bitstr_t * excluded_cores)
#define COMPAT_JOB_TEST_ARGUMENTS                                                                  \
	(job, nodes, min_nodes, max_nodes, req_nodes, mode, preemptable, preempted, excluded_cores)

/* The arguments of job_test as one thing, and the call with them. */
struct compat_job_test {
	job_record_t *job;
	bitstr_t *nodes; /* candidates; the chosen ones afterwards */
	uint32_t min_nodes, max_nodes, req_nodes;
	uint16_t mode;
	List preemptable;
	List *preempted;
	bitstr_t *excluded_cores;
};
#define COMPAT_JOB_TEST_OF_ARGUMENTS                                                               \
	{                                                                                          \
		job, nodes, min_nodes, max_nodes, req_nodes, mode, preemptable, preempted,         \
			excluded_cores                                                             \
	}

static inline int compat_job_test(const slurm_select_ops_t *ops, const struct compat_job_test *test)
{
	return ops->job_test(test->job, test->nodes, test->min_nodes, test->max_nodes,
			     test->req_nodes, test->mode, test->preemptable, test->preempted,
			     test->excluded_cores);
}

/*
 * A node's place is its sched_weight alone: the least goes first. From bit 40 on Slurm says what
 * comes before any weight (the node has to boot, or is outside of the reservation), and cons_tres
 * writes the nearness of GPUs to the lowest 8 bits. (From 23.11 on WILL_RUN computes it anew from
 * node->weight, which has to be set and put back, too.)
 */
#define COMPAT_ORDER_STATE_BITS (~UINT64_C(0) << 40)
#define COMPAT_ORDER_GPU_BITS   UINT64_C(0xff)
#define COMPAT_ORDER_SHIFT      16

/*
 * A set of nodes that all have to boot (powered down, or with other features than the job's) has
 * the weight of rebooting in place of its own, and no bit that says so. 22.05 shifts weights as 32
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
