/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What must outlive slurmctld about pending jobs, as text: contribs/doc/state-files.md. Text in, records out, and back;
 * no file, no clock, no Slurm.
 */
#ifndef MAUI_ENGINE_JOBSTATE_H
#define MAUI_ENGINE_JOBSTATE_H

#include <stddef.h>
#include <stdint.h>

#include "common/util/error.h"
#include "plugins/engine/bypass.h"

#define JOBSTATE_MAX_JOBS   1048576
#define JOBSTATE_MAX_STARTS 65536
#define JOBSTATE_MAX_SIZE   67108864 /* bytes; the two above fit */

/* A job is known by its id and submission time: ids are used again, and a requeue moves the submission. */
struct jobstate_job {
	uint32_t job_id, bypass;
	int64_t submitted, queued_since;
};

struct jobstate {
	int64_t counted; /* backfill starts before this time are counted; 0: nothing is known */
	size_t start_count, job_count;
	struct bypass_start
		*starts; /* those not before it that are counted, too; without priority */
	struct jobstate_job *jobs;
};

void jobstate_clear(struct jobstate *state);

/* 0; -EINVAL: the text is damaged, cut short or something else; -ENOMEM. The error says what is wrong with it. */
int jobstate_parse(const char *text, size_t size, struct jobstate *ret_state,
		   struct maui_error *error);

/* malloc'ed text. What is beyond the limits is left out. 0 or -ENOMEM. */
int jobstate_format(const struct jobstate *state, char **ret_text, size_t *ret_size);

#endif
