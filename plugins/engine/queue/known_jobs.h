/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The ids of all jobs that slurmctld has, kept from one iteration to the next.
 * Walking Slurm's list of them is pointer chasing: it waits for each element.
 * An id whose record has been prefetched is looked up without waiting. S-PRI-9.
 */
#ifndef MAUI_ENGINE_KNOWN_JOBS_H
#define MAUI_ENGINE_KNOWN_JOBS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "plugins/engine/runtime/lock.h"

struct known_job {
	/* Where its record is; once Slurm's locks have been given back it may be
	 * gone, and the address is good for prefetching only. */
	const void *record;
	uint32_t job_id;
	bool waits; /* it was pending when it was looked at */
};

/* Slurm has told us of a job, which may be new. */
ENGINE_LOCKED void known_jobs_add(uint32_t job_id, const void *record);

/*
 * All jobs, by ascending id: exactly those of Slurm's list, which is walked only
 * if it has jobs that were not known. Job read lock. Valid as long as that and
 * the mutex are held.
 */
ENGINE_LOCKED const struct known_job *known_jobs_look(size_t *ret_count);

#endif
