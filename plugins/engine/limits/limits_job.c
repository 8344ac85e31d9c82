/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a job asks for, and what an active one holds, as limits count it. */
#include "plugins/compat/base.h"

#include "plugins/engine/limits/limits.h"

#include "common/policy/priority/pe.h"
#include "plugins/engine/nodes/node_state.h"
#include "plugins/engine/policy/in_force.h"
#include "plugins/engine/queue/job_queue.h"
#include "plugins/engine/runtime/runtime.h"
#include "plugins/engine/slurm/gres_records.h"
#include "plugins/engine/slurm/jobrec.h"
#include "plugins/engine/slurm/records.h"

/* ---- what it asks for ---- */

/* What it would have got when that was too much counts, too. */
ENGINE_LOCKED static void ask_alone(const struct maui_priority_job *row,
				    const struct maui_tracked_job *tracked,
				    struct maui_limit_job *ret_job)
{
	maui_limit_job_asked(row, limits_got(tracked, row->credential[MAUI_CLASS]), ret_job);
}

struct parts {
	const job_record_t *but; /* the asking part, not added again */
	struct maui_limit_job *sum;
};

static void add_part(const job_record_t *part, void *context)
{
	struct parts *parts = context;
	struct maui_priority_job row;
	struct maui_limit_job asked;
	struct jobrec_facts facts;
	uint32_t class;

	engine_assert_locked();
	if (part == parts->but || !jobrec_is_pending(part) || !jobrec_has_details(part))
		return;
	jobrec_facts_read(part, &facts);
	class = records_class(facts.partition, in_force.names);
	records_job(&facts, facts.partition, in_force.names, MAUI_NO_CREDENTIAL, class,
		    &node_state.machine, &row);
	ask_alone(&row, maui_jobs_find(job_queue.jobs, facts.job_id), &asked);
	maui_limit_job_add(parts->sum, &asked);
}

/* The leader stands for the job: once it has its nodes, the job is counted. */
static void add_parts(const struct jobrec_facts *facts, struct maui_limit_job *sum)
{
	struct parts parts = {facts->job, sum};
	const job_record_t *leader = jobrec_find(facts->het_id);

	if (!leader)
		return;
	sum->part = leader != facts->job && jobrec_is_active(leader);
	jobrec_each_het_part(leader, add_part, &parts);
}

void limits_request(const struct jobrec_facts *facts, const struct maui_priority_job *row,
		    const struct maui_tracked_job *tracked, struct maui_limit_job *ret_job)
{
	ask_alone(row, tracked, ret_job);
	if (facts->het_id)
		add_parts(facts, ret_job);
}

/* ---- what it holds ---- */

/* For a suspended job, the time left when it was suspended counts. */
static void limits_job_remaining(const job_record_t *job, struct maui_limit_job *held)
{
	if (!jobrec_is_suspended(job) || held->walltime >= MAUI_INFINITY)
		return;
	held->walltime -= jobrec_run_before(job);
	if (held->walltime < 0)
		held->walltime = 0;
}

void limits_held(const job_record_t *job, const struct maui_priority_job *row,
		 struct maui_limit_job *ret_job)
{
	struct maui_resources held;
	int64_t memory;

	*ret_job = maui_limit_job_of(row);
	ret_job->part = jobrec_is_het_part(job);
	if (!jobrec_has_got(job))
		return;
	ret_job->procs = jobrec_cpus(job);
	ret_job->nodes = jobrec_got_nodes(job);
	ret_job->gres = jobrec_is_pending(job) ? gres_records_chosen(job) : gres_records_held(job);
	memory = (int64_t)jobrec_got_memory(job);
	if (memory)
		ret_job->memory = memory;
	held = (struct maui_resources){.procs = jobrec_cpus(job),
				       .memory = (double)ret_job->memory,
				       .disk = row->disk,
				       .gres = maui_pe_gres(ret_job->gres)};
	ret_job->pe = (int64_t)maui_pe(&held, &node_state.machine);
	limits_job_remaining(job, ret_job);
}
