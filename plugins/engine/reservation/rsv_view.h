/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Slurm's reservations as the starts of jobs look at them: which are ours, and of which standing
 * reservation. Behind them come the gaps: what of ours should be in Slurm, but is not
 * (rsv_guard.h). Made anew when Slurm's are others. The engine's mutex guards it.
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
	char name[MAUI_SR_INSTANCE_SIZE]; /* of ours */
	uint32_t
		sr; /* its place in rsv_policy_list(); UINT32_MAX: maui.cfg does not have it (any more) */
	struct maui_rsv_instance instance;
	uint32_t max_start_delay;
	bitstr_t *nodes; /* may be NULL */
	bitstr_t *cores; /* of those that hold parts of nodes; NULL: whole nodes */
};

/* Valid until the next call. Node read lock. When memory is short some are left out; then it is not
 * complete. */
ENGINE_LOCKED size_t rsv_view(const struct rsv_seen **ret_list, int64_t now);
bool rsv_view_complete(void);

/* Whether there are gaps, and whether they are new since it was asked last. The same lock. */
ENGINE_LOCKED bool rsv_view_has_gaps(int64_t now);
bool rsv_view_gaps_are_new(void);

/* A roll has done what it could: gaps that are there still are old ones. The same lock. */
ENGINE_LOCKED void rsv_view_settle(int64_t now);

/* The next call is to look again: names or settings are others. */
void rsv_view_forget(void);

extern const struct module rsv_view_module;

#endif
