/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by fairshare.c, which counts, and fairshare_settle.c, which loads the windows from their
 * files and writes them back. */
#ifndef MAUI_ENGINE_FAIRSHARE_PRIVATE_H
#define MAUI_ENGINE_FAIRSHARE_PRIVATE_H

#include "plugins/engine/fairshare/fairshare.h"
#include "plugins/engine/fairshare/fairshare_place.h"
#include "common/policy/fairshare/used_runs.h"

struct fairshare_state {
	bool begin_anew;
	struct maui_fairshare *windows; /* NULL: FSPOLICY is not set, or nothing is loaded yet */
	struct maui_fsledger *ledger;
	struct fairshare_place place;
	struct maui_run
		*runs; /* for the next pass: runs that ended before it, and those it collects */
	size_t run_count, run_room;
	bool by_speed;              /* USEMACHINESPEEDFORFS */
	struct maui_used_runs used; /* UTILIZEDPS */
	bool said_unseen;           /* that a job's steps are not seen */
	double last_pass;           /* monotonic; negative: none yet */
	double due;                 /* when to write */
	double not_before;          /* earliest time of the next write */
};

extern struct fairshare_state fairshare ENGINE_GUARDED;

/* Its windows, ledger and place, for the engine's thread, which alone changes them and so may read
 * them without the mutex. */
const struct fairshare_state *fairshare_to_read(void);

/* Another process may have counted meanwhile: read everything from its files again. The mutex is
 * held. */
ENGINE_LOCKED void fairshare_begin_anew(void);

/* Collect the runs that Slurm has reported as ended, with their usage if it is known by now. Called
 * before a pass looks at the records itself: job read lock, mutex. */
ENGINE_LOCKED void fairshare_collect_used(void);

#endif
