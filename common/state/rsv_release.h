/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Instances that are released before their period ends, and are not made again in it: of SINGLEUSE,
 * when the first job that used one has ended, and those that somebody released. What is known of
 * one (rsv_names.h) and its standing reservation, NULL if maui.cfg has it no more, decide. The
 * caller's lock guards what is known.
 */
#ifndef MAUI_STATE_RSV_RELEASE_H
#define MAUI_STATE_RSV_RELEASE_H

#include "common/policy/reservation/sr_settings.h"
#include "common/state/rsv_names.h"

bool maui_rsv_released(const struct maui_rsv_name *known, const struct maui_sr *sr);

/* Each of these returns whether what the book says is another now, and has to be written. */

/* A job begins that may use it. */
bool maui_rsv_release_begin(struct maui_rsv_name *known, int64_t now);

/* Slurm was looked at `now`: it has the instance, and jobs use it or not. *ret_again: a job began
 * since, and another look has to tell. */
bool maui_rsv_release_see(struct maui_rsv_name *known, const struct maui_sr *sr, bool in_use,
			  int64_t now, bool *ret_again);

bool maui_rsv_release_cancel(struct maui_rsv_name *known);

/* Its period is over, or its settings are others: one that is made again begins anew. */
bool maui_rsv_release_forget(struct maui_rsv_name *known);

#endif
