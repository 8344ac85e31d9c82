/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/engine/rsv_view.h"

#include <stdlib.h>

#include "plugins/engine/rsv_book.h"
#include "plugins/engine/rsv_policy.h"

static struct {
	struct rsv_seen *list;
	size_t count, room;
	bool valid;
	time_t updated; /* what last_resv_update was */
	time_t now;
	int nodes;
} view;

void rsv_view_forget(void)
{
	view.valid = false;
}

/* Numbers stand for names: of a standing reservation its place, of an instance what follows behind all of these. */
static void fill_instance(struct rsv_seen *seen, const slurmctld_resv_t *reservation, uint32_t name)
{
	const struct maui_sr *list;
	const struct maui_sr *sr = NULL;

	if (rsv_policy_list(&list) > seen->sr)
		sr = &list[seen->sr];
	seen->instance = (struct maui_rsv_instance){
		.name = UINT32_MAX - name,
		.standing = seen->sr + 1, /* 0: none */
		.by_name = sr && (sr->flags & MAUI_SR_BYNAME),
		.start = reservation->start_time,
		.end = reservation->end_time,
		.acl = sr ? sr->acl : NULL,
	};
	if (reservation->flags & RESERVE_FLAG_TIME_FLOAT) /* it begins so long after any present */
		seen->instance.start = 0;
}

static int note(void *object, void *context)
{
	const slurmctld_resv_t *reservation = object;
	struct rsv_seen *seen;
	int64_t date;

	(void)context;
	if (view.count == view.room) {
		size_t room = view.room ? view.room * 2 : 64;
		void *grown = realloc(view.list, room * sizeof(*view.list));

		if (!grown)
			return -1;
		view.list = grown;
		view.room = room;
	}
	seen = &view.list[view.count];
	*seen = (struct rsv_seen){.ours = rsv_book_is_ours(reservation), .sr = UINT32_MAX};
	if (seen->ours) {
		seen->sr = rsv_policy_find(reservation->name, &date);
		snprintf(seen->name, sizeof(seen->name), "%s", reservation->name);
	}
	fill_instance(seen, reservation, (uint32_t)view.count);
	seen->max_start_delay = reservation->max_start_delay;
	if (reservation->node_bitmap)
		seen->nodes = bit_copy(reservation->node_bitmap);
	if (reservation->core_bitmap)
		seen->cores = bit_copy(reservation->core_bitmap);
	view.count++;
	return 0;
}

/* Whether what was found is still so. Slurm's time stamp has whole seconds: within its own second anything may follow. */
static bool holds(int64_t now)
{
	return view.valid && view.nodes == node_record_count && view.updated == last_resv_update &&
	       last_resv_update < view.now && now >= view.now;
}

bool rsv_view_complete(void)
{
	return view.valid;
}

size_t rsv_view(const struct rsv_seen **ret_list, int64_t now)
{
	if (!holds(now)) {
		for (size_t i = 0; i < view.count; i++) {
			FREE_NULL_BITMAP(view.list[i].nodes);
			FREE_NULL_BITMAP(view.list[i].cores);
		}
		view.count = 0;
		view.now = now;
		view.updated = last_resv_update;
		view.nodes = node_record_count;
		view.valid = !resv_list || list_for_each_ro(resv_list, note, NULL) >= 0;
	}
	*ret_list = view.list;
	return view.count;
}
