/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What slurm.conf's SchedulerParameters say to Slurm's two schedulers, as far as a replay obeys. */
#ifndef MAUI_REPLAY_PARAMETERS_H
#define MAUI_REPLAY_PARAMETERS_H

#include <stdbool.h>
#include <stdint.h>

#include "common/util/error.h"

struct maui_replay_parameters {
	uint32_t queue_depth;  /* default_queue_depth: the main scheduler looks at one job more */
	uint32_t max_job_test; /* bf_max_job_test */
	int64_t window;        /* bf_window, seconds */
	int64_t resolution;    /* bf_resolution, seconds */
	bool backfill_off;     /* bf_interval=-1 */
	/* bf_interval, seconds; without backfill that of the main scheduler's passes over all. */
	int64_t interval;
	int64_t window_linear; /* bf_window_linear, seconds; 0: windows of ends double */
	/* Of ends that are one step of a plan (S-SEL-15), seconds; 0: each is one, as on a pool. No
	 * parameter of slurm.conf. */
	int64_t first_window;
	/* bf_min_prio_reserve; 0: no such bound. Of one that is out of range backfill takes none, and
	 * the main scheduler the lower 32 bits. */
	uint32_t min_prio_reserve, main_reserve;
};

/* Slurm's defaults. */
extern const struct maui_replay_parameters maui_replay_default_parameters;

/* What is told while a text is read. Each may be NULL. */
struct maui_replay_parameter_notes {
	/* A name that has no effect on a replay, with its value. */
	void (*ignored)(void *context, const char *name);
	/*
	 * A value out of Slurm's range, of which slurmctld takes the default: the text says so. NULL:
	 * such a value is an error.
	 */
	void (*replaced)(void *context, const char *text);
	void *context;
};

/*
 * Read a text such as "bf_window=2880,bf_continue", with the range and the default of slurmctld for
 * each. Of a name that is there twice the first counts. 0; -EINVAL for a value out of range.
 */
int maui_replay_parameters_read(const char *text, struct maui_replay_parameters *ret_parameters,
				const struct maui_replay_parameter_notes *notes,
				struct maui_error *error);

#endif
