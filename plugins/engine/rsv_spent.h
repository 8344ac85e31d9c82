/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Instances that go before their period ends, and are not made again in it: of SINGLEUSE, when the first job that used one
 * has ended, and those that somebody cancelled. What the book (rsv_known.h) says of one and its standing reservation, NULL if
 * maui.cfg has it no more, decide; the mutex is held.
 */
#ifndef MAUI_ENGINE_RSV_SPENT_H
#define MAUI_ENGINE_RSV_SPENT_H

#include "common/policy/sr_settings.h"
#include "plugins/engine/rsv_known.h"

bool rsv_spent(const struct rsv_known_name *known, const struct maui_sr *sr);

/* Each of these returns whether what the book says is another now, and has to be written. */

/* A job begins that may use it. */
bool rsv_spent_begin(struct rsv_known_name *known, int64_t now);

/* Slurm was looked at `now`: it has the instance, and jobs use it or not. *ret_again: a job began since, and another look
 * has to tell. */
bool rsv_spent_see(struct rsv_known_name *known, const struct maui_sr *sr, bool in_use, int64_t now,
		   bool *ret_again);

bool rsv_spent_cancel(struct rsv_known_name *known);

/* Its period is over, or its settings are others: one that is made again begins anew. */
bool rsv_spent_forget(struct rsv_known_name *known);

#endif
