/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What our reservations hold by maui.cfg, as the last roll left it: somebody may have deleted or
 * changed one by hand since, or slurmctld may have been killed before it saved one. Until the next
 * roll, which mends that, starts of jobs are judged by what is kept here. The engine's mutex guards
 * it.
 */
#ifndef MAUI_ENGINE_RSV_GUARD_H
#define MAUI_ENGINE_RSV_GUARD_H

#include "plugins/compat/base.h"
#include "plugins/engine/reservation/rsv_roll.h"
#include "plugins/engine/reservation/rsv_world.h"
#include "plugins/engine/runtime/module.h"

struct rsv_guarded {
	char name[MAUI_SR_INSTANCE_SIZE];
	int64_t start, end;
	bitstr_t *nodes;
	bitstr_t *cores; /* NULL: whole nodes */
	char *node_list; /* for another table of nodes */
	bitstr_t *waits; /* nodes that it is to have a part of when their jobs end */
	char *wait_list;
	bool there; /* Slurm has it, and all of it: the caller's, see rsv_guard_find() */
};

/*
 * A roll has ended, in this world, with this outcome, by name; partial: some instance lacks nodes,
 * and those that come up now are to wait for the next roll. What Slurm has as it was planned is as
 * it should be; of what it has not, what was known before stays; and what it waits for is kept free
 * of others. Node read lock.
 */
void rsv_guard_keep(const struct rsv_rolled *outcome, size_t count, const struct rsv_world *world,
		    bool partial);

/* A roll has failed: reservations stay as they are. */
void rsv_guard_settle(void);

/* In the present table of nodes. Node read lock. */
struct rsv_guarded *rsv_guard_list(size_t *ret_count);
struct rsv_guarded *rsv_guard_find(const char *name);

/* Whether Slurm's reservation holds all of that. Node read lock. */
bool rsv_guard_is_whole(const struct rsv_guarded *guarded, const slurmctld_resv_t *reservation);

/*
 * Takes away the nodes of which nobody knows yet who may have them: all, before the first roll of a
 * site with reservations; and those that have come up since the last one, where some reservation
 * lacks nodes. Returns whether there were any. Node read lock.
 */
bool rsv_guard_permit(bitstr_t *nodes);

extern const struct module rsv_guard_module;

#endif
