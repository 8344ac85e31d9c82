/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Slurm's backfill, on one pool of processors (site_pool.c) or on nodes (site_plan.c): in the order
 * of priorities each job begins now if it delays none that is ahead of it, or else gets a
 * reservation at the earliest time that bf_window reaches. Reservations begin and end at multiples
 * of bf_resolution, which are rounded down.
 */
#include "common/replay/site/site_backfill.h"

#include <errno.h>

#include "common/replay/placing/site_plan.h"
#include "common/replay/placing/site_pool.h"
#include "common/replay/queue/site_order.h"
#include "common/replay/queue/site_stock.h"
#include "common/replay/site/site_queue.h"

static int64_t backfill_max(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static int64_t backfill_rounded(const struct site_replay *replay, int64_t time)
{
	return time - time % replay->site->parameters.resolution;
}

static bool fits_now(struct site_replay *replay, uint32_t job)
{
	return replay->nodes ? site_plan_fits_now(replay, job) : site_pool_fits_now(replay, job);
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

static void plan_open(struct site_replay *replay)
{
	if (replay->nodes)
		site_plan_open(replay);
	else
		site_pool_plan_open(replay);
}

/* Returns how many rows of the table it takes. */
static size_t backfill_reserve(struct site_replay *replay, uint32_t job, int64_t start)
{
	int64_t begin = backfill_rounded(replay, start);
	int64_t end =
		backfill_max(backfill_rounded(replay, start + replay->trace->jobs[job].estimate),
			     begin + replay->site->parameters.resolution);

	return replay->nodes ? site_plan_reserve(replay, begin, end)
			     : site_pool_reserve(replay, job, start, begin, end);
}

/* ahead: somebody before it still waits. Returns how many rows a reservation took, or a negative
 * errno. */
static int look_at(struct site_replay *replay, size_t at, bool ahead)
{
	uint32_t job = site_key_job(replay->order[at]);
	int64_t begin;
	int rc;

	if (site_stock_refuses(replay, job))
		return 0;
	begin = replay->nodes ? site_plan_earliest(replay, job) : site_pool_earliest(replay, job);
	replay->counts->tried++;
	if (begin <= replay->now) {
		if (!site_may_start(replay, job))
			return 0;
		rc = site_start(replay, at, ahead);
		if (!rc && !replay->nodes)
			site_pool_began(replay, job);
		return rc;
	}
	if (begin == INT64_MAX ||
	    site_key_rank(replay->order[at]) < replay->site->parameters.min_prio_reserve)
		return 0;
	return (int)backfill_reserve(replay, job, begin);
}

int site_backfill(struct site_replay *replay)
{
	const struct maui_replay_parameters *parameters = &replay->site->parameters;
	size_t end, table = 1;
	bool ahead = false;

	replay->dirty = false;
	replay->counts->backfill++;
	plan_open(replay);
	site_order_reach(replay, parameters->max_job_test);
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
	site_order_seen(replay);
	return 0;
}
