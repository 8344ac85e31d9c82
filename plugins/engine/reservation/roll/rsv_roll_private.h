/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by rsv_roll.c, which does the roll as a whole, and rsv_roll_step.c, which carries out one
 * step of its plan. The engine's thread, no lock held, unless stated otherwise. */
#ifndef MAUI_ENGINE_RSV_ROLL_PRIVATE_H
#define MAUI_ENGINE_RSV_ROLL_PRIVATE_H

#include "common/policy/reservation/sr_plan.h"
#include "plugins/engine/reservation/roll/rsv_placing.h"
#include "plugins/engine/reservation/roll/rsv_roll.h"
#include "plugins/engine/reservation/roll/rsv_world.h"

/* The nodes of the last instance of a standing reservation: mostly those of its next one, too. */
struct rsv_named {
	bitstr_t *nodes;
	char *text;
};

/* What one roll works on. */
struct rsv_roll {
	struct rsv_world world;
	const struct maui_sr *list;
	size_t list_size;
	struct maui_sr_existing *existing; /* those of world.there, then those that are spent */
	size_t existing_count;
	struct maui_sr_plan plan;
	struct rsv_placing *placing;
	struct rsv_named *named;    /* by standing reservation */
	struct rsv_rolled *outcome; /* by step */
	size_t outcome_count;
	bitstr_t *lacked; /* nodes that some instance lacks, and jobs hold; NULL: none */
	bool open;
	bool again;   /* look again in the next iteration */
	bool soon;    /* which comes sooner than RMPOLLINTERVAL says */
	bool changed; /* something in Slurm has changed */
	bool same;    /* all is as the last roll left it */
};

/* The name of a step's instance: Slurm's, or composed in text. With or without a lock. */
const char *rsv_roll_name(const struct rsv_roll *roll, const struct maui_sr_step *step,
			  char text[MAUI_SR_INSTANCE_SIZE]);

/* The step's instance as the last roll left it, so that nothing is logged twice; NULL: it knew of
 * none. */
const struct rsv_rolled *rsv_roll_before(const struct rsv_roll *roll,
					 const struct maui_sr_step *step, const char *name);

/* Carry out the step and add its outcome to the roll's, unless it is a deletion. Takes Slurm's
 * locks and the mutex. */
void rsv_roll_step(struct rsv_roll *roll, const struct maui_sr_step *step);

/* Make Slurm delete the reservation; does nothing in shadow mode. Takes Slurm's locks. */
void rsv_roll_remove(struct rsv_roll *roll, const char *name);

#endif
