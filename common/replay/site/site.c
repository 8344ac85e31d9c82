/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The event loop of a replay: submissions, ends, outages and reservations, then
 * an iteration and a pass of the main scheduler or backfill.
 */
#include "common/replay/site/site.h"

#include <errno.h>
#include <stdlib.h>

#include "common/replay/placing/site_nodes.h"
#include "common/replay/placing/site_pool.h"
#include "common/replay/queue/site_held.h"
#include "common/replay/queue/site_kinds.h"
#include "common/replay/queue/site_order.h"
#include "common/replay/queue/site_policy.h"
#include "common/replay/queue/site_stock.h"
#include "common/replay/reservations/site_barred.h"
#include "common/replay/reservations/site_reserved.h"
#include "common/replay/reservations/site_rsv.h"
#include "common/replay/site/site_backfill.h"
#include "common/replay/site/site_iteration.h"
#include "common/replay/site/site_queue.h"
#include "common/replay/state/site_nodes_record.h"
#include "common/util/arena.h"
#include "common/util/memory.h"

#define MAX_PATIENCE (INT64_C(31) * 24 * 3600)

/* ---- Slurm's main scheduler ---- */

static bool site_fits(struct site_replay *replay, uint32_t job)
{
	return replay->nodes ? site_nodes_fit(replay, job)
			     : site_pool_fit(replay, replay->trace->jobs[job].procs);
}

/* One that does not fit closes its partition. Returns whether that is all there is: on a pool of
 * processors all partitions are the same. */
static bool close_partition(struct site_replay *replay, uint64_t key)
{
	return site_key_rank(key) >= replay->site->parameters.main_reserve &&
	       (!replay->nodes || site_nodes_close(replay->nodes, site_key_job(key)));
}

/* In the order of priorities, until nothing is left, over depth + 1 jobs. One that a limit or cap
 * holds back holds up nobody. */
static int main_pass(struct site_replay *replay, uint32_t depth)
{
	uint32_t tested = 0;
	int rc = 0;

	replay->counts->main++;
	if (replay->nodes)
		site_nodes_begin_pass(replay->nodes);
	for (size_t i = 0; !rc && tested <= depth; i++, tested++) {
		uint32_t job;

		site_order_reach(replay, i + 1);
		if (i >= replay->order_count)
			break;
		job = site_key_job(replay->order[i]);
		if (!site_may_start(replay, job))
			continue;
		if (site_fits(replay, job))
			rc = site_start(replay, i, false);
		else if (close_partition(replay, replay->order[i]))
			break;
	}
	site_order_close_up(replay);
	return rc;
}

/* ---- events ---- */

static int64_t site_min(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static int64_t next_submission(const struct site_replay *replay, size_t submitted)
{
	const struct maui_replay_trace *trace = replay->trace;

	if (submitted == trace->count)
		return INT64_MAX;
	return trace->jobs[submitted].submitted < trace->begin ? trace->begin
							       : trace->jobs[submitted].submitted;
}

static int64_t next_outage(const struct site_replay *replay)
{
	return replay->nodes ? replay->nodes->next_outage : INT64_MAX;
}

static void site_renew(struct site_replay *replay)
{
	replay->dirty = true;
	if (replay->rsv)
		site_barred_roll(replay);
	else
		site_barred_renew(replay);
}

static int site_arrivals(struct site_replay *replay, uint32_t job)
{
	site_stock_submitted(replay, job);
	if (replay->trace->jobs[job].running)
		return site_resume(replay, job);
	site_submit(replay, job);
	return 0;
}

/* Before anything else happens now. Who hears of priorities hears of those of each pass. */
static int make_stock_passes(struct site_replay *replay)
{
	int rc = 0;

	while (!rc && site_stock_pass(replay))
		if (replay->site->ranked && site_is_stock(replay))
			rc = site_iterate(replay);
	return rc;
}

/* All that happens in this second, and then the queue is looked at. */
static int site_events(struct site_replay *replay, size_t *submitted)
{
	int rc = make_stock_passes(replay);

	if (replay->usage)
		maui_limit_usage_advance(replay->usage, replay->now);
	while (machine_next_end(&replay->machine) == replay->now)
		site_finish(replay);
	while (!rc && next_submission(replay, *submitted) == replay->now)
		rc = site_arrivals(replay, (uint32_t)(*submitted)++);
	if (!rc && site_min(site_rsv_next(replay), next_outage(replay)) <= replay->now)
		site_renew(replay);
	if (!rc)
		rc = site_policy_renew(replay);
	if (!rc)
		rc = site_iterate(replay);
	return rc ? rc : main_pass(replay, replay->site->parameters.queue_depth);
}

/* With backfill off the main scheduler alone looks at the whole queue. */
static int pass_over_all(struct site_replay *replay)
{
	int rc;

	replay->dirty = false;
	rc = main_pass(replay, UINT32_MAX);
	if (!rc)
		site_order_seen(replay);
	return rc;
}

/*
 * Backfill's turn. While nothing has happened and the order of the queue stays, it would find what
 * it found before, and where nobody fits it finds nothing.
 */
static int take_turn(struct site_replay *replay)
{
	bool may_drift = replay->rejected || (replay->drifts && replay->eligible < replay->waiting);
	int rc = make_stock_passes(replay);

	if (rc)
		return rc;
	if (!may_drift &&
	    (site_least(replay) > replay->machine.free || (!replay->dirty && replay->eligible < 2)))
		return 0;
	if (replay->usage)
		maui_limit_usage_advance(replay->usage, replay->now);
	rc = site_iterate(replay);
	if (rc || site_least(replay) > replay->machine.free)
		return rc;
	if (!replay->dirty && !site_order_differs(replay))
		return 0;
	return replay->site->parameters.backfill_off ? pass_over_all(replay)
						     : site_backfill(replay);
}

/* Whether it is too late for anything to happen once nothing runs and nobody comes: caps end as
 * windows roll, and priorities change. */
static bool waits_in_vain(const struct site_replay *replay, int64_t quiet_since)
{
	/* What a reservation keeps may be needed until it has rolled for the next week. */
	int64_t patience = replay->rsv ? INT64_C(14) * 24 * 3600 : 0;

	if (replay->stock)
		patience += maui_stock_run_patience(replay->stock);
	/* Each period has come within that time. */
	if (maui_limits_until(replay->limits) != MAUI_LIMITS_ALWAYS)
		patience += INT64_C(8) * 24 * 3600;

	if (replay->windows) {
		const struct maui_fairshare_settings *settings =
			maui_fairshare_settings_of(replay->windows);

		patience += site_min(settings->interval, MAX_PATIENCE) * (settings->depth + 1);
	}
	return replay->now > quiet_since + patience + replay->site->policy->interval +
				     INT64_C(2) * replay->site->parameters.interval;
}

static void tell_progress(const struct site_replay *replay, size_t submitted, size_t *told)
{
	if (!replay->site->progress || submitted < *told + replay->trace->count / 100 + 1)
		return;
	*told = submitted;
	replay->site->progress(replay->site->context, submitted);
}

/* When limits change; it matters only to those who wait. */
static int64_t next_period(const struct site_replay *replay)
{
	return replay->waiting ? maui_limits_until(replay->limits) : INT64_MAX;
}

static int site_run(struct site_replay *replay)
{
	int64_t turn = replay->now, quiet_since = replay->now;
	size_t submitted = 0, told = 0;
	int rc = 0;

	while (!rc &&
	       (submitted < replay->trace->count || replay->machine.count || replay->waiting)) {
		int64_t job_event = site_min(next_submission(replay, submitted),
					     machine_next_end(&replay->machine));
		int64_t outage = next_outage(replay);
		int64_t event = site_min(site_min(job_event, outage),
					 site_min(site_rsv_next(replay), next_period(replay)));

		if (event <= turn || !replay->waiting) {
			replay->now = event;
			rc = site_events(replay, &submitted);
			site_reserved_wait(replay);
			if (!rc && submitted == replay->trace->count && !replay->machine.count)
				site_reserved_quiet(replay);
			tell_progress(replay, submitted, &told);
			if (event == job_event || event == outage)
				quiet_since = replay->now;
			if (turn < replay->now)
				turn += (replay->now - turn + replay->site->parameters.interval -
					 1) /
					replay->site->parameters.interval *
					replay->site->parameters.interval;
			continue;
		}
		replay->now = turn;
		turn += replay->site->parameters.interval;
		rc = take_turn(replay);
		site_reserved_wait(replay);
		if (job_event == INT64_MAX && outage == INT64_MAX &&
		    waits_in_vain(replay, quiet_since))
			break;
	}
	return rc;
}

/* ---- all of it ---- */

static void site_open(struct site_replay *replay)
{
	size_t room = replay->trace->count + 1;

	maui_replay_schedule_open(replay->schedule, replay->trace->count);
	replay->run_of = maui_calloc(room, sizeof(*replay->run_of));
	replay->run_arena = maui_arena_new();
	replay->snapshot = maui_snapshot_new(replay->site->policy, 0);
	site_held_open(replay);
	site_stock_open(replay);
	site_kinds_open(replay);
	site_nodes_open(replay);
	site_pool_open(replay);
	site_rsv_open(replay);
	site_reserved_open(replay);
	if (replay->nodes)
		site_renew(replay);
}

static void site_clear(struct site_replay *replay)
{
	machine_clear(&replay->machine);
	site_reserved_clear(replay);
	site_rsv_clear(replay);
	site_nodes_clear(replay);
	site_pool_clear(replay);
	if (replay->snapshot)
		replay->snapshot->names = (struct maui_frozen_names){0}; /* not its own */
	maui_snapshot_unref(replay->snapshot);
	site_kinds_clear(replay);
	free(replay->order);
	free(replay->candidates);
	free(replay->seen);
	free(replay->run_of);
	site_held_clear(replay);
	site_stock_clear(replay);
	site_policy_clear(replay);
	maui_arena_free(replay->run_arena); /* after the usage, which holds what is in it */
}

int maui_replay_site_run(const struct maui_replay_trace *trace, const struct maui_replay_site *site,
			 struct maui_replay_schedule *ret_schedule,
			 struct maui_replay_counts *ret_counts, struct maui_error *error)
{
	struct site_replay replay = {.trace = trace,
				     .site = site,
				     .schedule = ret_schedule,
				     .counts = ret_counts,
				     .error = error,
				     .iterated = INT64_MIN / 2};
	int rc;

	*ret_schedule = (struct maui_replay_schedule){0};
	*ret_counts = (struct maui_replay_counts){0};
	replay.now = trace->count ? next_submission(&replay, 0) : 0;
	replay.charged = replay.now;
	machine_open(&replay.machine, site->procs);
	rc = site_policy_open(&replay);
	if (!rc) {
		site_open(&replay);
		rc = site_run(&replay);
	}
	if (!rc) {
		site_held_finish(&replay);
		site_reserved_finish(&replay);
	}
	site_clear(&replay);
	if (rc == -ERANGE)
		maui_error_set(error, ERANGE, "a job cannot be counted");
	return rc;
}
