/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/queue/snapshot.h"

#include <errno.h>
#include <stdlib.h>

#include "common/util/grow.h"
#include "common/util/pages.h"

static int reserve(struct maui_snapshot *snapshot, size_t room)
{
	void *grown = realloc(snapshot->jobs, room * sizeof(*snapshot->jobs));

	if (!grown)
		return -ENOMEM;
	snapshot->jobs = grown;
	grown = realloc(snapshot->results, room * sizeof(*snapshot->results));
	if (!grown)
		return -ENOMEM;
	snapshot->results = grown;
	grown = realloc(snapshot->rows, room * sizeof(*snapshot->rows));
	if (!grown)
		return -ENOMEM;
	snapshot->rows = grown;
	snapshot->room = room;
	maui_pages_large(snapshot->jobs, room * sizeof(*snapshot->jobs));
	maui_pages_large(snapshot->results, room * sizeof(*snapshot->results));
	maui_pages_large(snapshot->rows, room * sizeof(*snapshot->rows));
	return 0;
}

struct maui_snapshot *maui_snapshot_new(struct maui_policy *policy, size_t room)
{
	struct maui_snapshot *snapshot = calloc(1, sizeof(*snapshot));

	if (!snapshot)
		return NULL;
	atomic_init(&snapshot->references, 1);
	snapshot->policy = maui_policy_ref(policy);
	snapshot->texts = maui_arena_new();
	if (!snapshot->texts || reserve(snapshot, room ? room : 64))
		return maui_snapshot_unref(snapshot);
	return snapshot;
}

void maui_snapshot_take_memory(struct maui_snapshot *snapshot, size_t count)
{
	size_t rows = count < snapshot->room ? count : snapshot->room;

	if (snapshot->count)
		return;
	maui_pages_take(snapshot->jobs, rows * sizeof(*snapshot->jobs));
	maui_pages_take(snapshot->results, rows * sizeof(*snapshot->results));
	maui_pages_take(snapshot->rows, rows * sizeof(*snapshot->rows));
}

struct maui_snapshot *maui_snapshot_ref(struct maui_snapshot *snapshot)
{
	if (snapshot)
		atomic_fetch_add(&snapshot->references, 1);
	return snapshot;
}

struct maui_snapshot *maui_snapshot_unref(struct maui_snapshot *snapshot)
{
	if (snapshot && atomic_fetch_sub(&snapshot->references, 1) == 1) {
		maui_policy_unref(snapshot->policy);
		maui_frozen_names_clear(&snapshot->names);
		maui_gres_table_unref(snapshot->gres);
		free(snapshot->jobs);
		free(snapshot->results);
		free(snapshot->rows);
		maui_arena_free(snapshot->texts);
		free(snapshot->parts);
		free(snapshot);
	}
	return NULL;
}

ptrdiff_t maui_snapshot_add(struct maui_snapshot *snapshot)
{
	if (snapshot->count == snapshot->room && reserve(snapshot, snapshot->room * 2))
		return -ENOMEM;
	return (ptrdiff_t)snapshot->count++;
}

bool maui_snapshot_is_first(const struct maui_snapshot *snapshot, size_t row,
			    enum maui_credential type)
{
	const struct maui_priority_job *jobs = &snapshot->jobs[row];

	for (uint32_t i = 1; i <= snapshot->rows[row].position; i++)
		if (jobs[-(ptrdiff_t)i].credential[type] == jobs->credential[type])
			return false;
	return true;
}

struct maui_part_request *maui_snapshot_add_part(struct maui_snapshot *snapshot)
{
	void *grown = maui_grow(snapshot->parts, snapshot->part_count + 1, &snapshot->part_room,
				sizeof(*snapshot->parts));

	if (!grown)
		return NULL;
	snapshot->parts = grown;
	return &snapshot->parts[snapshot->part_count++];
}
