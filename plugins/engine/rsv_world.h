/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What rolling looks at: nodes, what holds them, and our reservations, as copies of Slurm's records. */
#ifndef MAUI_ENGINE_RSV_WORLD_H
#define MAUI_ENGINE_RSV_WORLD_H

#include "common/policy/sr_place.h"
#include "common/policy/sr_window.h"
#include "common/util/arena.h"
#include "plugins/compat/compat.h"

/* One of our reservations. */
struct rsv_there {
	char name[MAUI_SR_INSTANCE_SIZE];
	int64_t start, end;
	bitstr_t *nodes; /* never NULL */
	bool in_use;     /* jobs with a pass run there */
};

struct rsv_world {
	int64_t now;
	uint32_t count; /* of nodes: Slurm's indexes; an index without a node is one that is down */
	struct maui_sr_node *nodes; /* DISK is TmpDisk; there is no SWAP */
	const char **names;         /* "" for an index without one */
	bool *passed;               /* by node: a job with a pass runs there */
	struct maui_sr_hold *holds; /* of jobs and of reservations that are not ours */
	size_t hold_count, hold_room;
	struct rsv_there *there;
	size_t there_count, there_room;
	struct maui_arena *arena;
	bool memory_short;
};

/* No lock held. 0; -ENOMEM, or -EAGAIN if the engine is not in charge any more: then there is nothing to clear. */
int rsv_world_look(struct rsv_world *ret_world);
void rsv_world_clear(struct rsv_world *world);

/* All of a node. */
struct maui_sr_hold rsv_world_whole(const struct rsv_world *world, uint32_t node);

/* A number that changes when a node comes up or goes down. Node read lock. */
uint64_t rsv_world_nodes_up(void);

#endif
