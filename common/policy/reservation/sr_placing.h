/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where each instance of a roll goes, one after another: sr_place.h, on nodes and what holds them
 * as they were at one moment.
 */
#ifndef MAUI_POLICY_SR_PLACING_H
#define MAUI_POLICY_SR_PLACING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/policy/reservation/sr_place.h"
#include "common/policy/reservation/sr_plan.h"

/* What a roll looks at. Arrays are by node. */
struct maui_sr_world {
	int64_t now;
	uint32_t count; /* of nodes */
	const struct maui_sr_node *nodes;
	const char *const *names;         /* "" for an index without a node */
	const bool *passed;               /* a job that reservations have admitted runs there */
	const uint32_t *cores;            /* how many it has */
	const struct maui_sr_hold *holds; /* of jobs, and of reservations that are not ours */
	size_t hold_count;
	size_t existing_count; /* of our reservations, which are numbered 0, 1, ... */
};

struct maui_sr_part {
	uint32_t node, cores; /* of the node: all of them, or fewer */
};

/* One of our reservations as it is. */
struct maui_sr_there {
	int64_t start, end;
	const struct maui_sr_part *parts; /* in the order of nodes, each once */
	size_t count;
};

/*
 * The order of nodes for a reservation with TASKCOUNT: by node, the lowest first; NULL: any order.
 * immediate: the instance begins now. Valid until the next call. rank may be NULL.
 */
struct maui_sr_ranker {
	const uint32_t *(*rank)(void *context, const struct maui_sr *sr, bool immediate);
	void *context;
};

struct maui_sr_placing;

/* The world and the list must stay in memory. */
struct maui_sr_placing *maui_sr_placing_new(const struct maui_sr_world *world,
					    const struct maui_sr *list, size_t list_size,
					    const struct maui_sr_ranker *ranker);
struct maui_sr_placing *maui_sr_placing_free(struct maui_sr_placing *placing); /* accepts NULL */

/*
 * Before the first step: one of our reservations is an instance of this standing reservation, and
 * holds its nodes until it is placed.
 */
void maui_sr_placing_see(struct maui_sr_placing *placing, uint32_t existing,
			 const struct maui_sr_there *there, uint32_t sr);

/*
 * Places the instance of a step, which holds what it got from then on; steps come in the order of
 * their windows. there: what step->existing has; ignored if there is none. *ret_cores: how many
 * cores, by node, valid until the next step; NULL: whole nodes. The placement must be cleared.
 */
void maui_sr_placing_step(struct maui_sr_placing *placing, const struct maui_sr_step *step,
			  const struct maui_sr_there *there,
			  struct maui_sr_placement *ret_placement, const uint32_t **ret_cores);

/*
 * For a node with `all` cores: the processors in so many of them, and the cores that so many
 * processors take.
 */
int64_t maui_sr_core_procs(const struct maui_sr_node *node, uint32_t all, uint32_t cores);
uint32_t maui_sr_proc_cores(const struct maui_sr_node *node, uint32_t all, int64_t procs);

/* A part of it, which Slurm reserves without memory or disk; or all of it. */
struct maui_sr_hold maui_sr_core_hold(const struct maui_sr_node *node, uint32_t all,
				      const struct maui_sr_part *part);

#endif
