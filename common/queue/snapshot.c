/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Grows the parallel arrays of a snapshot (jobs and rows) in large pages,
 * and frees them with the last reference.
 */
#include "common/queue/snapshot.h"

#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"
#include "common/util/memory.h"
#include "common/util/pages.h"

/* Of a job and its row: they are one array of pages, the rows behind the jobs. */
#define SNAPSHOT_SIZE (sizeof(struct maui_priority_job) + sizeof(struct maui_snapshot_row))

static void snapshot_reserve(struct maui_snapshot *snapshot, size_t room)
{
	struct maui_priority_job *jobs = maui_pages_new(room, SNAPSHOT_SIZE);
	struct maui_snapshot_row *rows = (struct maui_snapshot_row *)(jobs + room);

	if (snapshot->count) {
		memcpy(jobs, snapshot->jobs, snapshot->count * sizeof(*jobs));
		memcpy(rows, snapshot->rows, snapshot->count * sizeof(*rows));
	}
	maui_pages_free(snapshot->jobs, snapshot->room, SNAPSHOT_SIZE);
	snapshot->jobs = jobs;
	snapshot->rows = rows;
	snapshot->room = room;
}

struct maui_snapshot *maui_snapshot_new(struct maui_policy *policy, size_t room)
{
	struct maui_snapshot *snapshot = maui_calloc(1, sizeof(*snapshot));

	atomic_init(&snapshot->references, 1);
	snapshot->policy = maui_policy_ref(policy);
	snapshot->texts = maui_arena_new();
	snapshot_reserve(snapshot, room ? room : 64);
	return snapshot;
}

void maui_snapshot_expect(struct maui_snapshot *snapshot, size_t count)
{
	if (snapshot->count)
		return;
	if (count > snapshot->room)
		snapshot_reserve(snapshot, count);
	maui_pages_take(snapshot->jobs, count * sizeof(*snapshot->jobs));
	maui_pages_take(snapshot->rows, count * sizeof(*snapshot->rows));
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
		maui_pages_free(snapshot->jobs, snapshot->room, SNAPSHOT_SIZE);
		maui_arena_free(snapshot->texts);
		free(snapshot->parts);
		free(snapshot);
	}
	return NULL;
}

size_t maui_snapshot_add(struct maui_snapshot *snapshot)
{
	if (snapshot->count == snapshot->room)
		snapshot_reserve(snapshot, snapshot->room * 2);
	return snapshot->count++;
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
	snapshot->parts = maui_grow(snapshot->parts, snapshot->part_count + 1, &snapshot->part_room,
				    sizeof(*snapshot->parts));
	return &snapshot->parts[snapshot->part_count++];
}
