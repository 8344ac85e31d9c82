/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which starts by backfill are new, and how many of them passed a waiting job. Every start is
 * counted once: it is identified by its job and time, for as long as Slurm has the job's record.
 * Plain numbers, no Slurm. Guarded by the engine's mutex.
 */
#ifndef MAUI_QUEUE_BYPASS_H
#define MAUI_QUEUE_BYPASS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct maui_bypass_start {
	uint32_t job_id;
	uint32_t arrival;  /* the order at equal priority: its job id, or its array's */
	uint32_t priority; /* Slurm's, when it started */
	int64_t time;
};

struct maui_bypass;

struct maui_bypass *maui_bypass_new(void);
void maui_bypass_free(struct maui_bypass *bypass); /* may be NULL */

/*
 * Start over, knowing only what was written down: starts before `counted` have been counted, and so
 * have those listed.
 */
void maui_bypass_reset(struct maui_bypass *bypass, int64_t counted,
		       const struct maui_bypass_start *starts, size_t count);

/*
 * One pass over the records: begin, see each start by backfill, and then, if the pass was complete,
 * sort.
 */
void maui_bypass_begin(struct maui_bypass *bypass, int64_t now);
void maui_bypass_see(struct maui_bypass *bypass, const struct maui_bypass_start *start);
void maui_bypass_sort(struct maui_bypass *bypass);

/*
 * How many of the new starts passed a waiting job: it comes before them in the queue (at equal
 * priority the lower number arrived earlier, and tasks of one array do not pass each other) and was
 * there before they happened. O(log starts) unless it came after the first of them.
 */
uint32_t maui_bypass_count(const struct maui_bypass *bypass, uint32_t arrival, uint32_t priority,
			   int64_t since);

/* The new starts have been counted. Returns whether there were any. */
bool maui_bypass_done(struct maui_bypass *bypass);

/*
 * For maui_bypass_reset() in the next process: the time of the last complete pass, 0 if none, and
 * the starts not before it.
 */
int64_t maui_bypass_counted(const struct maui_bypass *bypass);
size_t maui_bypass_recent(const struct maui_bypass *bypass,
			  const struct maui_bypass_start **ret_starts);

#endif
