/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the engine does each RMPOLLINTERVAL, and soon after a start or end while jobs are blocked:
 * usage, priorities, who is eligible, and the order of the queue. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/policy/priority/accrual.h"
#include "common/policy/priority/stored_priority.h"
#include "common/replay/site_private.h"
#include "common/util/grow.h"

static unsigned int violations(const struct site_replay *replay, size_t row)
{
	const struct site_waiting *waiting = &replay->waiting[row];
	unsigned int found =
		replay->snapshot->rows[row].state == MAUI_ROW_REJECTED ? MAUI_VIOLATES_PRIORITY : 0;

	if (waiting->standing == MAUI_STANDING_BLOCKED)
		found |= waiting->fscap ? MAUI_VIOLATES_FSCAP : MAUI_VIOLATES_LIMIT;
	return found;
}

/* ---- priorities ---- */

static void prioritise(struct site_replay *replay)
{
	const struct maui_policy *policy = replay->site->policy;
	struct maui_snapshot *snapshot = replay->snapshot;

	if (replay->windows)
		maui_names_fairshare(replay->names, replay->windows);
	snapshot->names.tables = maui_names_tables(replay->names);
	snapshot->time = replay->now;
	for (size_t i = 0; i < snapshot->count; i++) {
		struct maui_priority_job *job = &snapshot->jobs[i];

		job->queued_since = maui_accrual_since(policy->accrual, job->queued_since,
						       snapshot->rows[i].submitted,
						       violations(replay, i), replay->now);
		job->bypass = replay->waiting[i].bypass;
	}
	maui_priority_evaluate_all(policy->priority, &snapshot->names.tables, snapshot->jobs,
				   snapshot->count, replay->now, snapshot->results);
	replay->rejected = 0;
	for (size_t i = 0; i < snapshot->count; i++) {
		const struct maui_priority_result *result = &snapshot->results[i];

		snapshot->rows[i].priority =
			maui_stored_priority(result, policy->base, 0, 0, site_floor(replay));
		snapshot->rows[i].state = result->rejected ? MAUI_ROW_REJECTED : MAUI_ROW_IDLE;
		replay->waiting[i].rank = snapshot->rows[i].priority;
		replay->rejected += result->rejected;
	}
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
	struct site_waiting *waiting = &replay->waiting[found->first];

	waiting->standing = (uint8_t)found->standing;
	waiting->fscap = found->refusal.kind == MAUI_REFUSAL_FSCAP;
	waiting->judged = true;
	if (found->demoted && found->demoted < waiting->rank)
		waiting->rank = found->demoted;
	if (found->standing != MAUI_STANDING_BLOCKED)
		return;
	replay->blocked++;
	replay->counts->held += !waiting->held;
	waiting->held = true;
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

/* ---- the order ---- */

static int reserve(struct site_replay *replay)
{
	size_t count = replay->snapshot->count + 1;
	void *grown = maui_grow(replay->order, count, &replay->order_room, sizeof(*replay->order));

	if (!grown)
		return -ENOMEM;
	replay->order = grown;
	grown = maui_grow(replay->sorting, 2 * count, &replay->sorting_room,
			  sizeof(*replay->sorting));
	if (!grown)
		return -ENOMEM;
	replay->sorting = grown;
	return 0;
}

/* Backfill has something new to look at if the order is another. */
static int sort(struct site_replay *replay)
{
	struct maui_keysort_entry *entries;
	size_t count = 0;

	if (reserve(replay))
		return -ENOMEM;
	entries = replay->sorting;
	for (size_t i = 0; i < replay->snapshot->count; i++) {
		const struct site_waiting *waiting = &replay->waiting[i];

		if (waiting->standing != MAUI_STANDING_BLOCKED &&
		    replay->snapshot->rows[i].state == MAUI_ROW_IDLE)
			entries[count++] = (struct maui_keysort_entry){
				.key = site_order_key(waiting), .index = waiting->job};
	}
	maui_keysort(entries, entries + count, count);
	replay->dirty |= count != replay->order_count;
	for (size_t i = 0; i < count; i++) {
		replay->dirty |= replay->order[i] != entries[i].index;
		replay->order[i] = entries[i].index;
	}
	replay->order_count = count;
	return 0;
}

int site_iterate(struct site_replay *replay)
{
	int rc = 0;

	if (replay->now < replay->iterated + replay->site->policy->interval &&
	    !(replay->blocked && replay->moved))
		return 0;
	replay->iterated = replay->now;
	replay->moved = false;
	replay->counts->iterations++;
	site_charge(replay);
	if (replay->usage)
		maui_limit_usage_advance(replay->usage, replay->now);
	prioritise(replay);
	if (replay->changed || replay->drifts)
		rc = judge(replay);
	return rc ? rc : sort(replay);
}
