/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Slurm's reservations as job starts see them: which are ours, and of which standing reservation.
 * They are followed by the gaps: what of ours should be in Slurm, but is not (rsv_gap_cache.h). Rebuilt
 * when Slurm's reservations change. Guarded by the engine's mutex.
 */
#ifndef MAUI_ENGINE_RSV_VIEW_H
#define MAUI_ENGINE_RSV_VIEW_H

#include "common/policy/reservation/rsv_access.h"
#include "common/policy/reservation/sr_window.h"
#include "plugins/compat/base.h"
#include "plugins/engine/runtime/lock.h"
#include "plugins/engine/runtime/module.h"

struct rsv_seen {
	bool ours;
	bool gap;                         /* Slurm keeps nobody out of it */
	char name[MAUI_SR_INSTANCE_SIZE]; /* if ours */
	uint32_t sr; /* index in rsv_policy_list(); UINT32_MAX: not in maui.cfg (any more) */
	struct maui_rsv_instance instance;
	uint32_t max_start_delay;
	bitstr_t *nodes; /* may be NULL */
	bitstr_t *cores; /* if it holds parts of nodes; NULL: whole nodes */
};

/* Valid until the next call. Node read lock. */
ENGINE_LOCKED size_t rsv_view(const struct rsv_seen **ret_list, int64_t now);

/* Whether there are gaps, and whether there are new ones since the last query. The same lock. */
ENGINE_LOCKED bool rsv_view_has_gaps(int64_t now);
ENGINE_LOCKED bool rsv_view_gaps_are_new(void);

/* A roll has done what it could: gaps that remain are old ones. The same lock. */
ENGINE_LOCKED void rsv_view_settle(int64_t now);

/* Make the next call look again: what it was made of has changed. */
ENGINE_LOCKED void rsv_view_forget(void);

extern const struct module rsv_view_module;

#endif
