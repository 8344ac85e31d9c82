/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What our reservations hold according to maui.cfg, as the last roll left it: since then somebody
 * may have deleted or changed one by hand, or slurmctld may have been killed before it saved one.
 * Until the next roll repairs that, job starts are judged by what is kept here. Guarded by the
 * engine's mutex.
 */
#ifndef MAUI_ENGINE_RSV_GAP_CACHE_H
#define MAUI_ENGINE_RSV_GAP_CACHE_H

#include "plugins/compat/base.h"
#include "plugins/engine/reservation/rsv_rolled.h"
#include "plugins/engine/runtime/module.h"

struct rsv_cached {
	char name[MAUI_SR_INSTANCE_SIZE];
	int64_t start, end;
	bitstr_t *nodes;
	bitstr_t *cores; /* NULL: whole nodes */
	char *node_list; /* to look up in a new node table */
	bitstr_t *waits; /* nodes it will have a part of when their jobs end */
	char *wait_list;
	bool there; /* Slurm has all of it; set by the caller, see rsv_gap_cache_find() */
};

/*
 * A roll has ended with this outcome, sorted by name. What Slurm has as planned is right; for what
 * it lacks, what was known before stays; and what an instance waits for is kept free of others.
 * down: nodes that the roll could not use and that must wait for the next one if they come up,
 * because some instance lacks nodes; NULL: none. Takes ownership of it. same: the outcome is that
 * of the last roll, and Slurm has what it had. Returns whether what is kept is as it was, too. Node
 * read lock.
 */
ENGINE_LOCKED bool rsv_gap_cache_keep(const struct rsv_rolled *outcome, size_t count, bool same,
				      bitstr_t *down);

/*
 * What floats takes nodes that jobs give back before anybody else starts there, D-RSV-20. lacked: what
 * some instance lacks and jobs hold, as the roll has found; NULL: nothing. Takes ownership of it.
 * Of these nodes, those on which a job ends are kept for the next roll. Returns whether jobs have
 * been kept off nodes for the roll that has ended. Node read lock.
 */
ENGINE_LOCKED bool rsv_gap_cache_lack(bitstr_t *lacked);

/* A job gives back these nodes. Returns whether a roll is wanted for that. Node read lock. */
ENGINE_LOCKED bool rsv_gap_cache_freed(bitstr_t *nodes);

/* A roll looks at what there is: what was given back before, it sees. */
ENGINE_LOCKED void rsv_gap_cache_look(void);

/* A roll has failed: reservations stay as they are. */
ENGINE_LOCKED void rsv_gap_cache_settle(void);

/* In terms of the current node table. Node read lock. */
ENGINE_LOCKED struct rsv_cached *rsv_gap_cache_list(size_t *ret_count);
ENGINE_LOCKED struct rsv_cached *rsv_gap_cache_find(const char *name);

/* Whether Slurm's reservation holds all of it, and for nobody else. Node read lock. */
bool rsv_gap_cache_is_whole(const struct rsv_cached *cached, const slurmctld_resv_t *reservation);

/*
 * Take away the nodes for which it is not known yet who may use them: all, before the first roll at
 * a site with reservations; those that have come up since the last roll, if some reservation lacks
 * nodes; and those of rsv_gap_cache_freed(). Returns whether a roll is wanted for them. Node read lock.
 */
ENGINE_LOCKED bool rsv_gap_cache_permit(bitstr_t *nodes);

extern const struct module rsv_gap_cache_module;

#endif
