/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fills in credentials, what a job asks for, and its priority on arrival. */
#include "common/replay/queue/site_jobs.h"

#include "common/policy/priority/stored_priority.h"
#include "common/replay/queue/site_stock.h"
#include "common/replay/state/site_nodes_record.h"

void site_credentials(const struct site_replay *replay, uint32_t job,
		      uint32_t ret_credential[MAUI_CREDENTIALS])
{
	const struct maui_replay_job *record = &replay->trace->jobs[job];

	for (int type = 0; type < MAUI_CREDENTIALS; type++)
		ret_credential[type] = replay->id[type][record->credential[type]];
	if (!ret_credential[MAUI_QOS])
		ret_credential[MAUI_QOS] = maui_qos_default(replay->qos, ret_credential);
}

/* A pool of processors has nothing else. */
static double jobs_pe_of(const struct site_replay *replay, const struct maui_priority_job *job)
{
	struct maui_resources request = {
		.procs = job->procs, .memory = job->memory, .gres = maui_pe_gres(job->gres)};

	return replay->nodes ? maui_pe(&request, &replay->nodes->whole) : job->procs;
}

void site_fill_request(const struct site_replay *replay, const struct maui_replay_job *record,
		       struct maui_priority_job *ret_job)
{
	struct maui_priority_job job = {
		.queued_since = record->submitted,
		.walltime = (double)record->estimate,
		.nodes = replay->nodes && record->had_nodes ? record->had_nodes : record->nodes,
		.procs = record->procs,
		.memory = (double)record->memory,
		.gres = replay->gres ? replay->gres[record->gres] : NULL,
	};

	site_credentials(replay, (uint32_t)(record - replay->trace->jobs), job.credential);
	job.pe = jobs_pe_of(replay, &job);
	job.weights = maui_names_weights(replay->names, job.credential[MAUI_CLASS]);
	job.tree = site_stock_fairshare(replay, (uint32_t)(record - replay->trace->jobs));
	*ret_job = job;
}

void site_tell_rank(const struct site_replay *replay, uint32_t job, int64_t now, uint32_t rank)
{
	if (replay->site->ranked)
		replay->site->ranked(replay->site->ranked_context, now, job, rank);
}

uint32_t site_rank(const struct site_replay *replay, uint32_t job,
		   const struct maui_priority_job *request, int64_t now, bool *ret_rejected)
{
	const struct maui_policy *policy = replay->site->policy;
	struct maui_priority_tables tables;
	struct maui_priority_result result;

	*ret_rejected = false;
	if (site_is_stock(replay))
		return maui_stock_run_priority(replay->stock, job, now);
	tables = maui_names_tables(replay->names);
	maui_priority_evaluate_all(policy->priority, &tables, request, 1, now, &result);
	*ret_rejected = result.rejected;
	return maui_stored_priority(result.priority, policy->base, 0, 0, site_floor(replay));
}
