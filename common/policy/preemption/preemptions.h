/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which jobs have ended which others by preemption, so that no chain of preemptions comes back to a
 * job that it has ended, D-PRE-4: whatever rule lets a job preempt, it may not if the victim has
 * ended it, or has ended one that has, and so on. Two rules that contradict each other would
 * otherwise end each other's jobs for ever.
 *
 * A job is a number. It is remembered as long as it is in the queue: once it has ended for good it
 * does not matter any more. Uses no rule, nothing of Slurm, and no lock.
 */
#ifndef MAUI_POLICY_PREEMPTIONS_H
#define MAUI_POLICY_PREEMPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MAUI_PREEMPTIONS_MAX 256 /* later ones are not remembered until some are forgotten */

struct maui_preemption {
	uint32_t winner, loser;
	bool winner_seen, loser_seen; /* since maui_preemptions_look() */
	bool reached;                 /* by the present search */
};

/* A zeroed struct is empty. */
struct maui_preemptions {
	struct maui_preemption list[MAUI_PREEMPTIONS_MAX];
	size_t count;
	uint64_t jobs; /* a job whose bit is not set is in none */
};

/* Whether this victim may be preempted for the job. */
bool maui_preemptions_allow(struct maui_preemptions *known, uint32_t job, uint32_t victim);

/* The job has ended the victim. False if there is no room for it, or it was not allowed. */
bool maui_preemptions_add(struct maui_preemptions *known, uint32_t job, uint32_t victim);

/* To forget jobs that are gone: look(), see() each that is in the queue, and forget(). */
void maui_preemptions_look(struct maui_preemptions *known);
void maui_preemptions_see(struct maui_preemptions *known, uint32_t job);
void maui_preemptions_forget(struct maui_preemptions *known);

#endif
