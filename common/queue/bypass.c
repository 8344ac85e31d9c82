/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Maps each job ID to its last start, and counts new starts behind a job by
 * binary search in a list sorted by priority.
 */
#include "common/queue/bypass.h"

#include <stdlib.h>

#include "common/util/grow.h"
#include "common/util/idmap.h"
#include "common/util/memory.h"
#include "common/util/search.h"

#define SLACK 1024 /* starts of forgotten records that are not worth a sweep */

struct list {
	struct maui_bypass_start *start;
	size_t count, room;
};

struct maui_bypass {
	struct maui_idmap known; /* job id -> time of its last start seen */
	struct maui_idmap kept;  /* the next `known`, without jobs whose records are gone */
	bool sweeping;
	uint32_t seen;       /* starts in this pass */
	struct list fresh;   /* to be counted, even from a pass that was not completed */
	struct list recent;  /* in this pass, not before its time */
	struct list written; /* the same from the last complete pass: what `counted` leaves open */
	int64_t now, counted;
	int64_t inherited; /* until the first complete pass: another counted starts before this */
	int64_t oldest;    /* among the fresh */
};

struct maui_bypass *maui_bypass_new(void)
{
	return maui_calloc(1, sizeof(struct maui_bypass));
}

void maui_bypass_free(struct maui_bypass *bypass)
{
	if (!bypass)
		return;
	maui_idmap_clear(&bypass->known);
	maui_idmap_clear(&bypass->kept);
	free(bypass->fresh.start);
	free(bypass->recent.start);
	free(bypass->written.start);
	free(bypass);
}

static void bypass_push(struct list *list, const struct maui_bypass_start *start)
{
	list->start = maui_grow(list->start, list->count + 1, &list->room, sizeof(*list->start));
	list->start[list->count++] = *start;
}

/* 0 means unknown. A start 136 years ago is never mistaken for one now. */
static uint32_t bypass_stamp(int64_t time)
{
	uint32_t low = (uint32_t)time;

	return low ? low : 1;
}

void maui_bypass_reset(struct maui_bypass *bypass, int64_t counted,
		       const struct maui_bypass_start *starts, size_t count)
{
	maui_idmap_clear(&bypass->known);
	maui_idmap_clear(&bypass->kept);
	bypass->sweeping = false;
	bypass->fresh.count = bypass->recent.count = bypass->written.count = 0;
	bypass->counted = bypass->inherited = counted;
	for (size_t i = 0; i < count; i++) {
		maui_idmap_set(&bypass->known, starts[i].job_id, bypass_stamp(starts[i].time));
		bypass_push(&bypass->written, &starts[i]);
	}
}

void maui_bypass_begin(struct maui_bypass *bypass, int64_t now)
{
	bypass->sweeping = bypass->known.count / 2 > bypass->seen + SLACK;
	maui_idmap_clear(&bypass->kept);
	bypass->seen = 0;
	bypass->recent.count = 0;
	bypass->now = now;
}

static void bypass_keep(struct maui_bypass *bypass, const struct maui_bypass_start *start)
{
	bypass->seen++;
	if (start->time >= bypass->now)
		bypass_push(&bypass->recent, start);
	if (bypass->sweeping)
		maui_idmap_set(&bypass->kept, start->job_id, bypass_stamp(start->time));
}

void maui_bypass_see(struct maui_bypass *bypass, const struct maui_bypass_start *start)
{
	uint32_t before = maui_idmap_find(&bypass->known, start->job_id);

	if (start->time <= 0)
		return;
	if (before != bypass_stamp(start->time)) {
		if (start->time >= bypass->inherited)
			bypass_push(&bypass->fresh, start);
		maui_idmap_set(&bypass->known, start->job_id, bypass_stamp(start->time));
	}
	bypass_keep(bypass, start);
}

/* A job's place in the queue as a number: the greater comes first. */
static uint64_t bypass_rank(uint32_t priority, uint32_t arrival)
{
	return (uint64_t)priority << 32 | (UINT32_MAX - arrival);
}

static int by_rank(const void *a, const void *b)
{
	const struct maui_bypass_start *x = a, *y = b;
	uint64_t p = bypass_rank(x->priority, x->arrival), q = bypass_rank(y->priority, y->arrival);

	return (p > q) - (p < q);
}

void maui_bypass_sort(struct maui_bypass *bypass)
{
	const struct list *fresh = &bypass->fresh;

	if (fresh->count)
		qsort(fresh->start, fresh->count, sizeof(*fresh->start), by_rank);
	bypass->oldest = INT64_MAX;
	for (size_t i = 0; i < fresh->count; i++)
		if (fresh->start[i].time < bypass->oldest)
			bypass->oldest = fresh->start[i].time;
}

static int to_rank(const void *key, const void *element)
{
	const struct maui_bypass_start *start = element;
	uint64_t a = *(const uint64_t *)key, b = bypass_rank(start->priority, start->arrival);

	return a < b ? -1 : a > b;
}

/* How many of the fresh are behind a rank. */
static size_t bypass_behind(const struct list *fresh, uint64_t own)
{
	return maui_lower_bound(&own, fresh->start, fresh->count, sizeof(*fresh->start), to_rank);
}

uint32_t maui_bypass_count(const struct maui_bypass *bypass, uint32_t arrival, uint32_t priority,
			   int64_t since)
{
	const struct list *fresh = &bypass->fresh;
	size_t count = fresh->count ? bypass_behind(fresh, bypass_rank(priority, arrival)) : 0;
	uint32_t passed = 0;

	if (since < bypass->oldest)
		return (uint32_t)count;
	/*
	 * The job came within this interval, as few do: starts may have been before it. Within one
	 * second the job ids decide.
	 */
	for (size_t i = 0; i < count; i++)
		if (since < fresh->start[i].time ||
		    (since == fresh->start[i].time && arrival < fresh->start[i].arrival))
			passed++;
	return passed;
}

bool maui_bypass_done(struct maui_bypass *bypass)
{
	struct list written = bypass->written;
	bool any = bypass->fresh.count;

	bypass->written = bypass->recent;
	bypass->recent = written;
	bypass->fresh.count = 0;
	bypass->counted = bypass->now;
	bypass->inherited = 0; /* from now on, anything unknown is new, whatever the clock says */
	if (bypass->sweeping) {
		struct maui_idmap old = bypass->known;

		bypass->known = bypass->kept;
		bypass->kept = old;
		bypass->sweeping = false;
	}
	return any;
}

int64_t maui_bypass_counted(const struct maui_bypass *bypass)
{
	return bypass->counted;
}

size_t maui_bypass_recent(const struct maui_bypass *bypass,
			  const struct maui_bypass_start **ret_starts)
{
	*ret_starts = bypass->written.start;
	return bypass->written.count;
}
