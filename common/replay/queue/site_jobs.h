/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A job of the trace as priorities, limits and reservations see it. */
#ifndef MAUI_REPLAY_SITE_JOBS_H
#define MAUI_REPLAY_SITE_JOBS_H

#include "common/replay/state/site_replay.h"

void site_fill_request(const struct site_replay *replay, const struct maui_replay_job *record,
		       struct maui_priority_job *ret_job);
/* Of a job, QDEF's QOS included. */
void site_credentials(const struct site_replay *replay, uint32_t job,
		      uint32_t ret_credential[MAUI_CREDENTIALS]);
/* A waiting job's priority for the schedulers by the present tables. */
uint32_t site_rank(const struct site_replay *replay, uint32_t job,
		   const struct maui_priority_job *request, int64_t now, bool *ret_rejected);
/* Reports a priority to --priorities, if that is asked for. */
void site_tell_rank(const struct site_replay *replay, uint32_t job, int64_t now, uint32_t rank);

/* The lowest priority that a job may have, as the engine sees to it: a job over a limit is below
 * bf_min_prio_reserve. */
static inline uint32_t site_floor(const struct site_replay *replay)
{
	return replay->site->parameters.main_reserve >= 2 ? 2 : 1;
}

#endif
