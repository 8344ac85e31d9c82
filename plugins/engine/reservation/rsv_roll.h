/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rolling: the reservations that maui.cfg's standing reservations ask for against those that Slurm
 * has. Only the difference is changed, so it can be done at any time, any number of times. In the
 * engine's thread, with no lock held, unless something else is said.
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
	uint32_t
		sr; /* its place in rsv_policy_list() of then; MAUI_SR_NO_INDEX: of none any more */
	int64_t index; /* of its period */
	int64_t start, end;
	bool there;     /* Slurm has it */
	bool returns;   /* nothing stands against it but Slurm, or nodes that are down */
	bool would;     /* shadow mode: it would be there, on these nodes */
	uint32_t procs; /* the same, of a part of its nodes; 0: it would have them whole */
	int status;     /* Slurm's error code of what was tried last */
	uint32_t tasks, missing;
	char text[MAUI_SR_PLACE_TEXT]; /* "26 of 32 tasks; ...", or why there is none */
	char *nodes;                   /* "n[1-3]"; malloc'ed */
	char *waits; /* for these, which jobs hold: nobody else comes in until it has them; malloc'ed */
};

/* A job with a pass has got its nodes, or gives them back: instances of SINGLEUSE, and those that
 * maui.cfg does not have any more, go with that. Job and node write locks; takes the mutex. */
void rsv_roll_job(const job_record_t *job, bool begins);

/* The instance goes with the next roll, which comes at once, whoever uses it, and is not made again
 * in its period; jobs in it go on. One of PERIOD=INFINITY comes back when its standing reservation
 * has been out of maui.cfg. False: we have made none of this name. Any thread; the mutex is
 * held. */
ENGINE_LOCKED bool rsv_roll_cancel(const char *name);

/* If there is a reason (rsv_when.h). */
void rsv_roll_run(void);

/* The last roll's outcome, by name; valid while the mutex is held, as it must be. */
size_t rsv_roll_outcome(const struct rsv_rolled **ret_list);

extern const struct module rsv_roll_module;

#endif
