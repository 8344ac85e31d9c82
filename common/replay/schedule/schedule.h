/* SPDX-License-Identifier: GPL-2.0-or-later */
/* When each job of a trace begins under some scheduler. */
#ifndef MAUI_REPLAY_SCHEDULE_H
#define MAUI_REPLAY_SCHEDULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/replay/schedule/held.h"
#include "common/replay/schedule/reserved.h"
#include "common/replay/trace/trace.h"

/* What a job has on a node. */
struct maui_replay_share {
	uint32_t node, cpus;
	/* Of each of its GRES, in the order of its request, which one; its number less 1, in a
	 * byte. */
	uint32_t gres;
	uint32_t part; /* of a job of parts, which: its size from 1 on; 0: it has tasks there */
};

struct maui_replay_schedule {
	size_t count;                 /* the jobs of the trace */
	int64_t *started;             /* by job; MAUI_REPLAY_UNKNOWN: never */
	bool *backfilled;             /* by job: began before one that was ahead of it */
	struct maui_replay_held held; /* nobody, under a scheduler of the literature */
	struct maui_replay_reservations reservations; /* on nodes, under a maui.cfg */
	/* On nodes, of those that began: where, in the order in which nodes were taken. NULL on a
	 * pool of processors. */
	size_t *first_share;   /* by job */
	uint32_t *share_count; /* by job */
	struct maui_replay_share *shares;
	size_t shares_used, shares_room;
};

/* Nobody has begun. Must be cleared. */
void maui_replay_schedule_open(struct maui_replay_schedule *schedule, size_t count);
void maui_replay_schedule_clear(struct maui_replay_schedule *schedule);

/*
 * The schedulers of the literature, for comparison: first come, first served, nobody overtakes;
 * EASY, where a job may overtake if the first one of the queue still begins when it would have
 * by the time limits; and EASY that tries the shortest first (SJBF).
 *
 * Their conventions are those of Gaussier et al., SC'15: one event at a time, in one second
 * submissions before ends; jobs begin after both; on a submission the queue is looked at only if the
 * new job would fit. D-RPL-2.
 */
enum maui_replay_preset { MAUI_REPLAY_FCFS, MAUI_REPLAY_EASY, MAUI_REPLAY_SJBF };

/*
 * Replay a trace on procs processors; no job asks for more. perfect: as if time limits were the run
 * times. The schedule must be cleared.
 */
void maui_replay_preset_run(const struct maui_replay_trace *trace, uint32_t procs,
			    enum maui_replay_preset preset, bool perfect,
			    struct maui_replay_schedule *ret_schedule);

#endif
