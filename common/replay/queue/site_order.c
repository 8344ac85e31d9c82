/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Those who may start, by priority. Both schedulers look at a few of them only, so no more are put
 * in order than somebody asks for: a heap has the next job of each kind.
 */
#include "common/replay/queue/site_order.h"

#include <string.h>

#include "common/replay/queue/site_jobs.h"
#include "common/replay/queue/site_kinds.h"
#include "common/util/grow.h"
#include "common/util/search.h"

/* ---- who comes next ---- */

static uint64_t key_of(const struct site_replay *replay, const struct site_kind *kind, uint32_t job)
{
	const struct maui_snapshot_row *row = &replay->snapshot->rows[kind->row];
	uint32_t rank = row->priority;
	struct maui_priority_job request;
	bool rejected;

	if (row->job_id != job + 1) {
		site_request(replay, job, &request);
		rank = site_rank(replay, job, &request, replay->iterated, &rejected);
	}
	return site_key(kind->demoted && kind->demoted < rank ? kind->demoted : rank, job);
}

static void sift_down(struct site_candidate *heap, size_t count, size_t at)
{
	struct site_candidate moved = heap[at];
	size_t child;

	while ((child = 2 * at + 1) < count) {
		child += child + 1 < count && heap[child + 1].key < heap[child].key;
		if (moved.key <= heap[child].key)
			break;
		heap[at] = heap[child];
		at = child;
	}
	heap[at] = moved;
}

static void reserve_candidates(struct site_replay *replay, size_t count)
{
	replay->candidates = maui_grow(replay->candidates, count, &replay->candidate_room,
				       sizeof(*replay->candidates));
}

static uint32_t order_smaller(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

void site_order_open(struct site_replay *replay)
{
	const struct maui_snapshot *snapshot = replay->snapshot;
	uint32_t least = UINT32_MAX;

	reserve_candidates(replay, snapshot->count + 1);
	replay->order_count = replay->candidate_count = replay->eligible = 0;
	for (size_t i = 0; i < snapshot->count; i++) {
		uint32_t number = replay->kind_at[i];
		struct site_kind *kind = &replay->kinds[number];

		kind->eligible = kind->standing != MAUI_STANDING_BLOCKED &&
				 snapshot->rows[i].state == MAUI_ROW_IDLE;
		if (!kind->eligible)
			continue;
		replay->eligible += kind->count;
		least = order_smaller(least, (uint32_t)snapshot->jobs[i].procs);
		kind->next = kind->first;
		replay->candidates[replay->candidate_count++] =
			(struct site_candidate){key_of(replay, kind, kind->first), number};
	}
	replay->least = least; /* newcomers are of kinds now */
	for (size_t i = replay->candidate_count / 2; i--;)
		sift_down(replay->candidates, replay->candidate_count, i);
}

/* The one on top is in order now: the next of its kind, if there is one, takes its place. */
static void replace_top(struct site_replay *replay)
{
	struct site_candidate *top = &replay->candidates[0];
	struct site_kind *kind = top->kind != NO_KIND ? &replay->kinds[top->kind] : NULL;

	if (kind)
		kind->next = replay->after[kind->next];
	if (kind && kind->next != NO_JOB)
		top->key = key_of(replay, kind, kind->next);
	else
		*top = replay->candidates[--replay->candidate_count];
	if (replay->candidate_count)
		sift_down(replay->candidates, replay->candidate_count, 0);
}

/* ---- those in order ---- */

static void reserve_order(struct site_replay *replay, size_t count)
{
	replay->order =
		maui_grow(replay->order, count, &replay->order_room, sizeof(*replay->order));
}

void site_order_reach(struct site_replay *replay, size_t count)
{
	while (replay->order_count < count && replay->candidate_count) {
		reserve_order(replay, replay->order_count + 1);
		replay->order[replay->order_count++] = replay->candidates[0].key;
		replace_top(replay);
	}
}

static int compare_keys(const void *key, const void *element)
{
	uint64_t a = *(const uint64_t *)key, b = *(const uint64_t *)element;

	return a < b ? -1 : a > b;
}

static void order_push(struct site_replay *replay, struct site_candidate candidate)
{
	struct site_candidate *heap = replay->candidates;
	size_t at = replay->candidate_count++;

	for (; at && candidate.key < heap[(at - 1) / 2].key; at = (at - 1) / 2)
		heap[at] = heap[(at - 1) / 2];
	heap[at] = candidate;
}

void site_order_enter(struct site_replay *replay, uint64_t newcomer)
{
	uint64_t *order;
	size_t at;

	reserve_order(replay, replay->order_count + 1);
	reserve_candidates(replay, replay->candidate_count + 1);
	order = replay->order;
	at = maui_lower_bound(&newcomer, order, replay->order_count, sizeof(*order), compare_keys);
	if (at == replay->order_count) {
		order_push(replay, (struct site_candidate){newcomer, NO_KIND});
		return;
	}
	memmove(&order[at + 1], &order[at], (replay->order_count - at) * sizeof(*order));
	order[at] = newcomer;
	replay->order_count++;
}

void site_order_close_up(struct site_replay *replay)
{
	size_t kept = 0;

	for (size_t i = 0; i < replay->order_count; i++)
		if (site_key_job(replay->order[i]) != NO_JOB)
			replay->order[kept++] = replay->order[i];
	replay->order_count = kept;
}

/* ---- what backfill has seen ---- */

void site_order_seen(struct site_replay *replay)
{
	size_t count = replay->order_count, most = replay->site->parameters.max_job_test;

	count = count < most ? count : most;
	replay->seen =
		maui_grow(replay->seen, count + 1, &replay->seen_room, sizeof(*replay->seen));
	for (size_t i = 0; i < count; i++)
		replay->seen[i] = site_key_job(replay->order[i]);
	replay->seen_count = count;
	replay->seen_all = count == replay->order_count && !replay->candidate_count;
}

bool site_order_differs(struct site_replay *replay)
{
	size_t kept = 0;

	site_order_reach(replay, replay->seen_count + 1);
	for (size_t i = 0; i < replay->seen_count; i++) {
		if (replay->schedule->started[replay->seen[i]] != MAUI_REPLAY_UNKNOWN)
			continue;
		if (kept >= replay->order_count ||
		    site_key_job(replay->order[kept]) != replay->seen[i])
			return true;
		kept++;
	}
	return replay->seen_all && kept < replay->order_count;
}

/* ---- the smallest ---- */

uint32_t site_least(struct site_replay *replay)
{
	uint32_t least = UINT32_MAX;

	if (replay->least)
		return replay->least;
	for (size_t i = 0; i < replay->snapshot->count; i++) {
		const struct site_kind *kind = &replay->kinds[replay->kind_at[i]];

		if (kind->eligible)
			least = order_smaller(least, replay->trace->jobs[kind->first].procs);
	}
	for (size_t i = 0; i < replay->newcomer_count; i++)
		if (replay->newcomers[i].job != NO_JOB && !replay->newcomers[i].rejected)
			least = order_smaller(least,
					      replay->trace->jobs[replay->newcomers[i].job].procs);
	replay->least = least;
	return least;
}
