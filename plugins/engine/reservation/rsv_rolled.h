/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a roll leaves behind of each instance that is wanted. */
#ifndef MAUI_ENGINE_RSV_ROLLED_H
#define MAUI_ENGINE_RSV_ROLLED_H

#include "common/policy/reservation/sr_place.h"
#include "common/policy/reservation/sr_plan.h"
#include "plugins/compat/base.h"

/* One instance as the last roll left it. */
struct rsv_rolled {
	char name[MAUI_SR_INSTANCE_SIZE];
	uint32_t place; /* in the name table when the roll ended, from 1; 0: it had none */
	uint32_t sr;    /* index in rsv_policy_list() then; MAUI_SR_NO_INDEX: no longer in it */
	int64_t index;  /* of its period */
	int64_t start, end;
	bool there;        /* Slurm has it */
	bool returns;      /* only Slurm, or nodes that are down, prevent it */
	bool would;        /* shadow mode: it would be there, on these nodes */
	uint32_t procs;    /* likewise, on parts of these nodes; 0: whole nodes */
	int status;        /* Slurm's error code for the last attempt */
	uint32_t failures; /* attempts that Slurm has refused, one after the other */
	int64_t retry;     /* when the next one is due, epoch seconds */
	uint32_t tasks, missing;
	char text[MAUI_SR_PLACE_TEXT]; /* "26 of 32 tasks; ...", or why there is none */
	char *nodes;                   /* "n[1-3]"; malloc'ed */
	char *waits; /* nodes that jobs hold: closed to others until it has them; malloc'ed */
};

#endif
