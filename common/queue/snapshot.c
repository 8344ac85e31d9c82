/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Grows the parallel arrays of a snapshot (jobs and rows), hands them on to
 * the next snapshot, or frees them with the last reference.
 */
#include "common/queue/snapshot.h"

#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"
#include "common/util/memory.h"

/* Of a job and its row: they are one block, the rows behind the jobs. */
#define SNAPSHOT_SIZE (sizeof(struct maui_priority_job) + sizeof(struct maui_snapshot_row))

static void snapshot_reserve(struct maui_snapshot *snapshot, size_t room)
{
	struct maui_priority_job *jobs = maui_malloc(room, SNAPSHOT_SIZE);
	struct maui_snapshot_row *rows = (struct maui_snapshot_row *)(jobs + room);

	if (snapshot->count) {
		memcpy(jobs, snapshot->jobs, snapshot->count * sizeof(*jobs));
		memcpy(rows, snapshot->rows, snapshot->count * sizeof(*rows));
	}
	free(snapshot->jobs);
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
	if (snapshot->count || count <= snapshot->room)
		return;
	count += count / 8; /* queues grow a little at a time */
	snapshot_reserve(snapshot, count);
	/* The kernel gives a page at its first use. */
	memset(snapshot->jobs, 0, count * SNAPSHOT_SIZE);
}

bool maui_snapshot_take_over(struct maui_snapshot *snapshot, struct maui_snapshot *from)
{
	struct maui_snapshot taken = *snapshot;

	if (!from || snapshot->count || snapshot->part_count || atomic_load(&from->references) != 1)
		return false;
	snapshot->jobs = from->jobs;
	snapshot->rows = from->rows;
	snapshot->room = from->room;
	snapshot->parts = from->parts;
	snapshot->part_room = from->part_room;
	from->jobs = taken.jobs;
	from->rows = taken.rows;
	from->room = taken.room;
	from->parts = taken.parts;
	from->part_room = taken.part_room;
	from->count = from->part_count = 0;
	return true;
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
