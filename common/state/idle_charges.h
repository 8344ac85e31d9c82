/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What idle processors of reservations have been found to cost, and is not yet in the files of the
 * windows: contribs/doc/state-files.md, `idle`. Text only; no file, no Slurm, no lock.
 */
#ifndef MAUI_STATE_IDLE_CHARGES_H
#define MAUI_STATE_IDLE_CHARGES_H

#include <stddef.h>
#include <stdint.h>

#include "common/state/state_file.h"
#include "common/util/arena.h"
#include "common/util/credential.h"

#define MAUI_IDLE_CHARGES_MAX       20000
#define MAUI_IDLE_CHARGES_NAME_SIZE 1024 /* with its NUL: as long as in the windows' files */
#define MAUI_IDLE_CHARGES_MAX_SIZE                                                                 \
	(MAUI_IDLE_CHARGES_MAX * (MAUI_IDLE_CHARGES_NAME_SIZE + 96) + 4096)
#define MAUI_IDLE_CHARGES_MAX_COST INT64_C(100000000000000000)

struct maui_idle_charge {
	enum maui_credential type;
	const char *name;
	int64_t from, to; /* `to` is after `from` */
	int64_t cost;     /* thousandths of processor-seconds */
};

/* A zeroed struct is empty. */
struct maui_idle_charges {
	struct maui_arena *names;
	struct maui_idle_charge *list;
	size_t count, room;
};

/* The name is copied. 0; -EINVAL if the file cannot hold it; -ENOSPC for too many. */
int maui_idle_charges_add(struct maui_idle_charges *charges, const struct maui_idle_charge *charge);

MAUI_STATE_FUNCTIONS(maui_idle_charges, struct maui_idle_charges *,
		     const struct maui_idle_charges *)

#endif
