/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/policy/priority/stored_priority.h"
#include "common/replay/site_private.h"
#include "common/util/arena.h"
#include "common/util/grow.h"

/* ---- the order ---- */

/* The highest priority first, then first come. */
uint64_t site_order_key(const struct site_waiting *waiting)
{
	return (uint64_t)(UINT32_MAX - waiting->rank) << 32 | waiting->job;
}

static size_t place_of(const struct site_replay *replay, uint64_t key)
{
	size_t low = 0, high = replay->order_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		uint32_t row = replay->row_of[replay->order[middle]];

		if (site_order_key(&replay->waiting[row]) < key)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static int enter_order(struct site_replay *replay, const struct site_waiting *waiting)
{
	uint32_t *order = maui_grow(replay->order, replay->order_count + 1, &replay->order_room,
				    sizeof(*order));
	size_t at;

	if (!order)
		return -ENOMEM;
	replay->order = order;
	at = place_of(replay, site_order_key(waiting));
	memmove(&order[at + 1], &order[at], (replay->order_count - at) * sizeof(*order));
	order[at] = waiting->job;
	replay->order_count++;
	return 0;
}

void site_order_close_up(struct site_replay *replay)
{
	size_t kept = 0;

	for (size_t i = 0; i < replay->order_count; i++)
		if (replay->order[i] != NO_JOB)
			replay->order[kept++] = replay->order[i];
	replay->order_count = kept;
}

/* ---- a job comes ---- */

static void fill_request(const struct site_replay *replay, const struct maui_replay_job *record,
			 struct maui_priority_job *ret_job)
{
	struct maui_priority_job job = {
		.queued_since = record->submitted,
		.walltime = (double)record->estimate,
		.nodes = record->nodes,
		.procs = record->procs,
		.memory = (double)record->memory,
		.pe = record->procs, /* a pool of processors has nothing else */
	};

	for (int type = 0; type < MAUI_CREDENTIALS; type++)
		job.credential[type] = replay->id[type][record->credential[type]];
	if (!job.credential[MAUI_QOS])
		job.credential[MAUI_QOS] = maui_qos_default(replay->qos, job.credential);
	job.weights = maui_names_weights(replay->names, job.credential[MAUI_CLASS]);
	*ret_job = job;
}

/* Its priority on arrival, which an iteration replaces. */
static void rank_new(struct site_replay *replay, size_t row)
{
	const struct maui_policy *policy = replay->site->policy;
	struct maui_snapshot *snapshot = replay->snapshot;
	struct maui_priority_tables tables = maui_names_tables(replay->names);
	struct maui_priority_result *result = &snapshot->results[row];

	maui_priority_evaluate_all(policy->priority, &tables, &snapshot->jobs[row], 1, replay->now,
				   result);
	snapshot->rows[row].priority =
		maui_stored_priority(result, policy->base, 0, 0, site_floor(replay));
	snapshot->rows[row].state = result->rejected ? MAUI_ROW_REJECTED : MAUI_ROW_IDLE;
	replay->waiting[row].rank = snapshot->rows[row].priority;
}

int site_submit(struct site_replay *replay, uint32_t job)
{
	const struct maui_replay_job *record = &replay->trace->jobs[job];
	struct site_waiting *waiting = maui_grow(replay->waiting, replay->snapshot->count + 1,
						 &replay->waiting_room, sizeof(*waiting));
	ptrdiff_t row;

	if (!waiting)
		return -ENOMEM;
	replay->waiting = waiting;
	row = maui_snapshot_add(replay->snapshot);
	if (row < 0)
		return -ENOMEM;
	fill_request(replay, record, &replay->snapshot->jobs[row]);
	replay->snapshot->rows[row] =
		(struct maui_snapshot_row){.job_id = job + 1,
					   .array_task_id = MAUI_NO_TASK,
					   .parts = 1,
					   .submitted = record->submitted,
					   .eligible_since = record->submitted};
	waiting[row] = (struct site_waiting){.job = job};
	replay->row_of[job] = (uint32_t)row;
	rank_new(replay, (size_t)row);
	replay->changed = replay->dirty = true;
	if (replay->snapshot->count > replay->counts->most_waiting)
		replay->counts->most_waiting = (uint32_t)replay->snapshot->count;
	if (replay->snapshot->results[row].rejected) {
		replay->rejected++;
		return 0;
	}
	return enter_order(replay, &waiting[row]);
}

/* ---- whether it may start: as the engine judges a start ---- */

static bool over_limit(struct site_replay *replay, const struct site_waiting *waiting,
		       const struct maui_limit_job *request)
{
	unsigned int modes = waiting->judged ? MAUI_LIMIT_START_ONLY : MAUI_LIMIT_ALL_MODES;

	if (!replay->usage)
		return false;
	if (maui_limits_check(replay->limits, replay->usage, request, MAUI_LIMIT_HARD, modes, NULL))
		return true;
	return waiting->standing != MAUI_STANDING_SECOND && maui_limits_soft(replay->limits) &&
	       maui_limits_check(replay->limits, replay->usage, request, MAUI_LIMIT_SOFT,
				 MAUI_LIMIT_START_ONLY, NULL);
}

static bool over_cap(struct site_replay *replay, const struct maui_limit_job *request)
{
	struct maui_priority_tables tables = maui_names_tables(replay->names);
	double wanted;

	if (!replay->windows)
		return false;
	wanted = maui_fairshare_request(maui_fairshare_settings_of(replay->windows)->metric,
					(double)request->procs, (double)request->walltime,
					(double)request->pe);
	return maui_fairshare_cap(replay->windows, &tables, request->credential, wanted, NULL);
}

bool site_may_start(struct site_replay *replay, size_t row)
{
	struct site_waiting *waiting = &replay->waiting[row];
	struct maui_limit_job request;

	if (!replay->usage && !replay->windows && !replay->qos)
		return true;
	request = maui_limit_job_of(&replay->snapshot->jobs[row]);
	if (maui_qos_allowed(replay->qos, request.credential, request.credential[MAUI_QOS], NULL) &&
	    !over_limit(replay, waiting, &request) && !over_cap(replay, &request))
		return true;
	replay->counts->held += !waiting->held;
	waiting->held = true;
	return false;
}

/* ---- it starts ---- */

static struct site_running *take_run(struct site_replay *replay)
{
	struct site_running *run = replay->free_runs;

	if (run)
		replay->free_runs = run->next;
	else
		run = maui_arena_alloc(replay->run_arena, 1, sizeof(*run));
	return run;
}

static void link_run(struct site_replay *replay, struct site_running *run)
{
	run->previous = NULL;
	run->next = replay->runs;
	if (replay->runs)
		replay->runs->previous = run;
	replay->runs = run;
}

static int begin_run(struct site_replay *replay, uint32_t job, size_t row)
{
	const struct maui_priority_job *asked = &replay->snapshot->jobs[row];
	struct maui_limit_job request = maui_limit_job_of(asked);
	struct site_running *run = take_run(replay);
	int rc = 0;

	if (!run)
		return -ENOMEM;
	memset(&run->holding, 0, sizeof(run->holding));
	memcpy(run->credential, asked->credential, sizeof(run->credential));
	run->rate = asked->procs;
	run->began = replay->now;
	link_run(replay, run);
	replay->run_of[job] = run;
	if (replay->usage)
		rc = maui_limit_usage_add(replay->usage, &run->holding, &request,
					  replay->now + replay->trace->jobs[job].estimate);
	return rc;
}

/* The last row moves into the gap. */
static void remove_row(struct site_replay *replay, size_t row)
{
	struct maui_snapshot *snapshot = replay->snapshot;
	size_t last = --snapshot->count;

	if (row == last)
		return;
	snapshot->jobs[row] = snapshot->jobs[last];
	snapshot->results[row] = snapshot->results[last];
	snapshot->rows[row] = snapshot->rows[last];
	replay->waiting[row] = replay->waiting[last];
	replay->row_of[replay->waiting[row].job] = (uint32_t)row;
}

/* Whoever is ahead and may start has been passed. */
static void count_bypass(struct site_replay *replay, size_t at)
{
	for (size_t i = 0; i < at; i++)
		if (replay->order[i] != NO_JOB)
			replay->waiting[replay->row_of[replay->order[i]]].bypass++;
}

int site_start(struct site_replay *replay, size_t at, bool backfilled)
{
	uint32_t job = replay->order[at];
	const struct maui_replay_job *record = &replay->trace->jobs[job];
	int rc = begin_run(replay, job, replay->row_of[job]);

	if (rc)
		return rc;
	remove_row(replay, replay->row_of[job]);
	replay->order[at] = NO_JOB;
	replay->schedule->started[job] = replay->now;
	replay->schedule->backfilled[job] = backfilled;
	replay->moved = replay->changed = true;
	if (backfilled)
		count_bypass(replay, at);
	return machine_start(&replay->machine, job, record->procs, replay->now + record->estimate,
			     replay->now + record->run);
}

/* ---- it ends ---- */

static void charge(struct site_replay *replay, const struct site_running *run)
{
	int64_t from = run->began > replay->charged ? run->began : replay->charged;

	maui_fairshare_charge(replay->windows, run->credential, run->rate, from, replay->now);
}

void site_charge(struct site_replay *replay)
{
	if (!replay->windows)
		return;
	maui_fairshare_advance(replay->windows, replay->now);
	for (const struct site_running *run = replay->runs; run; run = run->next)
		charge(replay, run);
	replay->charged = replay->now;
}

void site_finish(struct site_replay *replay)
{
	uint32_t job = machine_finishing(&replay->machine);
	struct site_running *run = replay->run_of[job];

	machine_finish(&replay->machine, run->began + replay->trace->jobs[job].estimate);
	if (replay->windows) {
		maui_fairshare_advance(replay->windows, replay->now);
		charge(replay, run);
	}
	if (replay->usage)
		maui_limit_usage_take(replay->usage, &run->holding);
	if (run->previous)
		run->previous->next = run->next;
	else
		replay->runs = run->next;
	if (run->next)
		run->next->previous = run->previous;
	run->next = replay->free_runs;
	replay->free_runs = run;
	replay->run_of[job] = NULL;
	replay->moved = replay->changed = true;
	replay->dirty = true;
}
