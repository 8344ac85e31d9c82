/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rebuilds the reservation snapshot from Slurm's records, appends the gaps, and
 * keeps it until reservations, nodes or settings change.
 */
#include "plugins/compat/base.h"

#include "plugins/engine/reservation/rsv_view.h"

#include <stdlib.h>

#include "common/util/grow.h"
#include "plugins/engine/reservation/rsv_gap_cache.h"
#include "plugins/engine/reservation/rsv_name_table.h"
#include "plugins/engine/reservation/rsv_policy.h"
#include "plugins/engine/runtime/runtime.h"
#include "plugins/engine/slurm/noderec.h"
#include "plugins/engine/slurm/resvrec.h"

ENGINE_GUARDED static struct {
	struct rsv_seen *list;
	size_t count, room;
	size_t gaps; /* at the end of the list */
	bool new_gaps;
	bool valid;
	time_t updated; /* what resvrec_updated() returned */
	time_t now;
	uint32_t nodes;
	uint64_t names; /* what rsv_name_table_generation() returned */
} view;

void rsv_view_forget(void)
{
	view.valid = false;
}

/* Append a new one. */
ENGINE_LOCKED static struct rsv_seen *view_add(void)
{
	view.list = maui_grow(view.list, view.count + 1, &view.room, sizeof(*view.list));
	view.list[view.count] = (struct rsv_seen){.sr = UINT32_MAX};
	return &view.list[view.count++];
}

ENGINE_LOCKED static void be_ours(struct rsv_seen *seen, const char *name)
{
	int64_t date;

	seen->ours = true;
	seen->sr = rsv_policy_find(name, &date);
	snprintf(seen->name, sizeof(seen->name), "%s", name);
}

/* Numbers stand for names: a standing reservation has its index plus one; instances count down from
 * UINT32_MAX, beyond all of these. */
ENGINE_LOCKED static void fill_instance(struct rsv_seen *seen, int64_t start, int64_t end)
{
	const struct maui_sr *list;
	const struct maui_sr *sr = NULL;

	if (rsv_policy_list(&list) > seen->sr)
		sr = &list[seen->sr];
	seen->instance = (struct maui_rsv_instance){
		.name = UINT32_MAX - (uint32_t)(seen - view.list),
		.standing = seen->sr + 1, /* 0: none */
		.by_name = sr && (sr->flags & MAUI_SR_BYNAME),
		.start = start,
		.end = end,
		.acl = sr ? sr->acl : NULL,
	};
}

static void fill_place(struct rsv_seen *seen, bitstr_t *nodes, bitstr_t *cores)
{
	if (nodes)
		seen->nodes = bit_copy(nodes);
	if (cores)
		seen->cores = bit_copy(cores);
}

static int view_note(slurmctld_resv_t *reservation, void *context)
{
	struct rsv_cached *cached;
	struct rsv_seen *seen;

	(void)context;
	engine_assert_locked();
	seen = view_add();
	if (rsv_name_table_is_ours(reservation)) {
		be_ours(seen, resvrec_name(reservation));
		cached = rsv_gap_cache_find(seen->name);
		if (cached)
			cached->there = rsv_gap_cache_is_whole(cached, reservation);
	}
	fill_instance(seen, resvrec_floats(reservation) ? 0 : resvrec_start(reservation),
		      resvrec_end(reservation));
	seen->max_start_delay = resvrec_max_start_delay(reservation);
	fill_place(seen, resvrec_nodes(reservation), resvrec_cores(reservation));
	return 0;
}

/* What is used up, cancelled, or no longer in maui.cfg is not wanted. */
ENGINE_LOCKED static bool is_wanted(const char *name)
{
	const struct maui_rsv_name *known = maui_rsv_names_find(rsv_name_table(), name);
	int64_t date;

	if (known && (known->spent || known->cancelled))
		return false;
	return !engine.disabled &&
	       (!rsv_policy_known() || rsv_policy_find(name, &date) != UINT32_MAX);
}

ENGINE_LOCKED static void note_gap(const struct rsv_cached *cached, bitstr_t *nodes,
				   bitstr_t *cores)
{
	struct rsv_seen *seen = view_add();

	be_ours(seen, cached->name);
	seen->gap = true;
	fill_instance(seen, cached->start, cached->end);
	fill_place(seen, nodes, cores);
	view.gaps++;
}

ENGINE_LOCKED static void note_gaps(const struct rsv_cached *cached)
{
	if (cached->nodes && !cached->there)
		note_gap(cached, cached->nodes, cached->cores);
	if (cached->waits)
		note_gap(cached, cached->waits, NULL);
}

ENGINE_LOCKED static void note_all(int64_t now)
{
	size_t count;
	struct rsv_cached *list = rsv_gap_cache_list(&count);

	for (size_t i = 0; i < count; i++)
		list[i].there = false;
	resvrec_each(view_note, NULL);
	for (size_t i = 0; i < count; i++)
		if (list[i].end > now && is_wanted(list[i].name))
			note_gaps(&list[i]);
}

/* Whether the view is still current. Slurm's timestamp is in whole seconds: anything may still
 * follow within the same second. */
ENGINE_LOCKED static bool view_holds(int64_t now)
{
	time_t updated = resvrec_updated();

	return view.valid && view.nodes == noderec_count() &&
	       view.names == rsv_name_table_generation() && view.updated == updated &&
	       updated < view.now && now >= view.now;
}

size_t rsv_view(const struct rsv_seen **ret_list, int64_t now)
{
	size_t gaps;

	if (!view_holds(now)) {
		for (size_t i = 0; i < view.count; i++) {
			FREE_NULL_BITMAP(view.list[i].nodes);
			FREE_NULL_BITMAP(view.list[i].cores);
		}
		gaps = view.gaps;
		view.count = view.gaps = 0;
		view.now = now;
		view.updated = resvrec_updated();
		view.nodes = noderec_count();
		view.names = rsv_name_table_generation();
		note_all(now);
		view.valid = true;
		view.new_gaps |= view.gaps > gaps; /* old gaps may last long */
	}
	*ret_list = view.list;
	return view.count;
}

bool rsv_view_has_gaps(int64_t now)
{
	const struct rsv_seen *list;

	rsv_view(&list, now);
	return view.gaps;
}

bool rsv_view_gaps_are_new(void)
{
	bool are_new = view.new_gaps;

	view.new_gaps = false;
	return are_new;
}

void rsv_view_settle(int64_t now)
{
	const struct rsv_seen *list;

	rsv_view(&list, now);
	view.new_gaps = false;
}

static void bind_policy(struct maui_policy *policy, const struct maui_principals *principals)
{
	(void)policy;
	(void)principals;
	engine_assert_locked();
	rsv_view_forget();
}

const struct module rsv_view_module = {.bind = bind_policy};
