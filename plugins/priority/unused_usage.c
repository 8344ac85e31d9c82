/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * slurmctld adds time limit x TRES of a starting job to grp_used_tres_run_secs of its QOS and associations, and leaves
 * it to the priority plugin to take it away. We take all of it when the job ends; while it runs the full amount stays
 * counted. (Shrinking it as the job runs comes with association usage.)
 */
#include "plugins/priority/unused_usage.h"

static void take_away(uint64_t *used, const job_record_t *job)
{
	uint64_t limit = (uint64_t)job->time_limit * 60;

	for (int i = 0; i < slurmctld_tres_cnt; i++) {
		uint64_t unused;

		if (job->tres_alloc_cnt[i] == NO_CONSUME_VAL64)
			continue;
		unused = job->tres_alloc_cnt[i] * limit;
		used[i] -= unused < used[i] ? unused : used[i];
	}
}

void unused_usage_release(const job_record_t *job)
{
	assoc_mgr_lock_t locks = {.assoc = WRITE_LOCK, .qos = WRITE_LOCK, .tres = READ_LOCK};

	if (!job->tres_alloc_cnt)
		return;
	assoc_mgr_lock(&locks);
	if (job->qos_ptr)
		take_away(job->qos_ptr->usage->grp_used_tres_run_secs, job);
	for (slurmdb_assoc_rec_t *assoc = job->assoc_ptr; assoc;
	     assoc = assoc->usage->parent_assoc_ptr)
		take_away(assoc->usage->grp_used_tres_run_secs, job);
	assoc_mgr_unlock(&locks);
}
