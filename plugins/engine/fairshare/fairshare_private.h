/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Between fairshare.c, which counts, and fairshare_settle.c, which brings the windows from their
 * files and back. */
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
	bool known_kept;              /* there is a file of it */
	struct maui_run
		*runs; /* for the next pass: those that ended before it, and what it collects */
	size_t run_count, run_room;
	bool by_speed;              /* USEMACHINESPEEDFORFS */
	struct maui_used_runs used; /* UTILIZEDPS */
	uint32_t *gone;             /* jobs that were not met in this pass */
	size_t gone_room;
	double last_pass;  /* monotonic; negative: none yet */
	double due;        /* when to write */
	double not_before; /* of the next write */
};

extern struct fairshare_state fairshare;

/* Another process may have counted meanwhile: everything is to be read from its files again. The mutex
 * is held. */
void fairshare_begin_anew(void);

/* The runs that Slurm has told the end of, with what they have used if that is known by now. For a
 * pass, before its own look at the records: job read lock, mutex. */
void fairshare_collect_used(void);

#endif
