/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the engine does each RMPOLLINTERVAL, and soon after a start or end while jobs are blocked:
 * usage, priorities, who is eligible, and the order of the queue. */
#include "common/replay/site/site_iteration.h"

#include "common/policy/priority/stored_priority.h"
#include "common/replay/queue/site_charge.h"
#include "common/replay/queue/site_held.h"
#include "common/replay/queue/site_jobs.h"
#include "common/replay/queue/site_kinds.h"
#include "common/replay/queue/site_order.h"
#include "common/replay/queue/site_rules.h"
#include "common/replay/queue/site_stock.h"
#include "common/replay/reservations/site_barred.h"
#include "common/replay/reservations/site_rsv.h"
#include "common/util/grow.h"

/* ---- priorities ---- */

/* The first of a kind stands for it. */
static void refresh_row(struct site_replay *replay, size_t row)
{
	struct maui_snapshot *snapshot = replay->snapshot;
	struct site_kind *kind = &replay->kinds[replay->kind_at[row]];
	const struct maui_replay_job *record = &replay->trace->jobs[kind->first];

	snapshot->jobs[row].walltime = (double)record->estimate;
	snapshot->jobs[row].queued_since = site_queued_since(kind, record);
	snapshot->jobs[row].bypass = replay->bypass[kind->first];
	snapshot->jobs[row].tree = site_stock_fairshare(replay, kind->first);
	snapshot->rows[row].job_id = kind->first + 1;
	snapshot->rows[row].submitted = snapshot->rows[row].eligible_since = record->submitted;
	kind->demoted = 0;
}

/*
 * An iteration needs the factors of those who wait. Whoever comes before the next one is to have
 * what this one would have found: the others' are looked up when somebody comes, or before usage
 * changes, which is seldom beside iterations.
 */
static void find_factors(struct site_replay *replay)
{
	const struct maui_snapshot *snapshot = replay->snapshot;

	replay->factors_lack = true;
	if (snapshot->count >= maui_names_count(replay->names, MAUI_USER))
		site_complete_factors(replay);
	else
		for (size_t i = 0; i < snapshot->count; i++)
			maui_names_fairshare_of(replay->names, snapshot->jobs[i].credential);
}

static void iteration_prioritise(struct site_replay *replay)
{
	const struct maui_policy *policy = replay->site->policy;
	struct maui_snapshot *snapshot = replay->snapshot;

	site_kinds_settle(replay);
	if (replay->windows)
		find_factors(replay);
	snapshot->names.tables = maui_names_tables(replay->names);
	snapshot->time = replay->now;
	for (size_t i = 0; i < snapshot->count; i++)
		refresh_row(replay, i);
	replay->results = maui_grow(replay->results, snapshot->count, &replay->result_room,
				    sizeof(*replay->results));
	maui_priority_evaluate_all(policy->priority, &snapshot->names.tables, snapshot->jobs,
				   snapshot->count, replay->now, replay->results);
	replay->rejected = 0;
	for (size_t i = 0; i < snapshot->count; i++) {
		const struct maui_priority_result *result = &replay->results[i];

		snapshot->rows[i].priority = maui_stored_priority(result->priority, policy->base, 0,
								  0, site_floor(replay));
		snapshot->rows[i].state = result->rejected ? MAUI_ROW_REJECTED : MAUI_ROW_IDLE;
		replay->rejected += result->rejected;
	}
}

/* ---- who is eligible ---- */

static const struct maui_limit_job *asks_for_no_more(const void *context,
						     const struct maui_snapshot *snapshot,
						     size_t first, size_t row)
{
	(void)context;
	(void)snapshot;
	(void)first;
	(void)row;
	return NULL;
}

/* refusal: why it is blocked. */
static void set_standing(struct site_replay *replay, size_t row, enum maui_standing standing,
			 const struct maui_refusal *refusal)
{
	bool blocked = standing == MAUI_STANDING_BLOCKED;
	struct site_kind *kind = &replay->kinds[replay->kind_at[row]];

	kind->standing = (uint8_t)standing;
	kind->fscap = blocked && refusal->kind == MAUI_REFUSAL_FSCAP;
	kind->judged = true;
	if (blocked || kind->rule)
		site_held_set(replay, kind, blocked ? refusal : NULL);
	if (!blocked)
		return;
	replay->blocked++;
	site_kinds_hold(replay, kind);
}

static bool over_hard_limit(const struct site_replay *replay, const struct maui_limit_job *request,
			    struct maui_refusal *ret_refusal)
{
	ret_refusal->kind = MAUI_REFUSAL_LIMIT;
	return replay->usage &&
	       maui_limits_check(replay->limits, replay->usage, request, MAUI_LIMIT_HARD,
				 MAUI_LIMIT_ALL_MODES, &ret_refusal->limit);
}

static void judge_row(struct site_replay *replay, size_t row)
{
	const struct maui_snapshot *snapshot = replay->snapshot;
	struct site_kind *kind = &replay->kinds[replay->kind_at[row]];
	struct maui_limit_job request = maui_limit_job_of(&snapshot->jobs[row]);
	struct maui_refusal refusal;
	bool blocked;

	kind->admitted = snapshot->rows[row].state == MAUI_ROW_IDLE;
	kind->judged_at = replay->turnover;
	blocked = kind->admitted && (site_off_list(replay, &request, &refusal) ||
				     over_hard_limit(replay, &request, &refusal) ||
				     site_over_cap(replay, &request, &refusal));
	set_standing(replay, row, blocked ? MAUI_STANDING_BLOCKED : MAUI_STANDING_FREE, &refusal);
}

/* Whether its last verdict may be another now. */
static bool is_open(const struct site_replay *replay, size_t row)
{
	const struct maui_snapshot *snapshot = replay->snapshot;
	const struct site_kind *kind = &replay->kinds[replay->kind_at[row]];

	if (replay->drifts || !kind->judged_at ||
	    kind->admitted != (snapshot->rows[row].state == MAUI_ROW_IDLE) ||
	    (replay->whole_system && kind->judged_at < replay->turnover))
		return true;
	for (int type = 0; replay->usage && type < MAUI_CREDENTIALS; type++)
		if (replay->turned[type][snapshot->jobs[row].credential[type]] > kind->judged_at)
			return true;
	return false;
}

/* Each for itself. */
static void judge_rows(struct site_replay *replay)
{
	for (size_t i = 0; i < replay->snapshot->count; i++) {
		struct site_kind *kind = &replay->kinds[replay->kind_at[i]];

		if (is_open(replay, i))
			judge_row(replay, i);
		else if (kind->standing == MAUI_STANDING_BLOCKED)
			replay->blocked++;
		else if (kind->rule) /* a scheduler's */
			site_held_set(replay, kind, NULL);
	}
}

/* In the order of their priorities, as the engine does. */
static int judge_in_order(struct site_replay *replay)
{
	struct maui_judgement judgement = {
		.snapshot = replay->snapshot,
		.rules = {.limits = replay->limits,
			  .usage = replay->usage,
			  .windows = replay->windows,
			  .qos = replay->qos},
	};
	int rc;

	maui_judge_list(&judgement);
	maui_judge_ask(&judgement, 0, judgement.count, asks_for_no_more, NULL);
	rc = maui_judge_all(&judgement);
	for (size_t i = 0; !rc && i < judgement.count; i++) {
		const struct maui_waiting *found = &judgement.jobs[i];

		set_standing(replay, found->first, found->standing, found->refusal);
		replay->kinds[replay->kind_at[found->first]].demoted = found->demoted;
	}
	maui_judge_clear(&judgement);
	return rc;
}

static int iteration_judge(struct site_replay *replay)
{
	replay->blocked = 0;
	replay->changed = false;
	if (!replay->usage && !replay->windows && !replay->qos)
		return 0;
	if (replay->by_order)
		return judge_in_order(replay);
	judge_rows(replay);
	return 0;
}

/* slurmctld has no iterations but the passes of its priority plugin. */
static void iteration_of_stock(struct site_replay *replay)
{
	struct maui_snapshot *snapshot = replay->snapshot;

	replay->stock_due = false;
	replay->iterated = replay->stock_passed;
	replay->counts->iterations++;
	site_kinds_settle(replay);
	for (size_t i = 0; i < snapshot->count; i++) {
		refresh_row(replay, i);
		snapshot->rows[i].priority = maui_stock_run_priority(
			replay->stock, replay->kinds[replay->kind_at[i]].first, replay->iterated);
		snapshot->rows[i].state = MAUI_ROW_IDLE;
	}
	site_order_open(replay);
}

/* All waiting jobs, if anybody wants to hear of them. */
static void iteration_tell(struct site_replay *replay)
{
	struct maui_priority_job request;
	bool rejected;

	for (size_t i = 0; replay->site->ranked && i < replay->snapshot->count; i++)
		for (uint32_t job = replay->kinds[replay->kind_at[i]].first; job != NO_JOB;
		     job = replay->after[job]) {
			site_request(replay, job, &request);
			site_tell_rank(
				replay, job, replay->iterated,
				site_rank(replay, job, &request, replay->iterated, &rejected));
		}
}

int site_iterate(struct site_replay *replay)
{
	int rc = 0;

	if (site_is_stock(replay)) {
		if (replay->stock_due) {
			iteration_of_stock(replay);
			iteration_tell(replay);
		}
		return 0;
	}
	if (replay->now < replay->iterated + replay->site->policy->interval &&
	    !(replay->blocked && replay->moved))
		return 0;
	if (site_rsv_lacks(replay) && replay->moved)
		site_barred_roll(replay);
	replay->iterated = replay->now;
	replay->moved = false;
	replay->counts->iterations++;
	site_charge(replay);
	if (replay->usage)
		maui_limit_usage_advance(replay->usage, replay->now);
	iteration_prioritise(replay);
	if (replay->changed || replay->drifts)
		rc = iteration_judge(replay);
	if (!rc)
		site_order_open(replay);
	iteration_tell(replay);
	return rc;
}
