/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The ids of all jobs that slurmctld has, kept from one iteration to the next.
 * Walking Slurm's list of them is pointer chasing: it waits for each element.
 * An id whose record has been prefetched is looked up without waiting. A job
 * that waits is not even looked up, since Slurm tells of its start and an
 * iteration visits it anyway. S-PRI-9.
 */
#ifndef MAUI_ENGINE_KNOWN_JOBS_H
#define MAUI_ENGINE_KNOWN_JOBS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "plugins/engine/runtime/lock.h"
#include "plugins/engine/runtime/module.h"

struct known_job {
	/* Where its record is; once Slurm's locks have been given back it may be
	 * gone, and the address is good for prefetching only. */
	const void *record;
	uint32_t job_id;
	uint32_t slot : 31; /* of jobs.h, if the last iteration has visited it there */
	bool waits : 1;     /* it was pending when it was last looked at */
};

/* Slurm has told us of a job, which may be new, or has begun. */
ENGINE_LOCKED void known_jobs_add(uint32_t job_id, const void *record);

/*
 * All jobs, by ascending id: those of Slurm's list, which is walked only if it
 * has another number of jobs. told: of each job that begins known_jobs_add() has
 * told; then one that waits may have been cancelled, and be gone. Job read lock.
 * Valid as long as that and the mutex are held.
 */
ENGINE_LOCKED const struct known_job *known_jobs_look(bool told, size_t *ret_count);

/*
 * The next jobs that wait, from this id on: at most max, in the order of their
 * ids. Returns how many. Their slots may be set. Valid as long as the mutex is
 * held.
 */
ENGINE_LOCKED size_t known_jobs_waiting(uint32_t job_id, struct known_job **ret_jobs, size_t max);

extern const struct module known_jobs_module;

#endif
