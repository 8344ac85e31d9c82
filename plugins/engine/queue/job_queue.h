/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the engine knows about the queue from one iteration to the next. Guarded by its mutex. */
#ifndef MAUI_ENGINE_JOB_QUEUE_H
#define MAUI_ENGINE_JOB_QUEUE_H

#include <stdbool.h>
#include <stddef.h>

#include "common/queue/bypass.h"
#include "common/queue/jobs.h"
#include "common/queue/snapshot.h"
#include "plugins/engine/runtime/lock.h"
#include "plugins/engine/runtime/module.h"

struct job_queue {
	struct maui_jobs *jobs;
	struct maui_bypass *bypass;
	/* The last; NULL before the first iteration, while an iteration uses
	 * its memory, and after one that ended before it was complete. */
	struct maui_snapshot *snapshot;
	size_t count; /* rows of the last one that was published */
	int64_t time; /* and when its iteration began, epoch seconds */
	/* Jobs that wait for a limit or cap, or behind a soft one: an event may free them. */
	size_t blocked;
};

extern struct job_queue job_queue ENGINE_GUARDED;

/* To who asks for a snapshot, when there is none. */
#define JOB_QUEUE_UNSEEN "the engine has not looked at the jobs yet, or does so now: ask again"

/* A reference to a snapshot begun after this call, so that it shows all that the caller did before;
 * the last one if that takes longer than `wait` seconds. NULL if there is none then. For the
 * service. Takes the mutex. */
struct maui_snapshot *job_queue_snapshot(int wait);

/* The same for the last snapshot. If there is none, because an iteration uses its
 * memory or has ended before it was complete, it wants one and waits for it. */
struct maui_snapshot *job_queue_last_snapshot(int wait);

/* Seconds that a job has been seen to ask for; 0: nothing is known. A task that is being split from
 * its array is known by that; 0: it is of none. */
ENGINE_LOCKED uint32_t job_queue_walltime(uint32_t job_id, uint32_t array_id);

extern const struct module job_queue_module;

#endif
