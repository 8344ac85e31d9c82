/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The reservations in Slurm that are ours, by name: one with such a name that somebody else made is
 * never touched. A name is written to disk before Slurm is asked to make it
 * (contribs/doc/state-files.md). Uses nothing of Slurm, and no lock.
 */
#ifndef MAUI_STATE_RSV_NAMES_H
#define MAUI_STATE_RSV_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/policy/reservation/sr_window.h"
#include "common/state/state_file.h"

#define MAUI_RSV_NAMES_MAX_NAMES 20000
#define MAUI_RSV_NAMES_MAX_SIZE  (MAUI_RSV_NAMES_MAX_NAMES * (MAUI_SR_INSTANCE_SIZE + 32) + 4096)

struct maui_rsv_name {
	char name[MAUI_SR_INSTANCE_SIZE];
	bool used;      /* a job has run in it: a SINGLEUSE one goes when that has ended */
	bool spent;     /* SINGLEUSE: it is gone, and not made again in its period */
	bool cancelled; /* likewise, because somebody asked for it */
	/* Not written; epoch seconds: */
	int64_t begun;   /* when a job last began to use it; for SINGLEUSE */
	uint32_t id;     /* Slurm's number of the reservation last seen with our mark; 0: none */
	int64_t gone;    /* since when Slurm does not have it; 0: it has */
	uint32_t rolled; /* its place in the last roll's outcome, from 1; 0: none */
	/* Of the table: */
	uint32_t hash, place;
	struct maui_rsv_name *next;
};

/* A zeroed struct is empty. */
struct maui_rsv_names {
	struct maui_rsv_name **names; /* by name */
	size_t count, room;
	struct maui_rsv_name **chains; /* by hash; NULL: none has been added yet */
	bool moved;                    /* since they were given their places */
};

/* Whether Slurm's own commands and our files can name it. */
bool maui_rsv_name_is_sound(const char *name);

/* NULL if it is not known. The pointer is valid until the name is dropped. O(1). */
struct maui_rsv_name *maui_rsv_names_find(const struct maui_rsv_names *known, const char *name);

/* Its place among the names in their order, from 1, until one is added or dropped; 0 if it is not
 * known. O(1) amortised. */
uint32_t maui_rsv_names_place(struct maui_rsv_names *known, const char *name);

/* Find or add. NULL if the name could not be written, or if there are too many. */
struct maui_rsv_name *maui_rsv_names_add(struct maui_rsv_names *known, const char *name);
void maui_rsv_names_drop(struct maui_rsv_names *known, const char *name);

MAUI_STATE_FUNCTIONS(maui_rsv_names, struct maui_rsv_names *, const struct maui_rsv_names *)

#endif
