/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What became of processors that reservations kept in a replay on nodes. */
#ifndef MAUI_REPLAY_RESERVED_H
#define MAUI_REPLAY_RESERVED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/replay/schedule/held.h"

#define MAUI_REPLAY_TOP 5 /* users and accounts of each reservation, at most */

struct maui_replay_reserver {
	char name[MAUI_REPLAY_NAME_SIZE]; /* cut; "-": jobs that have none */
	double used;                      /* processor-seconds */
};

/* Those that used the most, the most first. */
struct maui_replay_reservers {
	struct maui_replay_reserver top[MAUI_REPLAY_TOP];
	size_t count; /* of ->top */
	size_t more;  /* others, that are not there */
};

/*
 * One standing reservation, all its instances together, or the maintenance of a name, from the
 * first submission to the last end. Processor-seconds; reserved is the sum of used, taken, away and
 * idle. Each counts for itself what it keeps: what two keep is in both. D-RPL-15.
 */
struct maui_replay_reserved {
	char name[MAUI_REPLAY_NAME_SIZE]; /* cut */
	bool maintenance;                 /* nobody is admitted */
	double reserved;
	double used;  /* by jobs that it admits */
	double taken; /* by others, which were there when it began */
	double away;  /* of nodes that were out of service */
	double idle;
	double kept;     /* of idle: while a job waited that no rule held back */
	int64_t lacking; /* seconds of its periods in which it had fewer tasks than it asks for */
	size_t jobs;     /* that have used it */
	struct maui_replay_reservers users, accounts;
};

struct maui_replay_reservations {
	struct maui_replay_reserved *list; /* the most reserved first; NULL: nobody looked */
	size_t count;
};

/* The one of the same name and kind; else one that kept nothing. */
const struct maui_replay_reserved *
maui_replay_reserved_like(const struct maui_replay_reservations *reservations,
			  const struct maui_replay_reserved *like);

void maui_replay_reservations_clear(struct maui_replay_reservations *reservations);

#endif
