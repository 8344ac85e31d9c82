/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which events of which instances have set off their trigger: each does so once, even if slurmctld
 * ends in between. Kept apart from the names of reservations (rsv_names.h), which are forgotten
 * when a reservation has gone: that may be before its end has set anything off.
 * contribs/doc/state-files.md, `triggers`. No file, no lock.
 */
#ifndef MAUI_STATE_TRIGGERS_H
#define MAUI_STATE_TRIGGERS_H

#include <stdbool.h>
#include <stddef.h>

#include "common/policy/reservation/sr_trigger.h"
#include "common/policy/reservation/sr_window.h"
#include "common/state/state_file.h"

#define MAUI_FIRED_MAX      20000
#define MAUI_FIRED_MAX_SIZE (MAUI_FIRED_MAX * (MAUI_SR_INSTANCE_SIZE + 96) + 4096)

/*
 * How long an instance is remembered after its end and the offset, in seconds: a clock set back
 * within that time sets nothing off again.
 */
#define MAUI_FIRED_REMEMBERED INT64_C(172800)

struct maui_fired_trigger {
	char name[MAUI_SR_INSTANCE_SIZE];
	int64_t made, start, end; /* epoch seconds; made: when it was first seen */
	unsigned int fired;       /* a bit for each event */
	/* Not written: */
	bool there;     /* Slurm has it */
	int64_t offset; /* of its present trigger */
};

/* A zeroed struct is empty. */
struct maui_fired {
	struct maui_fired_trigger *list; /* by name */
	size_t count, room;
};

/* NULL if it is not known; valid until something is added or dropped. */
struct maui_fired_trigger *maui_fired_find(const struct maui_fired *fired, const char *name);

/* Find or add. NULL if the name could not be written, or if there are too many. */
struct maui_fired_trigger *maui_fired_add(struct maui_fired *fired, const char *name);

/* Drops those to which nothing more can happen. Returns whether there were any. */
bool maui_fired_tidy(struct maui_fired *fired, int64_t now);

unsigned int maui_fired_bit(enum maui_sr_event event);

/* When the trigger goes off; INT64_MAX: never, or it already has. minload: from then on. */
int64_t maui_fired_when(const struct maui_fired_trigger *one,
			const struct maui_sr_trigger *trigger);

MAUI_STATE_FUNCTIONS(maui_fired, struct maui_fired *, const struct maui_fired *)

#endif
