/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * libslurm, and what differs between its releases; no other file of the command asks for a version.
 * Where something has another name in a later release, ours is the later one.
 *
 * hostlist_t, and List and ListIterator where a release has them, are pointers in some releases and
 * structs in others: struct hostlist, struct xlist and struct listIterator are the same in all.
 */
#ifndef MAUI_SLURM_COMPAT_H
#define MAUI_SLURM_COMPAT_H

#include <slurm/slurm.h>
#include <slurm/slurm_errno.h>
#include <slurm/slurm_version.h>
#include <slurm/slurmdb.h>

#define SLURM_FROM(major, minor) (SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(major, minor, 0))

/* The id of the job that a description is of. */
#if SLURM_FROM(25, 11)
#define slurm_described_job(description) ((description)->step_id.job_id)
#else
#define SELECT_LLN                       CR_LLN
#define slurm_described_job(description) ((description)->job_id)
#endif

#if !SLURM_FROM(26, 5)
#define slurm_free_conf slurm_free_ctl_conf
#endif

/* Of libslurm's symbols for Slurm's own commands; no header of its has them. */
#if SLURM_FROM(24, 11)
extern const char *slurm_job_state_reason_string(enum job_state_reason reason);
#else
extern char *slurm_job_reason_string(enum job_state_reason reason);
#define slurm_job_state_reason_string slurm_job_reason_string
#endif

/* What slurm_ctl_conf_2_key_pairs() lists; read_config.h has it, and slurm.h calls it opaque. */
struct slurm_key_pair {
	char *name, *value;
};

/* Sets of bits; slurm.h has their type alone. */
extern int slurm_bit_test(bitstr_t *set, bitoff_t bit);
extern bitoff_t slurm_bit_size(bitstr_t *set);

/* Seconds of each TRES that the jobs of a user or account in a QOS have outstanding; NULL: that is
 * not counted, and has no limit. */
static inline const uint64_t *slurm_used_run_seconds(const slurmdb_used_limits_t *used)
{
#if SLURM_FROM(24, 11)
	return used->tres_run_secs;
#else
	(void)used;
	return NULL;
#endif
}

/* What jobs have of a node: processors, and megabytes of memory. */
static inline void slurm_node_use(const node_info_t *node, uint16_t *ret_procs,
				  uint64_t *ret_memory)
{
#if SLURM_FROM(25, 5)
	*ret_procs = node->alloc_cpus;
	*ret_memory = node->alloc_memory;
#else
	*ret_procs = 0;
	*ret_memory = 0;
	slurm_get_select_nodeinfo(node->select_nodeinfo, SELECT_NODEDATA_SUBCNT,
				  NODE_STATE_ALLOCATED, ret_procs);
	slurm_get_select_nodeinfo(node->select_nodeinfo, SELECT_NODEDATA_MEM_ALLOC,
				  NODE_STATE_ALLOCATED, ret_memory);
#endif
}

#endif
