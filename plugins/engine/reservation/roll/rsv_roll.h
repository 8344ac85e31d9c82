/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rolling: compares the reservations that maui.cfg's standing reservations ask for with those that
 * Slurm has. It changes only the difference, so it can be done at any time, any number of times. In
 * the engine's thread, with no lock held, unless stated otherwise.
 */
#ifndef MAUI_ENGINE_RSV_ROLL_H
#define MAUI_ENGINE_RSV_ROLL_H

#include "plugins/compat/base.h"
#include "plugins/engine/reservation/rsv_rolled.h"
#include "plugins/engine/runtime/lock.h"
#include "plugins/engine/runtime/module.h"

/* A job with a pass got its nodes, or is giving them back: SINGLEUSE instances, and those no longer
 * in maui.cfg, end with that. Job and node write locks; takes the mutex. */
void rsv_roll_job(const job_record_t *job, bool begins);

/* A job is giving back its nodes: what some instance lacks of them it gets before others. The same
 * locks; takes the mutex. */
void rsv_roll_freed(const job_record_t *job);

/* Delete the instance in the next roll, which comes at once, whoever uses it; it is not made again
 * in its period, and jobs in it keep running. One of PERIOD=INFINITY comes back after its standing
 * reservation has been out of maui.cfg. False: we made none of this name. Any thread; the mutex is
 * held. */
ENGINE_LOCKED bool rsv_roll_cancel(const char *name);

/* Roll if there is a reason (rsv_when.h). */
void rsv_roll_run(void);

/* The last roll's outcome, sorted by name; the mutex is held, and the list is valid while it is. */
ENGINE_LOCKED size_t rsv_roll_outcome(const struct rsv_rolled **ret_list);

/* Why the last roll left all reservations as they were: "cannot write /.../reservations: No space
 * left on device"; "": it did not. The same. */
ENGINE_LOCKED const char *rsv_roll_failure(void);

extern const struct module rsv_roll_module;

#endif
