/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by rsv_idle.c, which finds what is idle, rsv_idle_layout.c, which finds who pays for
 * it, and rsv_idle_file.c, which keeps what it costs. The mutex is held. */
#ifndef MAUI_ENGINE_RSV_IDLE_PRIVATE_H
#define MAUI_ENGINE_RSV_IDLE_PRIVATE_H

#include "common/policy/fairshare/idle.h"
#include "plugins/compat/base.h"
#include "plugins/engine/runtime/lock.h"

/* What is idle now; NULL: nothing is counted. */
ENGINE_LOCKED const struct maui_idle *rsv_idle_now(void);

/* What is idle has changed: the file must be written. */
ENGINE_LOCKED void rsv_idle_changed(void);

/* A pass over the windows charges this; what one pass charges is in their files completely or not
 * at all. */
ENGINE_LOCKED void rsv_idle_pass_begins(void);
ENGINE_LOCKED void rsv_idle_charged(const struct maui_idle_span *span, int64_t interval);

/* Forget what has been charged. */
ENGINE_LOCKED void rsv_idle_forget(void);

/* ---- the layout ---- */

/* Whether the settings name anybody who answers for a reservation. */
ENGINE_LOCKED bool rsv_idle_is_anybody_named(void);

/* Make the core count the existing reservations that somebody answers for, or none if counted is
 * false. Job and node read locks. */
ENGINE_LOCKED void rsv_idle_lay_out(struct maui_idle *core, bool counted, int64_t now);

/* How many nodes that layout has. */
ENGINE_LOCKED uint32_t rsv_idle_laid_out_nodes(void);

/* A job's cores on watched nodes, as slots of the layout; the list grows, and is kept for the next
 * call. Job and node read lock. */
struct rsv_idle_ranges {
	struct maui_idle_range *list;
	size_t count, room;
};
ENGINE_LOCKED void rsv_idle_cores_of(const job_record_t *job, struct rsv_idle_ranges *ranges);

#endif
