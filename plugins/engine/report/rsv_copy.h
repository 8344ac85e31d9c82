/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is told of reservations: the last roll's outcome, the standing reservations in force, and
 * all reservations that Slurm has, copied at one moment, so that answers are made with no lock
 * held.
 */
#ifndef MAUI_ENGINE_RSV_COPY_H
#define MAUI_ENGINE_RSV_COPY_H

#include "plugins/compat/base.h"

#include "common/policy/reservation/sr_attributes.h"
#include "common/util/arena.h"

/* A standing or administrative reservation. */
struct rsv_copy_standing {
	const char *name;
	struct maui_sr sr;                               /* its numbers; pointers do not hold */
	struct maui_sr_value values[MAUI_SR_ATTRIBUTES]; /* of the attributes that are told */
	const char *lack; /* what of it has no effect as slurm.conf is; NULL */
	/* Of an administrative one: when it was made, by whom; and that nobody knows any more
	 * how. */
	int64_t made;
	uint32_t made_by;
	bool recovered;
};

struct rsv_copy_row {
	const char *name;
	uint32_t standing; /* its place in rsv_copy.standing; not one of these: of none */
	bool ours;
	bool rolled; /* the last roll has looked at it: the four that follow are known */
	int status;  /* Slurm's error code */
	uint32_t tasks, missing;
	unsigned int fired; /* rsv_trigger_fired() */
	const char *text;
	bool would; /* shadow mode: it would be there, on these nodes */
	bool there; /* Slurm has it: what follows is known */
	bool open;
	int64_t start, end;
	uint64_t flags;
	const char *node_list, *users, *accounts, *partition;
	uint32_t procs;  /* of a part of its nodes; 0: it has them whole */
	bitstr_t *nodes; /* may be NULL */
	const uint32_t
		*parts; /* of a part of its nodes: its processors on each of them, in their order */
};

struct rsv_copy {
	struct maui_arena *arena;
	struct rsv_copy_standing *standing;
	size_t standing_count;
	struct rsv_copy_row *rows; /* the roll's by name, ours beside those, Slurm's own */
	size_t count;
	uint32_t node_count;
	const char **node_names; /* NULL for an index without a node */
	uint32_t *node_procs;
	uint32_t *node_used; /* that running jobs hold */
	int64_t now;
	bool known; /* which standing reservations there are */
	bool short_of_memory;
};

/* No lock held. NULL, or why there is nothing; either way it is to be cleared. */
const char *rsv_copy_take(struct rsv_copy *ret_copy);
void rsv_copy_clear(struct rsv_copy *copy);

/* What is told of its access lists. */
const struct maui_sr_value *rsv_copy_acl(const struct rsv_copy_standing *standing);

/* Its processors, in all and on one of its nodes. */
int64_t rsv_copy_procs(const struct rsv_copy *copy, const struct rsv_copy_row *row);
int64_t rsv_copy_procs_on(const struct rsv_copy *copy, const struct rsv_copy_row *row,
			  uint32_t node);

/* Those of its nodes' processors that jobs hold, whosever they are; of a part of a node no more
 * than the part. */
int64_t rsv_copy_used(const struct rsv_copy *copy, const struct rsv_copy_row *row);

/* Whether it is in force now. */
bool rsv_copy_is_active(const struct rsv_copy *copy, const struct rsv_copy_row *row);

#endif
