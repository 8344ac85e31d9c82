/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by fairshare_accrual.c, which counts, fairshare_settle.c, which loads
 * the windows from their files and writes them back, fairshare_unread.c, which
 * reads the others later, and rsv_idle_file.c. */
#ifndef MAUI_ENGINE_FAIRSHARE_PRIVATE_H
#define MAUI_ENGINE_FAIRSHARE_PRIVATE_H

#include "plugins/engine/fairshare/fairshare.h"
#include "plugins/engine/fairshare/fairshare_place.h"
#include "common/policy/fairshare/used_runs.h"
#include "plugins/engine/runtime/retry.h"

/* Windows whose files cannot be read now (D-SYS-15). They count what is charged meanwhile, and are
 * not written. */
struct fairshare_unread {
	int64_t start[MAUI_FS_MAX_DEPTH];
	size_t count;
	struct retry again;
};

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
	double due;                 /* when to write, monotonic */
	double not_before;          /* earliest time of the next write */
	struct fairshare_unread unread;
};

extern struct fairshare_state fairshare ENGINE_GUARDED;

/* Its windows, ledger and place, for the engine's thread, which alone changes them and so may read
 * them without the mutex. */
const struct fairshare_state *fairshare_to_read(void);

/* Another process may have counted meanwhile: read everything from its files again. The mutex is
 * held. */
ENGINE_LOCKED void fairshare_begin_anew(void);

/* The file of the window that begins then cannot be read now. The mutex is held. */
ENGINE_LOCKED void fairshare_unread_add(int64_t start);

/* Whether it is one of these; and all of them, as bit k. The mutex is held. */
ENGINE_LOCKED bool fairshare_unread_has(int64_t start);
ENGINE_LOCKED uint32_t fairshare_unread_mask(void);

/* Read again those that can be by now. No lock held; the engine's thread. */
void fairshare_unread_try(void);

/* Collect the runs that Slurm has reported as ended, with their usage if it is known by now. Called
 * before a pass looks at the records itself: job read lock, mutex. */
ENGINE_LOCKED void fairshare_collect_used(void);

#endif
