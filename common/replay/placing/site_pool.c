/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which processors of a pool each job has, and which are free when by the plan. The plan is a list
 * of gaps: processors that are free from one time to another. At no time is a processor in two of
 * them, so that those a job could begin on are a sum.
 */
#include "common/replay/placing/site_pool.h"

#include <stdlib.h>
#include <string.h>

#include "common/replay/plan/site_times.h"
#include "common/replay/plan/site_words.h"
#include "common/util/grow.h"
#include "common/util/memory.h"
#include "common/util/search.h"

/* Free from when a job reaches its time limit, or the plan has no more use for them, until the plan
 * needs them. */
struct gap {
	int64_t from, until; /* until: INT64_MAX: no plan needs them */
	uint32_t procs;
	uint32_t count; /* of words */
	size_t first;
};

struct gap_end {
	int64_t until, from;
	uint32_t procs;
};

struct site_pool {
	size_t words;
	uint64_t *idle;   /* a set */
	uint64_t *wanted; /* a set: what is chosen from, or what is chosen */
	struct site_words chosen;
	int64_t shortest;          /* time limit */
	struct site_times changes; /* when the plan's jobs begin and end */
	struct gap *gaps;          /* by from */
	struct gap_end *ends;      /* by until, but for those that have none */
	size_t gap_count, end_count, gap_room, end_room;
	struct gap *pieces; /* of the gaps that are divided */
	size_t piece_count, piece_room;
	struct site_words sets; /* the gaps' */
};

/* ---- sets ---- */

/* Without an instruction for it, which not every processor has, the compiler calls a function. */
static uint32_t pool_ones(uint64_t bits)
{
	bits -= bits >> 1 & UINT64_C(0x5555555555555555);
	bits = (bits & UINT64_C(0x3333333333333333)) + (bits >> 2 & UINT64_C(0x3333333333333333));
	bits = (bits + (bits >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
	return (uint32_t)(bits * UINT64_C(0x0101010101010101) >> 56);
}

/* The lowest so many of a set. False: there are fewer. */
static bool pool_choose(struct site_pool *pool, const uint64_t *set, uint32_t procs)
{
	struct site_words *chosen = &pool->chosen;

	chosen->count = 0;
	for (uint32_t at = 0; procs && at < pool->words; at++) {
		uint64_t bits = set[at], rest = bits;
		uint32_t here = bits ? pool_ones(bits) : 0;

		if (!here)
			continue;
		if (here > procs) {
			for (uint32_t i = 0; i < procs; i++)
				rest &= rest - 1;
			bits ^= rest;
			here = procs;
		}
		chosen->words[chosen->count++] = (struct site_word){.bits = bits, .at = at};
		procs -= here;
	}
	return !procs;
}

/* ---- who has which ---- */

bool site_pool_fit(struct site_replay *replay, uint32_t procs)
{
	return procs <= replay->machine.free &&
	       pool_choose(replay->pool, replay->pool->idle, procs);
}

void site_pool_take(struct site_replay *replay, struct site_running *run)
{
	struct site_pool *pool = replay->pool;

	run->procs.count = 0;
	site_words_drop(pool->idle, pool->chosen.words, pool->chosen.count);
	site_words_append(&run->procs, pool->chosen.words, pool->chosen.count);
}

void site_pool_give(struct site_replay *replay, const struct site_running *run)
{
	site_words_put(replay->pool->idle, run->procs.words, run->procs.count);
}

/* ---- gaps ---- */

/* Gaps and their ends begin with a time, by which they are sorted. */
static int compare_times(const void *key, const void *element)
{
	int64_t a = *(const int64_t *)key, b = *(const int64_t *)element;

	return a < b ? -1 : a > b;
}

/* How many begin at a time or before. */
static size_t begun_by(const struct site_pool *pool, int64_t time)
{
	int64_t after = time + 1;

	return maui_lower_bound(&after, pool->gaps, pool->gap_count, sizeof(*pool->gaps),
				compare_times);
}

/* How many end before a time. */
static size_t ended_before(const struct site_pool *pool, int64_t time)
{
	return maui_lower_bound(&time, pool->ends, pool->end_count, sizeof(*pool->ends),
				compare_times);
}

static void add_gap(struct site_pool *pool, const struct gap *gap)
{
	size_t at;

	pool->gaps =
		maui_grow(pool->gaps, pool->gap_count + 1, &pool->gap_room, sizeof(*pool->gaps));
	at = begun_by(pool, gap->from);
	memmove(&pool->gaps[at + 1], &pool->gaps[at],
		(pool->gap_count++ - at) * sizeof(*pool->gaps));
	pool->gaps[at] = *gap;
	if (gap->until == INT64_MAX)
		return;
	pool->ends =
		maui_grow(pool->ends, pool->end_count + 1, &pool->end_room, sizeof(*pool->ends));
	at = ended_before(pool, gap->until);
	memmove(&pool->ends[at + 1], &pool->ends[at],
		(pool->end_count++ - at) * sizeof(*pool->ends));
	pool->ends[at] = (struct gap_end){gap->until, gap->from, gap->procs};
}

/* One that is like it, as far as anybody asks. */
static void remove_end(struct site_pool *pool, const struct gap *gap)
{
	size_t at;

	if (gap->until == INT64_MAX)
		return;
	at = ended_before(pool, gap->until);
	while (pool->ends[at].from != gap->from || pool->ends[at].procs != gap->procs)
		at++;
	memmove(&pool->ends[at], &pool->ends[at + 1],
		(--pool->end_count - at) * sizeof(*pool->ends));
}

/* A gap whose processors are these. */
static void open_gap(struct site_pool *pool, int64_t from, uint32_t procs,
		     const struct site_word *words, uint32_t count)
{
	struct gap gap = {.from = from,
			  .until = INT64_MAX,
			  .procs = procs,
			  .count = count,
			  .first = pool->sets.count};

	site_words_append(&pool->sets, words, count);
	add_gap(pool, &gap);
}

/* By the expected ends of those that run. */
void site_pool_plan_open(struct site_replay *replay)
{
	const struct machine *machine = &replay->machine;
	struct site_pool *pool = replay->pool;

	pool->changes.count = pool->gap_count = pool->end_count = 0;
	pool->sets.count = 0;
	if (machine->free) {
		pool_choose(pool, pool->idle, machine->free);
		open_gap(pool, replay->now, machine->free, pool->chosen.words, pool->chosen.count);
	}
	for (size_t i = 0; i < machine->count; i++) {
		const struct site_words *procs = &replay->run_of[machine->runs[i].job]->procs;

		open_gap(pool, machine->runs[i].expected, machine->runs[i].procs, procs->words,
			 procs->count);
	}
}

/* ---- when a job could begin ---- */

bool site_pool_fits_now(const struct site_replay *replay, uint32_t job)
{
	const struct maui_replay_job *record = &replay->trace->jobs[job];
	const struct site_pool *pool = replay->pool;
	uint32_t found = 0;

	if (record->procs > replay->machine.free)
		return false;
	for (size_t i = 0; i < pool->gap_count && pool->gaps[i].from <= replay->now; i++)
		if (pool->gaps[i].until > replay->now + record->estimate)
			found += pool->gaps[i].procs;
	return found >= record->procs;
}

/* In Slurm a plan is also in the way if it begins in the second in which the job would end. */
static int64_t find_time(const struct site_pool *pool, uint32_t procs, int64_t length)
{
	size_t ended = 0;
	int64_t found = 0;

	for (size_t at = 0; at < pool->gap_count; at++) {
		const struct gap *gap = &pool->gaps[at];

		if (gap->until > gap->from + length)
			found += gap->procs;
		if (found < procs || (at + 1 < pool->gap_count && gap[1].from == gap->from))
			continue;
		for (; ended < pool->end_count && pool->ends[ended].until <= gap->from + length;
		     ended++)
			if (pool->ends[ended].until > pool->ends[ended].from + length)
				found -= pool->ends[ended].procs;
		if (found >= procs)
			return gap->from;
	}
	return INT64_MAX;
}

int64_t site_pool_earliest(struct site_replay *replay, uint32_t job)
{
	const struct maui_replay_job *record = &replay->trace->jobs[job];
	struct site_pool *pool = replay->pool;
	int64_t begin = find_time(pool, record->procs, record->estimate);

	if (begin > replay->now + replay->site->parameters.window)
		return INT64_MAX;
	memset(pool->wanted, 0, pool->words * sizeof(*pool->wanted));
	for (size_t i = 0; i < pool->gap_count && pool->gaps[i].from <= begin; i++)
		if (pool->gaps[i].until > begin + record->estimate)
			site_words_put(pool->wanted, &pool->sets.words[pool->gaps[i].first],
				       pool->gaps[i].count);
	pool_choose(pool, pool->wanted, record->procs);
	return begin;
}

/* ---- the plan ---- */

/* How many of a gap's processors are wanted. */
static uint32_t wanted_of(const struct site_pool *pool, const struct gap *gap)
{
	uint32_t found = 0;

	for (size_t i = gap->first; i < gap->first + gap->count; i++) {
		const struct site_word *word = &pool->sets.words[i];

		if (pool->wanted[word->at] & word->bits)
			found += pool_ones(pool->wanted[word->at] & word->bits);
	}
	return found;
}

/* The gap with those of its processors that are wanted, or are not. */
static struct gap pool_pick(struct site_pool *pool, const struct gap *from, bool wanted)
{
	struct gap gap = *from;

	gap.first = pool->sets.count;
	gap.count = site_words_pick(&pool->sets, from->first, from->count, pool->wanted, wanted);
	return gap;
}

/* Unless it is too short for any job. */
static void add_piece(struct site_pool *pool, struct gap piece)
{
	if (!piece.procs || piece.until <= piece.from + pool->shortest)
		return;
	pool->pieces = maui_grow(pool->pieces, pool->piece_count + 1, &pool->piece_room,
				 sizeof(*pool->pieces));
	pool->pieces[pool->piece_count++] = piece;
}

/* What is left of a gap before, beside and behind so many wanted ones. */
static void pool_divide(struct site_pool *pool, const struct gap *gap, uint32_t wanted,
			int64_t begin, int64_t end)
{
	struct gap before, beside = {0}, behind;

	if (wanted < gap->procs)
		beside = pool_pick(pool, gap, false);
	before = pool_pick(pool, gap, true);
	beside.procs = gap->procs - wanted;
	before.procs = wanted;
	behind = before;
	before.until = begin;
	behind.from = end;
	add_piece(pool, before);
	add_piece(pool, beside);
	add_piece(pool, behind);
}

/* A job of that length that could begin at a start has the chosen ones, which it keeps from a time
 * on. */
static void pool_keep(struct site_pool *pool, const struct maui_replay_job *job, int64_t start,
		      int64_t begin, int64_t end)
{
	uint32_t left = job->procs;
	size_t kept, at;

	pool->piece_count = 0;
	memset(pool->wanted, 0, pool->words * sizeof(*pool->wanted));
	site_words_put(pool->wanted, pool->chosen.words, pool->chosen.count);
	for (kept = at = 0; left; at++) {
		struct gap gap = pool->gaps[at];
		uint32_t wanted = gap.until > start + job->estimate ? wanted_of(pool, &gap) : 0;

		left -= wanted;
		if (wanted) {
			remove_end(pool, &gap);
			pool_divide(pool, &gap, wanted, begin, end);
		} else {
			pool->gaps[kept++] = gap;
		}
	}
	memmove(&pool->gaps[kept], &pool->gaps[at], (pool->gap_count - at) * sizeof(*pool->gaps));
	pool->gap_count -= at - kept;
	for (size_t i = 0; i < pool->piece_count; i++)
		add_gap(pool, &pool->pieces[i]);
}

size_t site_pool_reserve(struct site_replay *replay, uint32_t job, int64_t start, int64_t begin,
			 int64_t end)
{
	struct site_pool *pool = replay->pool;
	bool first = begin > replay->now && site_times_add(&pool->changes, begin);
	bool last = site_times_add(&pool->changes, end);

	pool_keep(pool, &replay->trace->jobs[job], start, begin, end);
	return (size_t)first + last;
}

void site_pool_began(struct site_replay *replay, uint32_t job)
{
	const struct maui_replay_job *record = &replay->trace->jobs[job];

	pool_keep(replay->pool, record, replay->now, replay->now, replay->now + record->estimate);
}

/* ---- all of it ---- */

void site_pool_open(struct site_replay *replay)
{
	uint32_t procs = replay->machine.procs;
	struct site_pool *pool;

	if (replay->nodes)
		return;
	pool = replay->pool = maui_calloc(1, sizeof(*pool));
	pool->words = maui_replay_words(procs);
	pool->idle = maui_calloc(pool->words + 1, sizeof(*pool->idle));
	pool->wanted = maui_calloc(pool->words + 1, sizeof(*pool->wanted));
	pool->chosen.words = maui_calloc(pool->words + 1, sizeof(*pool->chosen.words));
	for (uint32_t i = 0; i < procs; i++)
		maui_replay_put(pool->idle, i);
	pool->shortest = maui_replay_shortest(replay->trace);
}

void site_pool_clear(struct site_replay *replay)
{
	struct site_pool *pool = replay->pool;

	for (struct site_running *run = replay->runs; run; run = run->next)
		free(run->procs.words);
	for (struct site_running *run = replay->free_runs; run; run = run->next)
		free(run->procs.words);
	if (!pool)
		return;
	free(pool->idle);
	free(pool->wanted);
	free(pool->chosen.words);
	site_times_clear(&pool->changes);
	free(pool->gaps);
	free(pool->ends);
	free(pool->pieces);
	free(pool->sets.words);
	free(pool);
}
