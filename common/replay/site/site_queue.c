/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A job's submission, start and end in a replay: the order, the limits and caps
 * that hold it, and usage.
 */
#include "common/replay/site/site_queue.h"

#include <stdlib.h>
#include <string.h>

#include "common/policy/priority/stored_priority.h"
#include "common/replay/placing/site_choice.h"
#include "common/replay/placing/site_nodes.h"
#include "common/replay/placing/site_pool.h"
#include "common/replay/queue/site_charge.h"
#include "common/replay/queue/site_held.h"
#include "common/replay/queue/site_jobs.h"
#include "common/replay/queue/site_kinds.h"
#include "common/replay/queue/site_order.h"
#include "common/replay/queue/site_rules.h"
#include "common/replay/queue/site_stock.h"
#include "common/util/arena.h"
#include "common/util/grow.h"

/* ---- a job comes ---- */

static void add_newcomer(struct site_replay *replay, uint32_t job, bool rejected)
{
	replay->newcomers = maui_grow(replay->newcomers, replay->newcomer_count + 1,
				      &replay->newcomer_room, sizeof(*replay->newcomers));
	replay->kind_of[job] = NO_KIND;
	replay->before[job] = (uint32_t)replay->newcomer_count;
	replay->newcomers[replay->newcomer_count++] =
		(struct site_newcomer){.job = job, .rejected = rejected};
}

/* The priority that it has on arrival is replaced by an iteration. */
void site_submit(struct site_replay *replay, uint32_t job)
{
	const struct maui_replay_job *record = &replay->trace->jobs[job];
	struct maui_priority_job request;
	bool rejected;
	uint32_t rank;

	site_fill_request(replay, record, &request);
	site_complete_factors(replay);
	rank = site_rank(replay, job, &request, replay->now, &rejected);
	site_tell_rank(replay, job, replay->now, rank);
	add_newcomer(replay, job, rejected);
	replay->waiting++;
	replay->changed = replay->dirty = true;
	if (replay->waiting > replay->counts->most_waiting)
		replay->counts->most_waiting = (uint32_t)replay->waiting;
	if (rejected) {
		replay->rejected++;
		return;
	}
	replay->eligible++;
	if (replay->least > record->procs)
		replay->least = record->procs;
	site_order_enter(replay, site_key(rank, job));
}

/* ---- whether it may start: as the engine judges a start ---- */

static bool over_limit(struct site_replay *replay, uint32_t job,
		       const struct maui_limit_job *request, struct maui_refusal *ret_refusal)
{
	const struct site_kind *kind =
		replay->kind_of[job] != NO_KIND ? &replay->kinds[replay->kind_of[job]] : NULL;
	unsigned int modes = kind && kind->judged ? MAUI_LIMIT_START_ONLY : MAUI_LIMIT_ALL_MODES;

	if (!replay->usage)
		return false;
	ret_refusal->kind = MAUI_REFUSAL_LIMIT;
	if (maui_limits_check(replay->limits, replay->usage, request, MAUI_LIMIT_HARD, modes,
			      &ret_refusal->limit))
		return true;
	return (!kind || kind->standing != MAUI_STANDING_SECOND) &&
	       maui_limits_soft(replay->limits) &&
	       maui_limits_check(replay->limits, replay->usage, request, MAUI_LIMIT_SOFT,
				 MAUI_LIMIT_START_ONLY, &ret_refusal->limit);
}

bool site_may_start(struct site_replay *replay, uint32_t job)
{
	struct maui_priority_job asked;
	struct maui_limit_job request;
	struct maui_refusal refusal;

	if (site_stock_refuses(replay, job))
		return false;
	if (site_is_stock(replay))
		return true;
	if (!replay->usage && !replay->windows && !replay->qos)
		return true;
	site_request(replay, job, &asked);
	request = maui_limit_job_of(&asked);
	if (!site_off_list(replay, &request, &refusal) &&
	    !over_limit(replay, job, &request, &refusal) &&
	    !site_over_cap(replay, &request, &refusal))
		return true;
	replay->counts->held += !replay->held[job];
	replay->held[job] = true;
	if (replay->kind_of[job] == NO_KIND)
		site_held_set_newcomer(replay, &replay->newcomers[replay->before[job]], &refusal);
	else
		site_held_set(replay, &replay->kinds[replay->kind_of[job]], &refusal);
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

/* Limits on its credentials are to be looked at again. */
static void turn_over(struct site_replay *replay, const struct site_running *run)
{
	replay->turnover++;
	for (int type = 0; replay->usage && type < MAUI_CREDENTIALS; type++)
		replay->turned[type][run->credential[type]] = replay->turnover;
}

static int begin_run(struct site_replay *replay, uint32_t job)
{
	struct maui_priority_job asked;
	struct maui_limit_job request;
	struct site_running *run = take_run(replay);
	int rc = 0;

	site_request(replay, job, &asked);
	request = maui_limit_job_of(&asked);
	memset(&run->holding, 0, sizeof(run->holding));
	memcpy(run->credential, asked.credential, sizeof(run->credential));
	if (replay->windows)
		run->rate = maui_fairshare_rate(maui_fairshare_settings_of(replay->windows),
						asked.procs, asked.pe, asked.gres);
	run->began = replay->now;
	run->inside = NULL;
	run->visits = NULL;
	link_run(replay, run);
	replay->run_of[job] = run;
	turn_over(replay, run);
	site_stock_began(replay, job);
	if (replay->usage)
		rc = maui_limit_usage_add(replay->usage, &run->holding, &request,
					  replay->now + replay->trace->jobs[job].estimate);
	return rc;
}

/* Whoever is ahead and may start has been passed. */
static void count_bypass(struct site_replay *replay, size_t at)
{
	for (size_t i = 0; i < at; i++)
		if (site_key_job(replay->order[i]) != NO_JOB)
			replay->bypass[site_key_job(replay->order[i])]++;
}

int site_start(struct site_replay *replay, size_t at, bool backfilled)
{
	uint32_t job = site_key_job(replay->order[at]);
	const struct maui_replay_job *record = &replay->trace->jobs[job];
	int rc = begin_run(replay, job);

	if (rc)
		return rc;
	if (replay->nodes)
		site_nodes_take(replay, job);
	else
		site_pool_take(replay, replay->run_of[job]);
	site_kinds_leave(replay, job);
	replay->order[at] |= NO_JOB;
	replay->waiting--;
	replay->eligible--;
	if (replay->least == record->procs)
		replay->least = 0;
	replay->schedule->started[job] = replay->now;
	replay->schedule->backfilled[job] = backfilled;
	replay->moved = replay->changed = true;
	if (backfilled)
		count_bypass(replay, at);
	machine_start(&replay->machine, job, record->procs, replay->now + record->estimate,
		      replay->now + record->run);
	return 0;
}

/* It has no more than there is, should others hold it already. */
int site_resume(struct site_replay *replay, uint32_t job)
{
	const struct maui_replay_job *record = &replay->trace->jobs[job];
	uint32_t procs = record->procs;
	int rc;

	replay->kind_of[job] = NO_KIND;
	if (replay->nodes)
		procs = site_choice_resume(replay, job);
	if (procs > replay->machine.free)
		procs = replay->machine.free;
	rc = begin_run(replay, job);
	if (rc)
		return rc;
	if (replay->nodes) {
		site_nodes_take(replay, job);
	} else {
		site_pool_fit(replay, procs);
		site_pool_take(replay, replay->run_of[job]);
	}
	replay->schedule->started[job] = replay->now;
	replay->moved = replay->changed = replay->dirty = true;
	machine_start(&replay->machine, job, procs, replay->now + record->estimate,
		      replay->now + record->run);
	return 0;
}

/* ---- it ends ---- */

void site_finish(struct site_replay *replay)
{
	uint32_t job = machine_finishing(&replay->machine);
	struct site_running *run = replay->run_of[job];

	machine_finish(&replay->machine, run->began + replay->trace->jobs[job].estimate);
	if (replay->nodes)
		site_nodes_give(replay, job);
	else
		site_pool_give(replay, run);
	if (replay->windows) {
		site_complete_factors(replay);
		maui_fairshare_advance(replay->windows, replay->now);
		site_charge_run(replay, run);
	}
	if (replay->usage)
		maui_limit_usage_take(replay->usage, &run->holding);
	site_stock_ended(replay, job);
	turn_over(replay, run);
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
