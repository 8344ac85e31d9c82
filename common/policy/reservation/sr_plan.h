/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rolling standing reservations: the instances that there should be against those that there are.
 * D-RSV-14: by the beginning of the period, so that it can be done at any time, any number of
 * times. What is done once leaves nothing to do: a plan made again after its steps keeps
 * everything.
 *
 * Which nodes an instance has is sr_place.h's matter: whoever carries out the steps places the
 * instances that are made or kept, and compares.
 */
#ifndef MAUI_POLICY_SR_PLAN_H
#define MAUI_POLICY_SR_PLAN_H

#include "common/policy/reservation/sr_window.h"

#define MAUI_SR_INSTANCES 9000u      /* at once: Slurm counts reservations to 9,999 */
#define MAUI_SR_NO_INDEX  UINT32_MAX /* of a reservation or an instance: none */

/* An instance that there is. */
struct maui_sr_existing {
	int64_t date; /* of its period, as in its name; 0 INFINITY, ONCE */
	int64_t start, end;
	uint32_t sr; /* its place in the list; MAUI_SR_NO_INDEX: maui.cfg has it no more */
	bool in_use; /* jobs run in it that were admitted to it */
	bool once;   /* an administrative one: without its sr it goes, whoever uses it */
	bool spent;  /* SINGLEUSE: it has been used and removed, and is not made again. There is no
			such reservation in Slurm any more */
};

enum maui_sr_action {
	MAUI_SR_CREATE,
	MAUI_SR_KEEP,
	MAUI_SR_RETIME, /* keep it, with the window's start and end */
	MAUI_SR_DELETE,
};

struct maui_sr_step {
	enum maui_sr_action action;
	uint32_t sr;       /* MAUI_SR_NO_INDEX of those that maui.cfg has no more */
	uint32_t existing; /* its place among them; MAUI_SR_NO_INDEX of MAUI_SR_CREATE */
	int64_t index;     /* of the period now: of `<sr>.0`, `<sr>.1`; not of MAUI_SR_DELETE */
	struct maui_sr_window window; /* not of MAUI_SR_DELETE */
};

struct maui_sr_plan {
	struct maui_sr_step *steps; /* what goes first, then what stays or is made, the earliest
				       windows first, and then in the order of the list */
	size_t count;
	size_t to_create, to_keep, to_retime, to_delete;
	size_t left_out; /* of those wanted: there would be more than MAUI_SR_INSTANCES */
};

/*
 * An instance in use, unless it is an administrative one, is never deleted, and its window never
 * cut short, whatever maui.cfg says: it is kept until it ends. One that began in a period that has
 * passed stays while its window is open. 0, or -ENOMEM.
 */
int maui_sr_plan_make(const struct maui_sr *list, size_t list_size,
		      const struct maui_sr_existing *existing, size_t existing_count, int64_t now,
		      struct maui_sr_plan *ret_plan, struct maui_error *error);
void maui_sr_plan_clear(struct maui_sr_plan *plan);

#endif
