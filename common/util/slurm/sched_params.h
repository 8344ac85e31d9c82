/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Numbers in slurm.conf's SchedulerParameters, as slurmctld reads them: the first
 * NAME= anywhere in the text counts, in any case. atoi() reads its digits, so
 * that 4294967297 is 1, but those of bf_min_prio_reserve, which has 64 bits. A
 * value out of range gets Slurm's default.
 */
#ifndef MAUI_UTIL_SCHED_PARAMS_H
#define MAUI_UTIL_SCHED_PARAMS_H

#include <stdbool.h>
#include <stdint.h>

enum maui_sched_param {
	MAUI_SCHED_QUEUE_DEPTH,      /* default_queue_depth: jobs */
	MAUI_SCHED_INTERVAL,         /* bf_interval: seconds */
	MAUI_SCHED_MAX_JOB_TEST,     /* bf_max_job_test: jobs */
	MAUI_SCHED_MIN_PRIO_RESERVE, /* bf_min_prio_reserve, to sched/backfill: a priority */
	MAUI_SCHED_RESOLUTION,       /* bf_resolution: seconds */
	MAUI_SCHED_WINDOW,           /* bf_window: minutes */
	MAUI_SCHED_WINDOW_LINEAR,    /* bf_window_linear: seconds */
	MAUI_SCHED_PARAMS
};

/* bf_interval's value that turns backfill off. */
#define MAUI_SCHED_NO_BACKFILL (-1)

struct maui_sched_range {
	const char *name;
	int64_t least, most;
	int64_t beside;    /* a value that counts, too; least: there is none */
	int64_t otherwise; /* Slurm's default */
};

const struct maui_sched_range *maui_sched_range(enum maui_sched_param which);

static inline bool maui_sched_is_within(const struct maui_sched_range *range, int64_t value)
{
	return value == range->beside || (value >= range->least && value <= range->most);
}

/* Where the value begins in the text; the text goes on behind it. NULL: it is not there. */
const char *maui_sched_find(const char *text, enum maui_sched_param which);

/* What slurmctld takes. text may be NULL. *ret_within: false if it replaces a value; may be
 * NULL. */
int64_t maui_sched_value(const char *text, enum maui_sched_param which, bool *ret_within);

/* bf_min_prio_reserve to the main scheduler, which checks no range: the lower 32 bits of a value
 * above 0. 0: it closes a partition behind each job that it cannot start. */
uint32_t maui_sched_main_reserve(const char *text);

#endif
