/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which limit, cap or QLIST has held back jobs of a replay, and for how long. */
#ifndef MAUI_REPLAY_HELD_H
#define MAUI_REPLAY_HELD_H

#include <stddef.h>
#include <stdint.h>

#include "common/policy/limits/limits.h"

#define MAUI_REPLAY_RULE_SIZE (MAUI_LIMIT_NAME_SIZE + 8)
#define MAUI_REPLAY_NAME_SIZE 64

/*
 * One rule of one holder: the first that an iteration, or a scheduler that wanted to start the job,
 * found in its way (chapters 6.2 and 6.3.3.2). The time ends when one of them finds another rule,
 * or none, or the job begins.
 */
struct maui_replay_hold {
	/* As maui.cfg names it: "MAXJOB", "soft MAXJOB", "QLIST". */
	char rule[MAUI_REPLAY_RULE_SIZE];
	const char *holder_type; /* "user", ...; "system" */
	/* Cut; "" of the system, DEFAULT of jobs without a QOS. */
	char holder[MAUI_REPLAY_NAME_SIZE];
	const char *second_type; /* of a limit on pairs; NULL */
	char second[MAUI_REPLAY_NAME_SIZE];
	size_t jobs;              /* that it has ever held */
	int64_t seconds;          /* of all of them */
	double processor_seconds; /* that they asked for meanwhile */
};

struct maui_replay_held {
	struct maui_replay_hold *holds; /* the most seconds first */
	size_t count;
	int64_t *seconds; /* by job: held by any; NULL: nobody asked who is */
};

void maui_replay_held_clear(struct maui_replay_held *held);

#endif
