/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Instances that are released before their period ends, and not made again in it: those of
 * SINGLEUSE, when the first job that used one has ended, and those that somebody released. This
 * depends on what is known of one (rsv_names.h) and on its standing reservation, which is NULL if
 * no longer in maui.cfg. The caller's lock protects the data.
 */
#ifndef MAUI_STATE_RSV_RELEASE_H
#define MAUI_STATE_RSV_RELEASE_H

#include "common/policy/reservation/sr_settings.h"
#include "common/state/rsv_names.h"

bool maui_rsv_released(const struct maui_rsv_name *known, const struct maui_sr *sr);

/* Each of these returns whether the record has changed and must be written. */

/* A job begins that may use it. */
bool maui_rsv_release_begin(struct maui_rsv_name *known, int64_t now);

/*
 * Slurm was read at `now`: it has the instance, and in_use says if jobs use it. *ret_again: a job
 * has begun since, so another look must decide.
 */
bool maui_rsv_release_see(struct maui_rsv_name *known, const struct maui_sr *sr, bool in_use,
			  int64_t now, bool *ret_again);

bool maui_rsv_release_cancel(struct maui_rsv_name *known);

/* Its period is over, or its settings have changed: if it is made again, it starts over. */
bool maui_rsv_release_forget(struct maui_rsv_name *known);

#endif
