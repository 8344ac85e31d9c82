/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A job as it was before a call of the inner plugin, for another one. */
#ifndef MAUI_SELECT_JOB_BEFORE_H
#define MAUI_SELECT_JOB_BEFORE_H

#include "plugins/compat/select_api.h"

/* What a failing call may leave changed in the job; every call sets the rest again. */
struct job_before {
	uint64_t bit_flags;
	uint64_t pn_min_memory;
	uint32_t min_cpus;
	uint32_t total_cpus;
	time_t start_time;
};

static inline struct job_before job_remember(const job_record_t *job)
{
	return (struct job_before){
		.bit_flags = job->bit_flags,
		.pn_min_memory = job->details->pn_min_memory,
		.min_cpus = job->details->min_cpus,
		.total_cpus = job->total_cpus,
		.start_time = job->start_time,
	};
}

static inline void job_put_back(job_record_t *job, const struct job_before *before)
{
	job->details->pn_min_memory = before->pn_min_memory;
	job->details->min_cpus = before->min_cpus;
	job->total_cpus = before->total_cpus;
	job->start_time = before->start_time;
}

#endif
