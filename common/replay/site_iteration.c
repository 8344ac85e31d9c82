/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the engine does each RMPOLLINTERVAL, and soon after a start or end while jobs are blocked:
 * usage, priorities, who is eligible, and the order of the queue. */
#include "common/policy/priority/stored_priority.h"
#include "common/replay/site_private.h"

/* ---- priorities ---- */

/* The first of a kind stands for it. */
static void refresh_row(struct site_replay *replay, size_t row)
{
	struct maui_snapshot *snapshot = replay->snapshot;
	struct site_kind *kind = &replay->kinds[replay->kind_at[row]];
	const struct maui_replay_job *record = &replay->trace->jobs[kind->first];

	site_request(replay, kind->first, &snapshot->jobs[row]);
	snapshot->rows[row].job_id = kind->first + 1;
	snapshot->rows[row].submitted = snapshot->rows[row].eligible_since = record->submitted;
	kind->demoted = 0;
}

static int prioritise(struct site_replay *replay)
{
	const struct maui_policy *policy = replay->site->policy;
	struct maui_snapshot *snapshot = replay->snapshot;
	int rc = site_kinds_settle(replay);

	if (rc)
		return rc;
	if (replay->windows)
		maui_names_fairshare(replay->names, replay->windows);
	snapshot->names.tables = maui_names_tables(replay->names);
	snapshot->time = replay->now;
	for (size_t i = 0; i < snapshot->count; i++)
		refresh_row(replay, i);
	maui_priority_evaluate_all(policy->priority, &snapshot->names.tables, snapshot->jobs,
				   snapshot->count, replay->now, snapshot->results);
	replay->rejected = 0;
	for (size_t i = 0; i < snapshot->count; i++) {
		const struct maui_priority_result *result = &snapshot->results[i];

		snapshot->rows[i].priority =
			maui_stored_priority(result, policy->base, 0, 0, site_floor(replay));
		snapshot->rows[i].state = result->rejected ? MAUI_ROW_REJECTED : MAUI_ROW_IDLE;
		replay->rejected += result->rejected;
	}
	return 0;
}

/* ---- who is eligible ---- */

static const struct maui_limit_job *
asks_for_no_more(const void *context, const struct maui_snapshot *snapshot, size_t first)
{
	(void)context;
	(void)snapshot;
	(void)first;
	return NULL;
}

static void take_standing(struct site_replay *replay, const struct maui_waiting *found)
{
	struct site_kind *kind = &replay->kinds[replay->kind_at[found->first]];

	kind->standing = (uint8_t)found->standing;
	kind->fscap = found->refusal.kind == MAUI_REFUSAL_FSCAP;
	kind->judged = true;
	kind->demoted = found->demoted;
	if (found->standing != MAUI_STANDING_BLOCKED)
		return;
	replay->blocked++;
	site_kinds_hold(replay, kind);
}

static int judge(struct site_replay *replay)
{
	struct maui_judgement judgement = {
		.snapshot = replay->snapshot,
		.rules = {.limits = replay->limits,
			  .usage = replay->usage,
			  .windows = replay->windows,
			  .qos = replay->qos},
	};
	int rc;

	replay->blocked = 0;
	replay->changed = false;
	if (!replay->usage && !replay->windows && !replay->qos)
		return 0;
	rc = maui_judge_list(&judgement);
	if (!rc) {
		maui_judge_ask(&judgement, 0, judgement.count, asks_for_no_more, NULL);
		rc = maui_judge_all(&judgement);
	}
	for (size_t i = 0; !rc && i < judgement.count; i++)
		take_standing(replay, &judgement.jobs[i]);
	maui_judge_clear(&judgement);
	return rc;
}

int site_iterate(struct site_replay *replay)
{
	int rc;

	if (replay->now < replay->iterated + replay->site->policy->interval &&
	    !(replay->blocked && replay->moved))
		return 0;
	replay->iterated = replay->now;
	replay->moved = false;
	replay->counts->iterations++;
	site_charge(replay);
	if (replay->usage)
		maui_limit_usage_advance(replay->usage, replay->now);
	rc = prioritise(replay);
	if (!rc && (replay->changed || replay->drifts))
		rc = judge(replay);
	return rc ? rc : site_order_open(replay);
}
