/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Copies the snapshot for each policy, recomputes the second copy's priorities
 * and windows by the other policy, and calls maui_judge_all() for both.
 */
#include "common/queue/whatif.h"

#include <stdlib.h>
#include <string.h>

#include "common/policy/priority/accrual.h"
#include "common/policy/priority/stored_priority.h"
#include "common/queue/snapshot.h"
#include "common/util/memory.h"

/* ---- rows ---- */

/* The same jobs for another policy. Their texts are shared with the
 * original. */
static struct maui_snapshot *whatif_derive(const struct maui_snapshot *of,
					   struct maui_policy *policy)
{
	struct maui_snapshot *snapshot = maui_snapshot_new(policy, of->count);

	snapshot->time = of->time;
	snapshot->iteration = of->iteration;
	snapshot->gres = maui_gres_table_ref(of->gres);
	snapshot->count = of->count;
	if (of->count) {
		memcpy(snapshot->jobs, of->jobs, of->count * sizeof(*of->jobs));
		memcpy(snapshot->rows, of->rows, of->count * sizeof(*of->rows));
	}
	for (size_t i = 0; i < of->part_count; i++)
		*maui_snapshot_add_part(snapshot) = of->parts[i];
	return snapshot;
}

static bool whatif_rejected(const struct maui_whatif_side *side, size_t first)
{
	for (uint32_t i = 0; i < side->snapshot->rows[first].parts; i++)
		if (!side->results[first + i].rejected)
			return false;
	return true;
}

/* What an iteration stores: squeue's priorities, and which jobs are held for a negative one. */
static void whatif_store(struct maui_whatif_side *side, size_t first, uint32_t floor)
{
	struct maui_snapshot *snapshot = side->snapshot;
	bool out = whatif_rejected(side, first);

	for (uint32_t i = 0; i < snapshot->rows[first].parts; i++) {
		struct maui_snapshot_row *row = &snapshot->rows[first + i];

		if (row->state != MAUI_ROW_IDLE && row->state != MAUI_ROW_REJECTED)
			continue;
		row->state = out ? MAUI_ROW_REJECTED : MAUI_ROW_IDLE;
		row->priority = out ? 0
				    : maui_stored_priority(side->results[first + i].priority,
							   snapshot->policy->base, row->nice,
							   row->site_factor, floor);
	}
}

/* Computes the priorities of all jobs from these tables, and stores them. */
static void whatif_prioritise(struct maui_whatif_side *side,
			      const struct maui_priority_tables *tables, uint32_t floor)
{
	struct maui_snapshot *snapshot = side->snapshot;

	side->results = maui_malloc(snapshot->count + 1, sizeof(*side->results));
	maui_priority_evaluate_all(side->policy->priority, tables, snapshot->jobs, snapshot->count,
				   snapshot->time, side->results);
	for (size_t at = 0; at < snapshot->count; at += snapshot->rows[at].parts)
		whatif_store(side, at, floor);
}

/* ---- the other policy's rows ---- */

/* What has accrued stays, except what the other JOBPRIOACCRUALPOLICY would take away at once. */
static void whatif_accrue(struct maui_whatif *whatif, size_t first)
{
	struct maui_snapshot *snapshot = whatif->then.snapshot;
	const struct maui_snapshot_row *rows = &snapshot->rows[first];

	for (uint32_t i = 0; i < rows->parts; i++) {
		unsigned int violations = rows[i].violations | whatif->facts.refused[first];

		if (rows[i].state == MAUI_ROW_REJECTED) {
			violations |= MAUI_VIOLATES_PRIORITY;
			violations &= ~(unsigned int)MAUI_VIOLATES_HOLD;
		}
		snapshot->jobs[first + i].queued_since = maui_accrual_since(
			whatif->then.policy->accrual, snapshot->jobs[first + i].queued_since,
			rows[i].submitted, violations, snapshot->time);
	}
}

/* Today's jobs have it only if today's policy counts it. */
static void add_tree(const struct maui_whatif_facts *facts, struct maui_snapshot *snapshot)
{
	for (size_t at = 0; facts->tree && at < snapshot->count; at++)
		snapshot->jobs[at].tree = facts->tree[at];
}

static void whatif_rebind(struct maui_whatif *whatif)
{
	struct maui_whatif_side *then = &whatif->then;
	struct maui_snapshot *snapshot = then->snapshot;

	for (size_t at = 0; at < snapshot->count; at++) {
		uint32_t *credential = snapshot->jobs[at].credential;

		if (snapshot->rows[at].qos_missing) {
			credential[MAUI_QOS] = MAUI_NO_CREDENTIAL;
			credential[MAUI_QOS] = maui_qos_default(then->qos, credential);
		}
		snapshot->jobs[at].weights = maui_priority_weights(
			then->policy->priority,
			snapshot->names.text[MAUI_CLASS][credential[MAUI_CLASS]]);
	}
	if (then->policy->accrual != whatif->today.policy->accrual)
		for (size_t at = 0; at < snapshot->count; at += snapshot->rows[at].parts)
			whatif_accrue(whatif, at);
}

/* The windows under the other settings, as a reconfigure would keep them; files are not read. */
static void change_windows(struct maui_whatif *whatif)
{
	struct maui_fairshare_settings wanted;
	unsigned int changes;
	uint32_t load;

	maui_fairshare_settings(whatif->then.policy->config, &wanted);
	if (wanted.metric == MAUI_FS_OFF)
		return;
	if (!whatif->facts.windows) {
		whatif->lacking.none = true;
		return;
	}
	whatif->windows = maui_fairshare_copy(whatif->facts.windows);
	whatif->then.windows = whatif->windows;
	changes = maui_fairshare_change(whatif->windows, &wanted, whatif->facts.now, &load);
	/* Jobs have amounts of GRES by today's numbers. */
	maui_fairshare_number(whatif->windows, whatif->today.policy->config);
	whatif->lacking.metric = changes & MAUI_FS_CHANGED_METRIC;
	whatif->lacking.interval = changes & MAUI_FS_CHANGED_INTERVAL;
	if (!whatif->lacking.metric && !whatif->lacking.interval && load < wanted.depth)
		whatif->lacking.missing = wanted.depth - load;
}

/* ---- limits ---- */

static void whatif_compile(struct maui_whatif_side *side, const struct maui_limit_names *names,
			   int64_t now)
{
	side->limits = maui_limits_compile(side->policy->config, names, now);
	side->qos = maui_qos_access_compile(side->policy->config, names);
}

/* What is in use. Jobs without a QOS have the one from this policy's QDEF. */
static int count_usage(struct maui_whatif_side *side, const struct maui_whatif_facts *facts)
{
	if (!facts->enforced || !maui_limits_any(side->limits, MAUI_LIMIT_ALL_MODES))
		return 0;
	side->usage = maui_limit_usage_new(side->limits, facts->now);
	side->holdings = maui_calloc(facts->active_count + 1, sizeof(*side->holdings));
	for (size_t i = 0; i < facts->active_count; i++) {
		struct maui_limit_job job = facts->active[i].job;
		int rc;

		if (facts->active[i].qos_missing) {
			job.credential[MAUI_QOS] = MAUI_NO_CREDENTIAL;
			job.credential[MAUI_QOS] = maui_qos_default(side->qos, job.credential);
		}
		rc = maui_limit_usage_add(side->usage, &side->holdings[i], &job,
					  facts->active[i].ends);
		if (rc)
			return rc;
	}
	return 0;
}

/* ---- a side ---- */

static int judge_side(struct maui_whatif_side *side, const struct maui_whatif_facts *facts)
{
	struct maui_judgement *judgement = &side->judgement;
	int rc = count_usage(side, facts);

	if (rc)
		return rc;
	judgement->snapshot = side->snapshot;
	judgement->rules =
		(struct maui_judge_rules){.limits = side->limits,
					  .usage = side->usage,
					  .windows = facts->enforced ? side->windows : NULL,
					  .qos = side->qos};
	maui_judge_list(judgement);
	side->rank = maui_calloc(judgement->count + 1, sizeof(*side->rank));
	for (size_t i = 0; i < judgement->count; i++)
		side->rank[judgement->order[i].index] = (uint32_t)i + 1;
	maui_judge_ask(judgement, 0, judgement->count, maui_whatif_facts_got, facts);
	return maui_judge_all(judgement);
}

static void clear_side(struct maui_whatif_side *side)
{
	maui_judge_clear(&side->judgement);
	maui_limit_usage_free(side->usage);
	free(side->holdings);
	free(side->rank);
	maui_limits_free(side->limits);
	maui_qos_access_free(side->qos);
	free(side->results);
	maui_snapshot_unref(side->snapshot);
	maui_policy_unref(side->policy);
}

/* By the tables of the facts, as the other side: the last iteration's, but for what has been
 * counted since. */
static void make_today(struct maui_whatif *whatif, const struct maui_limit_names *names)
{
	struct maui_whatif_side *side = &whatif->today;

	side->windows = whatif->facts.windows;
	side->snapshot = whatif_derive(whatif->facts.snapshot, side->policy);
	whatif_compile(side, names, whatif->facts.now);
	whatif_prioritise(side, &whatif->facts.names.tables, whatif->facts.floor);
}

/* Jobs' GRES have today's numbers. */
static void number_gres(struct maui_whatif *whatif)
{
	const struct maui_config *today = whatif->today.policy->config;
	size_t limited = maui_limits_number_by(whatif->then.limits, today);
	size_t weighed = maui_priority_number_by(whatif->then.policy->priority, today);

	whatif->unknown_gres = limited > weighed ? limited : weighed;
}

static void make_then(struct maui_whatif *whatif, struct maui_principals *principals)
{
	struct maui_whatif_side *side = &whatif->then;
	struct maui_limit_names names = {maui_whatif_names_id, &whatif->names};

	maui_whatif_names_open(&whatif->names, &whatif->facts.names, principals);
	whatif_compile(side, &names, whatif->facts.now);
	number_gres(whatif);
	change_windows(whatif);
	side->snapshot = whatif_derive(whatif->facts.snapshot, side->policy);
	add_tree(&whatif->facts, side->snapshot);
	maui_whatif_names_bind(&whatif->names, side->policy, side->windows, &side->snapshot->names);
	whatif_rebind(whatif);
	whatif_prioritise(side, &side->snapshot->names.tables, whatif->facts.floor);
}

/*
 * Today's tables belong to the facts, and the other side's numbers come from them, too: so they are
 * only lent.
 */
static int judge_both(struct maui_whatif *whatif)
{
	struct maui_frozen_names *lent = &whatif->today.snapshot->names;
	int rc;

	*lent = whatif->facts.names;
	rc = judge_side(&whatif->today, &whatif->facts);
	*lent = (struct maui_frozen_names){0};
	return rc ? rc : judge_side(&whatif->then, &whatif->facts);
}

int maui_whatif_judge(struct maui_whatif *whatif, struct maui_principals *principals,
		      const struct maui_limit_names *today)
{
	whatif->today.policy = maui_policy_ref(whatif->facts.snapshot->policy);
	make_then(whatif, principals);
	make_today(whatif, today);
	return judge_both(whatif);
}

void maui_whatif_clear(struct maui_whatif *whatif)
{
	clear_side(&whatif->today);
	clear_side(&whatif->then);
	maui_whatif_names_clear(&whatif->names);
	maui_fairshare_free(whatif->windows);
	maui_whatif_facts_clear(&whatif->facts);
}
