/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The interface of preempt plugins: its calls under the names of their symbols, preempt_p_<name>.
 * From 25.05 on get_data() is three functions (S-PRE-1). Another release needs another list here
 * and nothing elsewhere.
 */
#ifndef MAUI_COMPAT_PREEMPT_API_H
#define MAUI_COMPAT_PREEMPT_API_H

#include "plugins/compat/compat.h"

#if COMPAT_FROM(23, 11)
#include "src/interfaces/preempt.h"
#else
#include "src/slurmctld/preempt.h"
#endif

#define COMPAT_PREEMPT_GETS_DATA (!COMPAT_FROM(25, 5))

struct compat_preempt_ops {
	bool (*job_preempt_check)(job_queue_rec_t *job, job_queue_rec_t *other);
	bool (*preemptable)(job_record_t *victim, job_record_t *job);
#if COMPAT_PREEMPT_GETS_DATA
	int (*get_data)(job_record_t *job, slurm_preempt_data_type_t type, void *data);
#else
	uint32_t (*get_grace_time)(job_record_t *job);
	uint16_t (*get_mode)(job_record_t *job);
	uint32_t (*get_prio)(job_record_t *job);
#endif
};

#if COMPAT_PREEMPT_GETS_DATA
#define COMPAT_PREEMPT_SYMBOLS(SYMBOL)                                                             \
	SYMBOL(job_preempt_check)                                                                  \
	SYMBOL(preemptable)                                                                        \
	SYMBOL(get_data)
#else
#define COMPAT_PREEMPT_SYMBOLS(SYMBOL)                                                             \
	SYMBOL(job_preempt_check)                                                                  \
	SYMBOL(preemptable)                                                                        \
	SYMBOL(get_grace_time)                                                                     \
	SYMBOL(get_mode)                                                                           \
	SYMBOL(get_prio)
#endif

/*
 * Seconds that a job gets if it is preempted. From 25.05 on Slurm does not expose what its plugin
 * says: the longer of its partition's and its QOS's, of which a plugin of Slurm's takes one.
 */
static inline uint32_t compat_grace_time(job_record_t *job)
{
#if COMPAT_PREEMPT_GETS_DATA
	return slurm_job_get_grace_time(job);
#else
	uint32_t partition = job->part_ptr ? job->part_ptr->grace_time : 0;
	uint32_t qos = job->qos_ptr ? job->qos_ptr->grace_time : 0;

	return MAX(partition, qos);
#endif
}

/* How that plugin would preempt the job; false: it does not say. */
static inline bool compat_preempt_mode(const struct compat_preempt_ops *ops, job_record_t *job,
				       uint16_t *ret_mode)
{
#if COMPAT_PREEMPT_GETS_DATA
	return ops->get_data(job, PREEMPT_DATA_MODE, ret_mode) == SLURM_SUCCESS;
#else
	*ret_mode = ops->get_mode(job);
	return true;
#endif
}

/* PreemptMode as the schedulers take it: without the flags that are not modes. */
#define COMPAT_PREEMPT_MODE(mode) ((mode) & ~(PREEMPT_MODE_GANG | PREEMPT_MODE_WITHIN))

#endif
