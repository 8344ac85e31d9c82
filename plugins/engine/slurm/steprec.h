/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a step's record in Slurm says. Job read lock. */
#ifndef MAUI_ENGINE_STEPREC_H
#define MAUI_ENGINE_STEPREC_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "plugins/compat/base.h"

struct steprec_usage {
	uint32_t job_id;
	time_t job_start;  /* of the run that the step belongs to */
	double used, held; /* CPU seconds */
};

/* What a step that has ended has used, as measured, and what it has held. False: nothing was
 * measured, as with jobacct_gather/none. */
bool steprec_look(const step_record_t *step, struct steprec_usage *ret_usage);

#endif
