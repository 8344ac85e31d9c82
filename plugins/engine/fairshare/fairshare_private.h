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
	struct fairshare_known known; /* of what stands in for STATDIR */
	bool known_kept;              /* it is in a file */
	struct maui_run
		*runs; /* for the next pass: runs that ended before it, and those it collects */
	size_t run_count, run_room;
	bool by_speed;              /* USEMACHINESPEEDFORFS */
	struct maui_used_runs used; /* UTILIZEDPS */
	uint32_t *gone;             /* jobs not seen in this pass */
	size_t gone_room;
	double last_pass;  /* monotonic; negative: none yet */
	double due;        /* when to write */
	double not_before; /* earliest time of the next write */
};

extern struct fairshare_state fairshare;

/* Another process may have counted meanwhile: read everything from its files again. The mutex is
 * held. */
void fairshare_begin_anew(void);

/* Collect the runs that Slurm has reported as ended, with their usage if it is known by now. Called
 * before a pass looks at the records itself: job read lock, mutex. */
void fairshare_collect_used(void);

#endif
