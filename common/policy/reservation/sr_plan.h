/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rolling standing reservations: the instances that should exist against those
 * that do. D-RSV-14: by the beginning of the period, so that it can be done at
 * any time and repeated. It is idempotent: a plan made again after its steps
 * keeps everything.
 *
 * The nodes of an instance are chosen by sr_place.h: the caller carries out the
 * steps, places the instances that are made or kept, and compares.
 */
#ifndef MAUI_POLICY_SR_PLAN_H
#define MAUI_POLICY_SR_PLAN_H

#include "common/policy/reservation/sr_window.h"

#define MAUI_SR_INSTANCES 9000u      /* at once: Slurm counts reservations to 9,999 */
#define MAUI_SR_NO_INDEX  UINT32_MAX /* of a reservation or an instance: none */

/* An instance that exists. */
struct maui_sr_existing {
	int64_t date; /* of its period, as in its name; 0 INFINITY, ONCE */
	int64_t start, end;
	uint32_t sr; /* its place in the list; MAUI_SR_NO_INDEX: no longer in maui.cfg */
	bool in_use; /* jobs run in it that were admitted to it */
	bool once;   /* administrative: without its sr it is deleted, even if in use */
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
	uint32_t sr;       /* MAUI_SR_NO_INDEX for those no longer in maui.cfg */
	uint32_t existing; /* its index in existing; MAUI_SR_NO_INDEX for MAUI_SR_CREATE */
	int64_t index;     /* of the period now: of `<sr>.0`, `<sr>.1`; not for MAUI_SR_DELETE */
	struct maui_sr_window window; /* not for MAUI_SR_DELETE */
};

struct maui_sr_plan {
	struct maui_sr_step *steps; /* what goes first, then what stays or is made, the earliest
				       windows first, and then in the order of the list */
	size_t count;
	size_t to_create, to_keep, to_retime, to_delete;
	size_t left_out; /* wanted, but beyond MAUI_SR_INSTANCES */
};

/*
 * An instance in use, unless it is administrative, is never deleted, nor its window shortened,
 * whatever maui.cfg says: it is kept until it ends. One that began in a past period stays while its
 * window is open.
 */
void maui_sr_plan_make(const struct maui_sr *list, size_t list_size,
		       const struct maui_sr_existing *existing, size_t existing_count, int64_t now,
		       struct maui_sr_plan *ret_plan);
void maui_sr_plan_clear(struct maui_sr_plan *plan);

#endif
