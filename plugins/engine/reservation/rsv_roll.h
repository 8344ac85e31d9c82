/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rolling: compares the reservations that maui.cfg's standing reservations ask for with those that
 * Slurm has. It changes only the difference, so it can be done at any time, any number of times. In
 * the engine's thread, with no lock held, unless stated otherwise.
 */
#ifndef MAUI_ENGINE_RSV_ROLL_H
#define MAUI_ENGINE_RSV_ROLL_H

#include "common/policy/reservation/sr_place.h"
#include "common/policy/reservation/sr_plan.h"
#include "plugins/compat/base.h"
#include "plugins/engine/runtime/lock.h"
#include "plugins/engine/runtime/module.h"

/* One instance as the last roll left it. */
struct rsv_rolled {
	char name[MAUI_SR_INSTANCE_SIZE];
	uint32_t sr;   /* index in rsv_policy_list() then; MAUI_SR_NO_INDEX: no longer in it */
	int64_t index; /* of its period */
	int64_t start, end;
	bool there;     /* Slurm has it */
	bool returns;   /* only Slurm, or nodes that are down, prevent it */
	bool would;     /* shadow mode: it would be there, on these nodes */
	uint32_t procs; /* likewise, on parts of these nodes; 0: whole nodes */
	int status;     /* Slurm's error code for the last attempt */
	uint32_t tasks, missing;
	char text[MAUI_SR_PLACE_TEXT]; /* "26 of 32 tasks; ...", or why there is none */
	char *nodes;                   /* "n[1-3]"; malloc'ed */
	char *waits; /* nodes that jobs hold: closed to others until it has them; malloc'ed */
};

/* A job with a pass got its nodes, or is giving them back: SINGLEUSE instances, and those no longer
 * in maui.cfg, end with that. Job and node write locks; takes the mutex. */
void rsv_roll_job(const job_record_t *job, bool begins);

/* Delete the instance in the next roll, which comes at once, whoever uses it; it is not made again
 * in its period, and jobs in it keep running. One of PERIOD=INFINITY comes back after its standing
 * reservation has been out of maui.cfg. False: we made none of this name. Any thread; the mutex is
 * held. */
ENGINE_LOCKED bool rsv_roll_cancel(const char *name);

/* Roll if there is a reason (rsv_when.h). */
void rsv_roll_run(void);

/* The last roll's outcome, sorted by name; the mutex is held, and the list is valid while it is. */
size_t rsv_roll_outcome(const struct rsv_rolled **ret_list);

extern const struct module rsv_roll_module;

#endif
