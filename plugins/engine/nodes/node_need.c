/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Converts a job record to maui_nodealloc_need: minimum nodes, tasks, tasks per
 * node, and the job that a LOCAL policy gets.
 */
#include "plugins/compat/base.h"

#include "plugins/engine/nodes/node_need.h"

#include "plugins/engine/slurm/jobrec.h"

uint32_t node_need_cpus_per_task(const job_record_t *job)
{
	return job && jobrec_cpus_per_task(job) ? jobrec_cpus_per_task(job) : 1;
}

static void node_need_describe(const job_record_t *job, struct maui_nodealloc_local_job *local_job)
{
	uint32_t limit = jobrec_time_limit(job);

	*local_job = (struct maui_nodealloc_local_job){
		.id = jobrec_id(job),
		.account = jobrec_account(job),
		.class_name = jobrec_class(job),
	};
	if (limit != NO_VAL && limit != INFINITE)
		local_job->walltime = (int64_t)limit * 60;
}

struct maui_nodealloc_need node_need_of(const job_record_t *job,
					struct maui_nodealloc_local_job *local_job)
{
	struct maui_nodealloc_need need = {0};

	if (!job)
		return need;
	node_need_describe(job, local_job);
	need.local_job = local_job;
	need.nodes = jobrec_min_nodes(job);
	need.tasks = jobrec_tasks(job) ? jobrec_tasks(job)
				       : jobrec_min_cpus(job) / node_need_cpus_per_task(job);
	need.tasks_per_node = need.tasks_per_node_limit = jobrec_tasks_per_node(job);
	return need;
}
