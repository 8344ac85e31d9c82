/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What must survive slurmctld about jobs, as text: contribs/doc/state-files.md. Text in,
 * records out, and back; no file, no clock, no Slurm.
 */
#ifndef MAUI_STATE_JOBS_H
#define MAUI_STATE_JOBS_H

#include <stddef.h>
#include <stdint.h>

#include "common/queue/bypass.h"
#include "common/queue/started_qos.h"
#include "common/state/state_file.h"

#define MAUI_JOBSTATE_MAX_JOBS   1048576
#define MAUI_JOBSTATE_MAX_STARTS 65536
#define MAUI_JOBSTATE_MAX_QOS    65536
#define MAUI_JOBSTATE_MAX_SIZE   75497472 /* bytes; the three above fit */

/*
 * A job is identified by its id and submission time: ids are reused, and a requeue changes the
 * submission time.
 */
struct maui_jobstate_job {
	uint32_t job_id, bypass;
	int64_t submitted, queued_since;
};

/* queued_since of a job whose queue time each iteration restarts: on reading,
 * the present time takes its place. So the file stays as it is while the job is
 * blocked. */
#define MAUI_JOBSTATE_RESTARTS MAUI_STATE_LAST_SECOND

struct maui_jobstate {
	int64_t counted; /* backfill starts before this time are counted; 0: nothing is known */
	size_t start_count, job_count, qos_count;
	struct maui_bypass_start
		*starts; /* those not before it that are counted, too; without priority */
	struct maui_jobstate_job *jobs;
	struct maui_started_qos *qos; /* of jobs that named several and have started */
};

/* Anything beyond the limits is not written. */
MAUI_STATE_FUNCTIONS(maui_jobstate, struct maui_jobstate *, const struct maui_jobstate *)

#endif
