/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Copies nodes and cores of our reservations after each roll. Until the next
 * roll it withholds nodes that a reservation lacks and a job has freed.
 */
#include "plugins/compat/base.h"

#include "plugins/engine/reservation/rsv_gap_cache.h"

#include <stdlib.h>
#include <string.h>

#include "common/util/memory.h"
#include "plugins/engine/policy/in_force.h"
#include "plugins/engine/reservation/rsv_name_table.h"
#include "plugins/engine/slurm/noderec.h"
#include "plugins/engine/slurm/resvrec.h"
#include "plugins/engine/slurm/rsv_records.h"

ENGINE_GUARDED static struct {
	struct rsv_cached *list; /* by name */
	size_t count;
	unsigned int table; /* the node table of the bitmaps */
	bitstr_t *down; /* the last roll could not use them; NULL: none, or nothing lacks nodes */
	char *down_list;
	bitstr_t *lacked; /* jobs hold what some instance lacks; NULL: none */
	bitstr_t
		*freed; /* of these, where a job has ended since the last roll looked; NULL: none */
	bitstr_t *seen; /* the same, until the roll that has looked has ended */
	bool kept_off;  /* jobs, because of the last two */
	bool settled;   /* there has been a roll */
	bool whole;     /* Slurm had all of them as planned */
} cache;

static void clear_one(struct rsv_cached *cached)
{
	FREE_NULL_BITMAP(cached->nodes);
	FREE_NULL_BITMAP(cached->cores);
	FREE_NULL_BITMAP(cached->waits);
	xfree(cached->node_list);
	xfree(cached->wait_list);
}

static void clear_list(struct rsv_cached *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		clear_one(&list[i]);
	free(list);
}

ENGINE_LOCKED static void forget_down(void)
{
	FREE_NULL_BITMAP(cache.down);
	xfree(cache.down_list);
}

ENGINE_LOCKED static void forget_freed(void)
{
	FREE_NULL_BITMAP(cache.lacked);
	FREE_NULL_BITMAP(cache.freed);
	FREE_NULL_BITMAP(cache.seen);
}

/* Nothing is known before the first roll. */
static void gap_cache_adopt(void)
{
	engine_assert_locked();
	clear_list(cache.list, cache.count);
	cache.list = NULL;
	cache.count = 0;
	cache.settled = cache.whole = false;
	forget_down();
	forget_freed();
}

void rsv_gap_cache_settle(void)
{
	FREE_NULL_BITMAP(cache.seen);
	cache.settled = true;
}

/* ---- a new node table ---- */

static void look_up(bitstr_t **nodes, char *names)
{
	FREE_NULL_BITMAP(*nodes);
	if (names)
		*nodes = noderec_bits(names);
}

/* Slurm has rebuilt its node table: names still hold, but which cores these were is unknown until
 * the next roll. */
ENGINE_LOCKED static void follow_table(void)
{
	if (cache.table == noderec_table())
		return;
	cache.table = noderec_table();
	for (size_t i = 0; i < cache.count; i++) {
		look_up(&cache.list[i].nodes, cache.list[i].node_list);
		FREE_NULL_BITMAP(cache.list[i].cores);
		look_up(&cache.list[i].waits, cache.list[i].wait_list);
	}
	look_up(&cache.down, cache.down_list);
	forget_freed(); /* a roll follows */
}

/* ---- queries ---- */

struct rsv_cached *rsv_gap_cache_list(size_t *ret_count)
{
	follow_table();
	*ret_count = cache.count;
	return cache.list;
}

static int compare_to_name(const void *name, const void *cached)
{
	return strcmp(name, ((const struct rsv_cached *)cached)->name);
}

struct rsv_cached *rsv_gap_cache_find(const char *name)
{
	if (!cache.count)
		return NULL;
	follow_table();
	return bsearch(name, cache.list, cache.count, sizeof(*cache.list), compare_to_name);
}

/* A reservation of whole nodes also holds their cores. */
static bool holds_cores(const struct rsv_cached *cached, const slurmctld_resv_t *reservation)
{
	bitstr_t *cores = resvrec_cores(reservation);

	if (!cores)
		return true;
	return cached->cores && bit_size(cached->cores) == bit_size(cores) &&
	       bit_super_set(cached->cores, cores);
}

bool rsv_gap_cache_is_whole(const struct rsv_cached *cached, const slurmctld_resv_t *reservation)
{
	bitstr_t *nodes = resvrec_nodes(reservation);

	if (!rsv_record_is_intact(reservation) || resvrec_start(reservation) > cached->start ||
	    resvrec_end(reservation) < cached->end)
		return false;
	return !cached->nodes ||
	       (nodes && bit_size(nodes) == bit_size(cached->nodes) &&
		bit_super_set(cached->nodes, nodes) && holds_cores(cached, reservation));
}

/* Whether there may be a reservation that has not been looked for yet. */
ENGINE_LOCKED static bool site_reserves(void)
{
	const struct maui_object *const *lines;

	return rsv_name_table()->count || rsv_name_table_is_lost() ||
	       maui_config_objects(in_force_config(), MAUI_SRCFG, &lines);
}

/* Take these away, if there are any of them. */
static bool gap_cache_withhold(bitstr_t *withheld, bitstr_t *nodes)
{
	if (!withheld || bit_size(withheld) != bit_size(nodes) || !bit_overlap_any(withheld, nodes))
		return false;
	bit_and_not(nodes, withheld);
	return true;
}

bool rsv_gap_cache_permit(bitstr_t *nodes)
{
	if (!cache.settled && site_reserves()) {
		bit_clear_all(nodes);
		return true;
	}
	follow_table();
	cache.kept_off |= gap_cache_withhold(cache.freed, nodes);
	cache.kept_off |= gap_cache_withhold(cache.seen, nodes);
	return gap_cache_withhold(cache.down, nodes);
}

/* ---- what jobs give back ---- */

static void add_to(bitstr_t **into, bitstr_t *more)
{
	if (*into)
		bit_or(*into, more);
	else
		*into = bit_copy(more);
}

bool rsv_gap_cache_freed(bitstr_t *nodes)
{
	bitstr_t *freed;
	bool any;

	follow_table();
	if (!cache.lacked || bit_size(cache.lacked) != bit_size(nodes))
		return false;
	freed = bit_copy(nodes);
	bit_and(freed, cache.lacked);
	any = bit_ffs(freed) >= 0;
	if (any)
		add_to(&cache.freed, freed);
	FREE_NULL_BITMAP(freed);
	return any;
}

void rsv_gap_cache_look(void)
{
	FREE_NULL_BITMAP(cache.seen); /* of a roll that came to nothing */
	cache.seen = cache.freed;
	cache.freed = NULL;
}

bool rsv_gap_cache_lack(bitstr_t *lacked)
{
	bool kept_off = cache.kept_off;

	FREE_NULL_BITMAP(cache.seen);
	FREE_NULL_BITMAP(cache.lacked);
	cache.lacked = lacked;
	cache.kept_off = cache.freed != NULL; /* the next roll's */
	return kept_off;
}

/* ---- what is kept ---- */

/* Both sorted by name, with matching indexes. */
struct keeping {
	const struct rsv_rolled *outcome;
	size_t count;
	struct rsv_cached *list;
};

/* What the roll left of one of ours; NULL: nothing. */
ENGINE_LOCKED static const struct rsv_rolled *rolled_of(const struct keeping *keeping,
							const slurmctld_resv_t *reservation)
{
	const struct maui_rsv_name *known =
		maui_rsv_names_find(rsv_name_table(), resvrec_name(reservation));

	return known && known->rolled ? &keeping->outcome[known->rolled - 1] : NULL;
}

/* Whether it is unchanged since the roll looked. */
static bool is_as_planned(const struct rsv_rolled *rolled, const slurmctld_resv_t *reservation)
{
	bitstr_t *nodes;
	bool same;

	if (!rolled->there || rolled->status != SLURM_SUCCESS || !rolled->nodes ||
	    !resvrec_nodes(reservation) || !rsv_record_is_intact(reservation))
		return false;
	if (!xstrcmp(rolled->nodes, resvrec_node_list(reservation)))
		return true;
	nodes = noderec_bits(rolled->nodes);
	same = nodes && bit_equal(nodes, resvrec_nodes(reservation));
	FREE_NULL_BITMAP(nodes);
	return same;
}

static int keep_one(slurmctld_resv_t *reservation, void *context)
{
	struct keeping *keeping = context;
	bitstr_t *cores = resvrec_cores(reservation);
	const struct rsv_rolled *rolled;
	struct rsv_cached *into;

	engine_assert_locked();
	if (!rsv_name_table_is_ours(reservation))
		return 0;
	rolled = rolled_of(keeping, reservation);
	if (!rolled || !is_as_planned(rolled, reservation))
		return 0;
	into = &keeping->list[rolled - keeping->outcome];
	if (into->nodes)
		return 0;
	into->start = resvrec_start(reservation);
	into->end = resvrec_end(reservation);
	into->nodes = bit_copy(resvrec_nodes(reservation));
	into->node_list = xstrdup(rolled->nodes);
	if (cores)
		into->cores = bit_copy(cores);
	return 0;
}

/* It is still wanted, but Slurm does not have it, or not as it should be. */
ENGINE_LOCKED static void keep_older(const struct rsv_rolled *rolled, struct rsv_cached *into)
{
	struct rsv_cached *older;

	if (into->nodes || !(rolled->there || rolled->returns))
		return;
	older = rsv_gap_cache_find(rolled->name);
	if (!older || !older->nodes)
		return;
	into->start = older->start;
	into->end = older->end;
	into->nodes = older->nodes;
	into->cores = older->cores;
	into->node_list = older->node_list;
	older->nodes = older->cores = NULL; /* now owned by into */
	older->node_list = NULL;
}

/* Which of their cores it will get is not known yet, so nobody gets any. */
static void keep_waits(const struct rsv_rolled *rolled, struct rsv_cached *into)
{
	if (!rolled->waits || (into->nodes && !rolled->there))
		return;
	into->wait_list = xstrdup(rolled->waits);
	look_up(&into->waits, into->wait_list);
}

/* Drop entries with nothing to keep; the others stay in order. */
static size_t gap_cache_compact(struct rsv_cached *list, size_t count)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++)
		if (list[i].nodes || list[i].waits)
			list[kept++] = list[i];
		else
			clear_one(&list[i]);
	return kept;
}

ENGINE_LOCKED static void keep_down(bitstr_t *down)
{
	forget_down();
	cache.down = down;
	if (down)
		cache.down_list = noderec_names(down);
}

ENGINE_LOCKED static void keep_all(struct keeping *keeping)
{
	for (size_t i = 0; i < keeping->count; i++) {
		struct rsv_cached *into = &keeping->list[i];

		memcpy(into->name, keeping->outcome[i].name, sizeof(into->name));
		into->start = keeping->outcome[i].start;
		into->end = keeping->outcome[i].end;
	}
	resvrec_each(keep_one, keeping);
	cache.whole = true;
	for (size_t i = 0; i < keeping->count; i++) {
		cache.whole &= keeping->list[i].nodes || !keeping->outcome[i].nodes;
		keep_older(&keeping->outcome[i], &keeping->list[i]);
		keep_waits(&keeping->outcome[i], &keeping->list[i]);
	}
	clear_list(cache.list, cache.count);
	cache.list = keeping->list;
	cache.count = gap_cache_compact(keeping->list, keeping->count);
}

bool rsv_gap_cache_keep(const struct rsv_rolled *outcome, size_t count, bool same, bitstr_t *down)
{
	struct keeping keeping = {.outcome = outcome, .count = count};

	same &= cache.settled && cache.whole && cache.table == noderec_table();
	if (!same) {
		cache.whole = false; /* until it is known to be */
		keeping.list = maui_calloc(count + 1, sizeof(*keeping.list));
	}
	follow_table();
	if (keeping.list)
		keep_all(&keeping);
	keep_down(down);
	cache.settled = true;
	return same;
}

const struct module rsv_gap_cache_module = {.adopt = gap_cache_adopt};
