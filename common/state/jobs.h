/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What must survive slurmctld about pending jobs, as text: contribs/doc/state-files.md. Text in,
 * records out, and back; no file, no clock, no Slurm.
 */
#ifndef MAUI_STATE_JOBS_H
#define MAUI_STATE_JOBS_H

#include <stddef.h>
#include <stdint.h>

#include "common/util/error.h"
#include "common/queue/bypass.h"

#define MAUI_JOBSTATE_MAX_JOBS   1048576
#define MAUI_JOBSTATE_MAX_STARTS 65536
#define MAUI_JOBSTATE_MAX_SIZE   67108864 /* bytes; the two above fit */

/*
 * A job is identified by its id and submission time: ids are reused, and a requeue changes the
 * submission time.
 */
struct maui_jobstate_job {
	uint32_t job_id, bypass;
	int64_t submitted, queued_since;
};

struct maui_jobstate {
	int64_t counted; /* backfill starts before this time are counted; 0: nothing is known */
	size_t start_count, job_count;
	struct maui_bypass_start
		*starts; /* those not before it that are counted, too; without priority */
	struct maui_jobstate_job *jobs;
};

void maui_jobstate_clear(struct maui_jobstate *state);

/*
 * 0; -EINVAL: the text is damaged, truncated or something else; -ENOMEM. The error says what is
 * wrong with it.
 */
int maui_jobstate_parse(const char *text, size_t size, struct maui_jobstate *ret_state,
			struct maui_error *error);

/* malloc'ed text. Anything beyond the limits is left out. 0 or -ENOMEM. */
int maui_jobstate_format(const struct maui_jobstate *state, char **ret_text, size_t *ret_size);

#endif
