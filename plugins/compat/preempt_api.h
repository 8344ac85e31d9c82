/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The interface of preempt plugins in Slurm 22.05 (and up to 24.11; from 25.05 on get_data() is
 * three functions, S-PRE-1): its calls under the names of their symbols, preempt_p_<name>. Another
 * release needs another list here and nothing elsewhere.
 */
#ifndef MAUI_COMPAT_PREEMPT_API_H
#define MAUI_COMPAT_PREEMPT_API_H

#include "plugins/compat/compat.h"

#include "src/slurmctld/preempt.h"

struct compat_preempt_ops {
	bool (*job_preempt_check)(job_queue_rec_t *job, job_queue_rec_t *other);
	bool (*preemptable)(job_record_t *victim, job_record_t *job);
	int (*get_data)(job_record_t *job, slurm_preempt_data_type_t type, void *data);
};

#define COMPAT_PREEMPT_SYMBOLS(SYMBOL)                                                             \
	SYMBOL(job_preempt_check)                                                                  \
	SYMBOL(preemptable)                                                                        \
	SYMBOL(get_data)

/* PreemptMode as the schedulers take it: without the marks that are no modes. */
#define COMPAT_PREEMPT_MODE(mode) ((mode) & ~(PREEMPT_MODE_GANG | PREEMPT_MODE_WITHIN))

#endif
