/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/engine/reservation/rsv_guard.h"

#include <stdlib.h>
#include <string.h>

#include "src/common/node_conf.h"

#include "plugins/engine/reservation/rsv_book.h"
#include "plugins/engine/state.h"

static struct {
	struct rsv_guarded *list; /* by name */
	size_t count;
	unsigned int table; /* of nodes, that the bitmaps are of */
	bitstr_t *down; /* the last roll could not use them; NULL: none, or nothing lacks nodes */
	char *down_list;
	bool settled; /* there has been a roll */
} guard;

static void clear_list(struct rsv_guarded *list, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		FREE_NULL_BITMAP(list[i].nodes);
		FREE_NULL_BITMAP(list[i].cores);
		xfree(list[i].node_list);
	}
	free(list);
}

static void forget_down(void)
{
	FREE_NULL_BITMAP(guard.down);
	xfree(guard.down_list);
}

void rsv_guard_begin_anew(void)
{
	clear_list(guard.list, guard.count);
	guard.list = NULL;
	guard.count = 0;
	guard.settled = false;
	forget_down();
}

void rsv_guard_settle(void)
{
	guard.settled = true;
}

/* ---- another table of nodes ---- */

static void look_up(bitstr_t **nodes, char *names)
{
	FREE_NULL_BITMAP(*nodes);
	if (names && node_name2bitmap(names, true, nodes))
		FREE_NULL_BITMAP(*nodes);
}

/* Slurm has built its table anew: names hold. Which cores these were nobody knows until the next roll. */
static void follow_table(void)
{
	if (guard.table == rsv_world_table())
		return;
	guard.table = rsv_world_table();
	for (size_t i = 0; i < guard.count; i++) {
		look_up(&guard.list[i].nodes, guard.list[i].node_list);
		FREE_NULL_BITMAP(guard.list[i].cores);
	}
	look_up(&guard.down, guard.down_list);
}

/* ---- what is asked ---- */

struct rsv_guarded *rsv_guard_list(size_t *ret_count)
{
	follow_table();
	*ret_count = guard.count;
	return guard.list;
}

static int compare(const void *left, const void *right)
{
	return strcmp(((const struct rsv_guarded *)left)->name,
		      ((const struct rsv_guarded *)right)->name);
}

static int compare_to_name(const void *name, const void *guarded)
{
	return strcmp(name, ((const struct rsv_guarded *)guarded)->name);
}

struct rsv_guarded *rsv_guard_find(const char *name)
{
	if (!guard.count)
		return NULL;
	follow_table();
	return bsearch(name, guard.list, guard.count, sizeof(*guard.list), compare_to_name);
}

/* A reservation of whole nodes holds their cores, too. */
static bool holds_cores(const struct rsv_guarded *guarded, const slurmctld_resv_t *reservation)
{
	if (!reservation->core_bitmap)
		return true;
	return guarded->cores && bit_size(guarded->cores) == bit_size(reservation->core_bitmap) &&
	       bit_super_set(guarded->cores, reservation->core_bitmap);
}

bool rsv_guard_is_whole(const struct rsv_guarded *guarded, const slurmctld_resv_t *reservation)
{
	if (reservation->start_time > guarded->start || reservation->end_time < guarded->end)
		return false;
	return !guarded->nodes || (reservation->node_bitmap &&
				   bit_size(reservation->node_bitmap) == bit_size(guarded->nodes) &&
				   bit_super_set(guarded->nodes, reservation->node_bitmap) &&
				   holds_cores(guarded, reservation));
}

/* Whether there may be a reservation that nobody has looked for yet. */
static bool site_reserves(void)
{
	const struct maui_object *const *lines;

	return rsv_book()->count || rsv_book_is_lost() ||
	       maui_config_objects(engine.policy->config, MAUI_SRCFG, &lines);
}

bool rsv_guard_permit(bitstr_t *nodes)
{
	if (!guard.settled && site_reserves()) {
		bit_clear_all(nodes);
		return true;
	}
	follow_table();
	if (!guard.down || bit_size(guard.down) != bit_size(nodes) ||
	    !bit_overlap_any(guard.down, nodes))
		return false;
	bit_and_not(nodes, guard.down);
	return true;
}

/* ---- what is kept ---- */

struct keeping {
	const struct rsv_rolled *outcome;
	size_t count;
	struct rsv_guarded *list;
	size_t kept;
	bool *done; /* by place in the outcome */
};

static int compare_rolled(const void *name, const void *rolled)
{
	return strcmp(name, ((const struct rsv_rolled *)rolled)->name);
}

/* Whether nobody has changed it by hand since the roll has looked. */
static bool is_as_planned(const struct rsv_rolled *rolled, const slurmctld_resv_t *reservation)
{
	bitstr_t *nodes = NULL;
	bool same;

	if (!rolled->there || !rolled->nodes || !reservation->node_bitmap)
		return false;
	if (!xstrcmp(rolled->nodes, reservation->node_list))
		return true;
	look_up(&nodes, rolled->nodes);
	same = nodes && bit_equal(nodes, reservation->node_bitmap);
	FREE_NULL_BITMAP(nodes);
	return same;
}

static int keep_one(void *object, void *context)
{
	const slurmctld_resv_t *reservation = object;
	struct keeping *keeping = context;
	const struct rsv_rolled *rolled;
	struct rsv_guarded *into;

	if (!rsv_book_is_ours(reservation))
		return 0;
	rolled = bsearch(reservation->name, keeping->outcome, keeping->count,
			 sizeof(*keeping->outcome), compare_rolled);
	if (!rolled || keeping->done[rolled - keeping->outcome] ||
	    !is_as_planned(rolled, reservation))
		return 0;
	keeping->done[rolled - keeping->outcome] = true;
	into = &keeping->list[keeping->kept++];
	*into = (struct rsv_guarded){
		.start = reservation->start_time,
		.end = reservation->end_time,
		.nodes = bit_copy(reservation->node_bitmap),
		.node_list = xstrdup(rolled->nodes),
	};
	memcpy(into->name, rolled->name, sizeof(into->name));
	if (reservation->core_bitmap)
		into->cores = bit_copy(reservation->core_bitmap);
	return 0;
}

/* Slurm cannot say yet which of their cores: then nobody gets any. */
static void keep_waiting(struct keeping *keeping, const struct rsv_rolled *rolled)
{
	struct rsv_guarded *into = &keeping->list[keeping->kept];

	if (rolled->there || rolled->status != ESLURM_NODES_BUSY || !rolled->nodes)
		return;
	*into = (struct rsv_guarded){.start = rolled->start, .end = rolled->end};
	look_up(&into->nodes, rolled->nodes);
	if (!into->nodes)
		return;
	into->node_list = xstrdup(rolled->nodes);
	memcpy(into->name, rolled->name, sizeof(into->name));
	keeping->kept++;
}

/* Those that are wanted still, but that Slurm has not, or not as they should be. */
static void keep_older(struct keeping *keeping)
{
	for (size_t i = 0; i < keeping->count; i++) {
		const struct rsv_rolled *rolled = &keeping->outcome[i];
		struct rsv_guarded *older;

		if (keeping->done[i] || !(rolled->there || rolled->returns))
			continue;
		older = rsv_guard_find(rolled->name);
		if (!older) {
			keep_waiting(keeping, rolled);
			continue;
		}
		keeping->list[keeping->kept++] = *older;
		*older = (struct rsv_guarded){.start = 0}; /* what it has is not its own any more */
		memcpy(older->name, rolled->name, sizeof(older->name));
	}
}

static void keep_down(const struct rsv_world *world)
{
	forget_down();
	if (world->table != rsv_world_table())
		return;
	guard.down = bit_alloc(world->count);
	for (uint32_t i = 0; i < world->count; i++)
		if (!world->nodes[i].up)
			bit_set(guard.down, i);
	guard.down_list = bitmap2node_name(guard.down);
}

void rsv_guard_keep(const struct rsv_rolled *outcome, size_t count, const struct rsv_world *world,
		    bool partial)
{
	struct keeping keeping = {.outcome = outcome, .count = count};

	keeping.list = calloc(count + 1, sizeof(*keeping.list));
	keeping.done = calloc(count + 1, sizeof(*keeping.done));
	if (keeping.list && keeping.done) {
		follow_table();
		if (resv_list)
			list_for_each(resv_list, keep_one, &keeping);
		keep_older(&keeping);
		if (keeping.kept)
			qsort(keeping.list, keeping.kept, sizeof(*keeping.list), compare);
		clear_list(guard.list, guard.count);
		guard.list = keeping.list;
		guard.count = keeping.kept;
		keeping.list = NULL;
	}
	free(keeping.list);
	free(keeping.done);
	if (partial)
		keep_down(world);
	else
		forget_down();
	guard.settled = true;
}
