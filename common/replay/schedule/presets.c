/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Replays a trace on one pool of processors under FCFS, EASY or SJBF, event by
 * event, and stores each job's start in the schedule.
 */
#include "common/replay/schedule/schedule.h"

#include <stdlib.h>

#include "common/replay/schedule/machine.h"
#include "common/util/keysort.h"
#include "common/util/memory.h"

#define NONE UINT32_MAX

struct replay {
	const struct maui_replay_trace *trace;
	struct maui_replay_schedule *schedule;
	enum maui_replay_preset preset;
	bool perfect;
	struct machine machine;
	/* The queue, in the order of submission. */
	uint32_t *next, *previous;
	uint32_t first, last;
	size_t waiting;
	struct maui_keysort_entry *order, *scratch; /* for SJBF */
};

void maui_replay_schedule_open(struct maui_replay_schedule *schedule, size_t count)
{
	*schedule = (struct maui_replay_schedule){.count = count};
	schedule->started = maui_calloc(count + 1, sizeof(*schedule->started));
	schedule->backfilled = maui_calloc(count + 1, sizeof(*schedule->backfilled));
	for (size_t i = 0; i < count; i++)
		schedule->started[i] = MAUI_REPLAY_UNKNOWN;
}

void maui_replay_schedule_clear(struct maui_replay_schedule *schedule)
{
	free(schedule->started);
	free(schedule->backfilled);
	maui_replay_held_clear(&schedule->held);
	maui_replay_reservations_clear(&schedule->reservations);
	free(schedule->first_share);
	free(schedule->share_count);
	free(schedule->shares);
	*schedule = (struct maui_replay_schedule){0};
}

/* ---- the queue ---- */

static void queue_add(struct replay *replay, uint32_t job)
{
	replay->next[job] = NONE;
	replay->previous[job] = replay->last;
	if (replay->last == NONE)
		replay->first = job;
	else
		replay->next[replay->last] = job;
	replay->last = job;
	replay->waiting++;
}

static void queue_remove(struct replay *replay, uint32_t job)
{
	uint32_t next = replay->next[job], previous = replay->previous[job];

	if (previous == NONE)
		replay->first = next;
	else
		replay->next[previous] = next;
	if (next == NONE)
		replay->last = previous;
	else
		replay->previous[next] = previous;
	replay->waiting--;
}

/* ---- a pass ---- */

static int64_t presets_estimate(const struct replay *replay, uint32_t job)
{
	const struct maui_replay_job *record = &replay->trace->jobs[job];

	return replay->perfect ? record->run : record->estimate;
}

static void presets_start(struct replay *replay, uint32_t job, int64_t now, bool backfilled)
{
	const struct maui_replay_job *record = &replay->trace->jobs[job];

	queue_remove(replay, job);
	replay->schedule->started[job] = now;
	replay->schedule->backfilled[job] = backfilled;
	machine_start(&replay->machine, job, record->procs, now + presets_estimate(replay, job),
		      now + record->run);
}

/* What the first of the queue leaves to the others. */
struct shadow {
	int64_t now, when; /* when it can begin */
	uint32_t available, left;
};

static void try_backfill(struct replay *replay, struct shadow *shadow, uint32_t job)
{
	uint32_t procs = replay->trace->jobs[job].procs;
	bool longer = shadow->now + presets_estimate(replay, job) > shadow->when;

	if (procs > shadow->available || (longer && procs > shadow->left))
		return;
	shadow->available -= procs;
	if (longer)
		shadow->left -= procs;
	presets_start(replay, job, shadow->now, true);
}

static void backfill_in_order(struct replay *replay, struct shadow *shadow)
{
	for (uint32_t job = replay->next[replay->first], next; job != NONE && shadow->available;
	     job = next) {
		next = replay->next[job];
		try_backfill(replay, shadow, job);
	}
}

static void backfill_shortest(struct replay *replay, struct shadow *shadow)
{
	size_t count = 0;

	for (uint32_t job = replay->next[replay->first]; job != NONE; job = replay->next[job])
		replay->order[count++] = (struct maui_keysort_entry){
			.key = (uint64_t)presets_estimate(replay, job), .index = job};
	maui_keysort(replay->order, replay->scratch, count);
	for (size_t i = 0; i < count && shadow->available; i++)
		try_backfill(replay, shadow, replay->order[i].index);
}

static void presets_pass(struct replay *replay, int64_t now)
{
	struct shadow shadow = {.now = now, .available = machine_free_at(&replay->machine, now)};

	while (replay->first != NONE &&
	       replay->trace->jobs[replay->first].procs <= shadow.available) {
		shadow.available -= replay->trace->jobs[replay->first].procs;
		presets_start(replay, replay->first, now, false);
	}
	if (replay->preset == MAUI_REPLAY_FCFS || replay->waiting < 2 || !shadow.available)
		return;
	shadow.when = machine_shadow(&replay->machine, now,
				     replay->trace->jobs[replay->first].procs, &shadow.left);
	if (replay->preset == MAUI_REPLAY_SJBF)
		backfill_shortest(replay, &shadow);
	else
		backfill_in_order(replay, &shadow);
}

/* ---- events ---- */

static void presets_submit(struct replay *replay, uint32_t job)
{
	int64_t now = replay->trace->jobs[job].submitted;

	queue_add(replay, job);
	if (machine_free_at(&replay->machine, now) >= replay->trace->jobs[job].procs)
		presets_pass(replay, now);
}

static void presets_finish(struct replay *replay)
{
	int64_t now = machine_next_end(&replay->machine);
	uint32_t job = machine_finishing(&replay->machine);

	machine_finish(&replay->machine,
		       replay->schedule->started[job] + presets_estimate(replay, job));
	presets_pass(replay, now);
}

static void presets_run(struct replay *replay)
{
	size_t submitted = 0;

	while (submitted < replay->trace->count || replay->machine.count) {
		if (submitted < replay->trace->count &&
		    replay->trace->jobs[submitted].submitted <= machine_next_end(&replay->machine))
			presets_submit(replay, (uint32_t)submitted++);
		else
			presets_finish(replay);
	}
}

static void presets_open(struct replay *replay)
{
	size_t room = replay->trace->count + 1;

	replay->next = maui_calloc(room, sizeof(*replay->next));
	replay->previous = maui_calloc(room, sizeof(*replay->previous));
	if (replay->preset == MAUI_REPLAY_SJBF) {
		replay->order = maui_calloc(room, sizeof(*replay->order));
		replay->scratch = maui_calloc(room, sizeof(*replay->scratch));
	}
	maui_replay_schedule_open(replay->schedule, replay->trace->count);
}

void maui_replay_preset_run(const struct maui_replay_trace *trace, uint32_t procs,
			    enum maui_replay_preset preset, bool perfect,
			    struct maui_replay_schedule *ret_schedule)
{
	struct replay replay = {.trace = trace,
				.schedule = ret_schedule,
				.preset = preset,
				.perfect = perfect,
				.first = NONE,
				.last = NONE};

	*ret_schedule = (struct maui_replay_schedule){0};
	machine_open(&replay.machine, procs);
	presets_open(&replay);
	presets_run(&replay);
	machine_clear(&replay.machine);
	free(replay.next);
	free(replay.previous);
	free(replay.order);
	free(replay.scratch);
}
