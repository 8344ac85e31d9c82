/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is reported about reservations: the last roll's outcome, the standing reservations in force,
 * and all reservations that Slurm has, copied at one moment, so that answers are built with no lock
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
	struct maui_sr sr;                               /* its numbers; pointers are not valid */
	struct maui_sr_value values[MAUI_SR_ATTRIBUTES]; /* of the reported attributes */
	const char *lacks[2];                            /* what has no effect here, and why */
	size_t lack_count;
	/* Administrative only: when and by whom it was made; recovered: how is no longer known. */
	int64_t made;
	uint32_t made_by;
	bool recovered;
};

struct rsv_copy_row {
	const char *name;
	uint32_t standing; /* index in rsv_copy.standing; out of range: none */
	bool ours;
	bool rolled; /* the last roll has looked at it: status to text are known */
	int status;  /* Slurm's error code */
	uint32_t tasks, missing;
	unsigned int fired; /* rsv_trigger_fired() */
	const char *text;
	bool would; /* shadow mode: it would exist, on these nodes */
	bool there; /* Slurm has it: what follows is known */
	bool open;
	int64_t start, end;
	uint64_t flags;
	const char *node_list, *users, *accounts, *partition;
	uint32_t procs;        /* if it has parts of nodes; 0: whole nodes */
	bitstr_t *nodes;       /* may be NULL */
	const uint32_t *parts; /* if it has parts of nodes: its processors on each, in node order */
};

struct rsv_copy {
	struct maui_arena *arena;
	struct rsv_copy_standing *standing;
	size_t standing_count;
	struct rsv_copy_row *rows; /* the roll's by name, other ours, Slurm's own */
	size_t count;
	uint32_t node_count;
	const char **node_names; /* NULL for an index without a node */
	uint32_t *node_procs;
	uint32_t *node_used; /* processors held by running jobs */
	int64_t now;
	bool known; /* it is known which standing reservations there are */
};

/* NULL, or why there is nothing; the caller clears it either way. No lock held. */
const char *rsv_copy_take(struct rsv_copy *ret_copy);
void rsv_copy_clear(struct rsv_copy *copy);

/* What is reported of its access lists. */
const struct maui_sr_value *rsv_copy_acl(const struct rsv_copy_standing *standing);

/* Its processors, in all and on one of its nodes. */
int64_t rsv_copy_procs(const struct rsv_copy *copy, const struct rsv_copy_row *row);
int64_t rsv_copy_procs_on(const struct rsv_copy *copy, const struct rsv_copy_row *row,
			  uint32_t node);

/* The processors that any jobs hold on its nodes; where it has part of a node, at most that
 * part. */
int64_t rsv_copy_used(const struct rsv_copy *copy, const struct rsv_copy_row *row);

/* Whether it is in force now. */
bool rsv_copy_is_active(const struct rsv_copy *copy, const struct rsv_copy_row *row);

#endif
