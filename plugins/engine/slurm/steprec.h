/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a step's record in Slurm says, and when it ends. Job read lock, unless said otherwise. */
#ifndef MAUI_ENGINE_STEPREC_H
#define MAUI_ENGINE_STEPREC_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "plugins/compat/base.h"
#include "plugins/engine/runtime/slurm_writer.h"

struct steprec_usage {
	uint32_t job_id;
	time_t job_start;  /* of the run that the step belongs to */
	double used, held; /* CPU seconds */
};

/* What a step that has ended has used, as measured, and what it has held. False: nothing was
 * measured, as with jobacct_gather/none, or slurmctld does not see all steps of the job. */
bool steprec_look(const step_record_t *step, struct steprec_usage *ret_usage);

/*
 * A run begins: from 25.05 on, where the select plugin is not told, have ended() called when a step
 * of it has ended, with all of the step's record in place. ended() is the same in all calls, and
 * gets the job write lock. A run that has steps already is left alone. Before 25.05 this does
 * nothing. Job write lock.
 */
void steprec_watch(struct slurm_writer *writer, job_record_t *job,
		   void (*ended)(const step_record_t *step));

#endif
