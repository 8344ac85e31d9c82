/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The input of a roll: nodes, what holds them, and our reservations, copied from Slurm's
 * records. */
#ifndef MAUI_ENGINE_RSV_WORLD_H
#define MAUI_ENGINE_RSV_WORLD_H

#include "common/policy/reservation/sr_place.h"
#include "common/policy/reservation/sr_placing.h"
#include "common/policy/reservation/sr_window.h"
#include "common/util/arena.h"
#include "plugins/compat/base.h"

/* One of our reservations. */
struct rsv_there {
	char name[MAUI_SR_INSTANCE_SIZE];
	int64_t start, end;
	bitstr_t *nodes;            /* never NULL */
	struct maui_sr_part *parts; /* the same with cores, in the arena */
	size_t part_count;
	bool whole;  /* whole nodes */
	bool in_use; /* jobs with a pass run there */
	bool open;
	bool maint;
	bool altered;    /* by hand, besides its nodes, times and maint */
	uint32_t place;  /* of its name in the name table, from 1 */
	uint32_t rolled; /* in the last roll's outcome, from 1; 0: it did not know it */
};

struct rsv_world {
	int64_t now;
	unsigned int table; /* noderec_table() */
	uint32_t count;     /* of node indexes, as in Slurm; one without a node counts as down */
	struct maui_sr_node *nodes; /* DISK is TmpDisk; there is no SWAP */
	const char **names;         /* "" for an index without a node */
	bool *passed;               /* by node: a job that we gave the pass runs there */
	int64_t *entered; /* by node: latest start of the jobs with any pass that run there */
	uint32_t *cores;  /* by node: how many it has */
	struct maui_sr_hold *holds; /* of jobs, and of reservations that are not ours */
	size_t hold_count, hold_room;
	struct rsv_there *there; /* by name */
	size_t there_count, there_room;
	struct maui_arena *arena;
};

/* No lock held. 0, or -EAGAIN if the engine is no longer in charge. On error there is nothing to
 * clear. */
int rsv_world_look(struct rsv_world *ret_world);
void rsv_world_clear(struct rsv_world *world);

/* The number of processors in so many cores of a node. */
int64_t rsv_world_procs(const struct rsv_world *world, uint32_t node, uint32_t cores);

/* The nodes that were down, by index in Slurm's table; NULL: it is another table by now. The caller
 * frees them. Node read lock. */
bitstr_t *rsv_world_down(const struct rsv_world *world);

/* The names of the nodes in Slurm's range form, xmalloc'ed. Uses only the copies: Slurm's own
 * functions need its table, and a lock. */
char *rsv_world_node_list(const struct rsv_world *world, const bitstr_t *nodes);

#endif
