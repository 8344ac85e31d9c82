/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Copies the snapshot, active jobs, fairshare windows and names between two
 * iterations, in up to 10 attempts. Then reads the tracked jobs in batches.
 */
#include "plugins/compat/base.h"

#include "plugins/engine/whatif/whatif_collect.h"

#include <errno.h>
#include <time.h>

#include "common/policy/priority/accrual.h"
#include "common/util/memory.h"
#include "plugins/engine/fairshare/fairshare.h"
#include "plugins/engine/limits/limits.h"
#include "plugins/engine/nodes/node_order.h"
#include "plugins/engine/policy/in_force.h"
#include "plugins/engine/queue/job_queue.h"
#include "plugins/engine/runtime/runtime.h"
#include "plugins/engine/slurm/gres_records.h"
#include "plugins/engine/slurm/qos_records.h"
#include "plugins/engine/slurm/records.h"
#include "plugins/engine/slurm/usage/share_factors.h"
#include "plugins/engine/start/lowered.h"

#define SNAPSHOT_WAIT 5    /* seconds, for a fresh one */
#define ATTEMPTS      10   /* to find the engine between two iterations */
#define COPY_BATCH    4096 /* jobs per hold of the mutex */

/* Between iterations only what jobs hold changes. Slurm's locks and the mutex are held. */
ENGINE_LOCKED static const char *copy_moment(struct maui_whatif_facts *facts)
{
	const struct maui_fairshare *windows = fairshare_windows(NULL);

	if (!in_force.principals)
		return "users and groups of maui.cfg are being looked up: ask again";
	facts->snapshot = maui_snapshot_ref(job_queue.snapshot);
	facts->gres = maui_gres_table_ref(gres_records_table());
	facts->enforced = select_is_loaded();
	facts->now = time(NULL);
	facts->floor = lowered_floor();
	if (windows)
		facts->windows = maui_fairshare_copy(windows);
	limits_copy_active(&facts->active, &facts->active_count);
	maui_names_freeze(in_force.names, &facts->names);
	return NULL;
}

/* False: the engine's thread works, or maui.cfg was read again since the last
 * iteration. */
static bool copy_if_calm(struct maui_whatif_facts *facts, const char **ret_wrong)
{
	slurmctld_lock_t records_read = {.job = READ_LOCK, .part = READ_LOCK};
	bool calm;

	lock_slurmctld(records_read);
	qos_records_lock();
	engine_lock();
	calm = !engine.busy && job_queue.snapshot &&
	       job_queue.snapshot->policy == in_force.policy &&
	       job_queue.snapshot->gres == gres_records_table();
	if (calm)
		*ret_wrong = copy_moment(facts);
	engine_unlock();
	qos_records_unlock();
	unlock_slurmctld(records_read);
	return calm;
}

/* The mutex is held. */
ENGINE_LOCKED static void copy_tracked(struct maui_whatif_facts *facts, size_t first)
{
	const struct maui_snapshot_row *row = &facts->snapshot->rows[first];
	const struct maui_tracked_job *tracked =
		maui_jobs_find_at(job_queue.jobs, row->tracked_slot, row->job_id);
	bool same_gres = facts->gres == gres_records_table();

	for (size_t at = first; same_gres && at < first + row->parts; at++) {
		uint32_t class = facts->snapshot->jobs[at].credential[MAUI_CLASS];
		const struct maui_limit_job *got = limits_got(tracked, class);

		if (got)
			facts->got[facts->got_count++] = (struct maui_whatif_got){at, *got};
	}
	if (tracked && tracked->standing == MAUI_STANDING_BLOCKED)
		facts->refused[first] = tracked->refusal->kind == MAUI_REFUSAL_FSCAP
						? MAUI_VIOLATES_FSCAP
						: MAUI_VIOLATES_LIMIT;
}

static void copy_all_tracked(struct maui_whatif_facts *facts)
{
	const struct maui_snapshot *snapshot = facts->snapshot;

	facts->refused = maui_calloc(snapshot->count + 1, sizeof(*facts->refused));
	facts->got = maui_calloc(snapshot->count + 1, sizeof(*facts->got));
	for (size_t at = 0; at < snapshot->count;) {
		engine_lock();
		for (size_t i = 0; i < COPY_BATCH && at < snapshot->count; i++) {
			copy_tracked(facts, at);
			at += snapshot->rows[at].parts;
		}
		engine_unlock();
	}
}

/* For a policy that counts the share tree. If the one in force does, too, the
 * rows have it, and a newer one would be a difference of its own. */
static void copy_tree(struct maui_whatif_facts *facts)
{
	const struct maui_snapshot *snapshot = facts->snapshot;
	struct share_factors *factors = share_factors_read();

	facts->treeless = !factors;
	if (!maui_priority_uses_tree(snapshot->policy->priority)) {
		facts->tree = maui_calloc(snapshot->count + 1, sizeof(*facts->tree));
		for (size_t at = 0; at < snapshot->count; at++)
			facts->tree[at] =
				share_factors_find(factors, snapshot->rows[at].association);
	}
	share_factors_free(factors);
}

const char *whatif_collect(const struct maui_policy *policy, struct maui_whatif_facts *facts)
{
	const char *wrong = NULL;

	*facts = (struct maui_whatif_facts){0};
	for (int i = 0; i < ATTEMPTS; i++) {
		struct maui_snapshot *snapshot = job_queue_snapshot(SNAPSHOT_WAIT);

		if (!snapshot)
			return JOB_QUEUE_UNSEEN;
		maui_snapshot_unref(snapshot);
		if (!copy_if_calm(facts, &wrong))
			continue;
		if (!wrong)
			copy_all_tracked(facts);
		if (!wrong && maui_priority_uses_tree(policy->priority))
			copy_tree(facts);
		return wrong;
	}
	return "the engine is too busy: ask again";
}
