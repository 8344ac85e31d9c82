/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Slurm's backfill, on one pool of processors or on nodes (site_plan.c): in the order of priorities
 * each job begins now if it delays none that is ahead of it, or else gets a reservation at the
 * earliest time that bf_window reaches. Reservations begin and end at multiples of bf_resolution,
 * which are rounded down.
 */
#include <errno.h>
#include <string.h>

#include "common/replay/site_nodes.h"
#include "common/util/grow.h"

static int64_t max(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static int64_t rounded(const struct site_replay *replay, int64_t time)
{
	return time - time % replay->site->parameters.resolution;
}

/* ---- what is free when, by the plan ---- */

static int slots_reserve(struct site_replay *replay, size_t count)
{
	void *grown = maui_grow(replay->slots, count, &replay->slot_room, sizeof(*replay->slots));

	if (!grown)
		return -ENOMEM;
	replay->slots = grown;
	return 0;
}

/* By the expected ends of those that run. */
static int slots_open(struct site_replay *replay)
{
	const struct machine *machine = &replay->machine;
	struct site_slot *slot;

	if (slots_reserve(replay, machine->count + 2))
		return -ENOMEM;
	slot = replay->slots;
	*slot = (struct site_slot){replay->now, machine->free};
	for (size_t i = 0; i < machine->count; i++) {
		int64_t end = machine->runs[i].expected, available = slot->free;

		if (end > slot->time)
			*++slot = (struct site_slot){end, available};
		slot->free += machine->runs[i].procs;
	}
	replay->slot_count = (size_t)(slot - replay->slots) + 1;
	return 0;
}

/* The slot that begins at a time not before now, made if there is none. */
static size_t slot_at(struct site_replay *replay, int64_t time)
{
	struct site_slot *slots = replay->slots;
	size_t low = 0, high = replay->slot_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (slots[middle].time < time)
			low = middle + 1;
		else
			high = middle;
	}
	if (low < replay->slot_count && slots[low].time == time)
		return low;
	memmove(&slots[low + 1], &slots[low], (replay->slot_count - low) * sizeof(*slots));
	slots[low] = (struct site_slot){time, slots[low - 1].free};
	replay->slot_count++;
	return low;
}

/* Returns how many slots were made for it, or -ENOMEM. */
static int slots_take(struct site_replay *replay, int64_t begin, int64_t end, uint32_t procs)
{
	size_t before = replay->slot_count, first, last;

	if (slots_reserve(replay, before + 2))
		return -ENOMEM;
	first = slot_at(replay, max(begin, replay->now));
	last = slot_at(replay, end);
	for (size_t i = first; i < last; i++)
		replay->slots[i].free -= procs;
	return (int)(replay->slot_count - before);
}

/* The first slot behind one that has too few free before a job that begins with it would end; 0:
 * there is none. */
static size_t obstacle(const struct site_replay *replay, size_t at, uint32_t procs, int64_t length)
{
	const struct site_slot *slots = replay->slots;
	int64_t end = max(rounded(replay, slots[at].time + length), slots[at].time + 1);

	for (size_t i = at + 1; i < replay->slot_count && slots[i].time < end; i++)
		if (slots[i].free < procs)
			return i;
	return 0;
}

/* The earliest time from which on so many are free for so long. No job is larger than the
 * machine, so there is one. */
static int64_t earliest(const struct site_replay *replay, uint32_t procs, int64_t length)
{
	const struct site_slot *slots = replay->slots;
	size_t at = 0, next;

	for (;; at = next) {
		while (slots[at].free < procs)
			at++;
		next = obstacle(replay, at, procs, length);
		if (!next)
			return slots[at].time;
	}
}

static bool fits_now(struct site_replay *replay, uint32_t job)
{
	const struct maui_replay_job *record = &replay->trace->jobs[job];

	if (replay->nodes)
		return site_plan_fits_now(replay, job);
	return replay->slots[0].free >= record->procs &&
	       !obstacle(replay, 0, record->procs, record->estimate);
}

/* ---- a pass ---- */

/* Where it may end: nobody behind fits now, and as the plan only fills up, none of them will. What is
 * reserved for them changes nothing. */
static size_t last_that_fits(struct site_replay *replay, size_t end)
{
	while (end) {
		uint32_t job = site_key_job(replay->order[end - 1]);

		if (job != NO_JOB && fits_now(replay, job))
			break;
		end--;
	}
	return end;
}

static int plan_open(struct site_replay *replay)
{
	if (!replay->nodes)
		return slots_open(replay);
	site_plan_open(replay);
	return 0;
}

/* Returns how many rows of the table it takes, or -ENOMEM. */
static int reserve(struct site_replay *replay, int64_t begin, const struct maui_replay_job *record)
{
	int64_t from = rounded(replay, begin);
	int64_t end = max(rounded(replay, begin + record->estimate),
			  from + replay->site->parameters.resolution);

	return replay->nodes ? site_plan_reserve(replay, from, end)
			     : slots_take(replay, from, end, record->procs);
}

/* ahead: somebody before it still waits. Returns how many slots a reservation took, or a negative
 * errno. */
static int look_at(struct site_replay *replay, size_t at, bool ahead)
{
	const struct maui_replay_parameters *parameters = &replay->site->parameters;
	uint32_t job = site_key_job(replay->order[at]);
	const struct maui_replay_job *record = &replay->trace->jobs[job];
	int64_t begin = replay->nodes ? site_plan_earliest(replay, job)
				      : earliest(replay, record->procs, record->estimate);
	int rc;

	if (begin <= replay->now) {
		if (!site_may_start(replay, job))
			return 0;
		rc = site_start(replay, at, ahead);
		if (!rc && !replay->nodes)
			rc = slots_take(replay, replay->now, replay->now + record->estimate,
					record->procs);
		return rc < 0 ? rc : 0;
	}
	if (begin > replay->now + parameters->window ||
	    site_key_rank(replay->order[at]) < parameters->min_prio_reserve)
		return 0;
	return reserve(replay, begin, record);
}

int site_backfill(struct site_replay *replay)
{
	const struct maui_replay_parameters *parameters = &replay->site->parameters;
	size_t end, table = 1;
	bool ahead = false;

	replay->dirty = false;
	replay->counts->backfill++;
	if (plan_open(replay) || site_order_reach(replay, parameters->max_job_test))
		return -ENOMEM;
	end = replay->order_count;
	if (end > parameters->max_job_test)
		end = parameters->max_job_test;
	end = last_that_fits(replay, end);
	/* As in Slurm, the table of reservations has bf_max_job_test rows. */
	for (size_t i = 0; i < end && table < parameters->max_job_test; i++) {
		int made = look_at(replay, i, ahead);

		if (made < 0)
			return made;
		table += (size_t)made;
		ahead |= site_key_job(replay->order[i]) != NO_JOB;
		end = last_that_fits(replay, end);
	}
	site_order_close_up(replay);
	return site_order_seen(replay);
}
