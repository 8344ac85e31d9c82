/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Calls slurm_job_cpus_allocated_on_node_id(). From Slurm 24.11 on, reads
 * cpu_array_value and cpu_array_reps of struct job_resources instead.
 */
#include "contribs/maui/slurm/slurm_allocated.h"

#if SLURM_FROM(24, 11)
/*
 * libslurm has no function for it any more. The message is still the same: the record that
 * slurm_load_jobs() makes of it is in a header that Slurm does not install, and slurm-build/prepare
 * finds. It is read as Slurm's own commands read it: each number of processors is followed by the
 * number of nodes in a row that have it.
 */
#include "src/common/job_resources.h"

int slurm_allocated_procs(const slurm_job_info_t *job, uint32_t node)
{
	const struct job_resources *resources = job->job_resrcs;
	uint32_t first = 0;

	for (uint32_t run = 0; run < resources->cpu_array_cnt; run++) {
		if (node - first < resources->cpu_array_reps[run])
			return resources->cpu_array_value[run];
		first += resources->cpu_array_reps[run];
	}
	return 0;
}

#else

int slurm_allocated_procs(const slurm_job_info_t *job, uint32_t node)
{
	int procs = slurm_job_cpus_allocated_on_node_id(job->job_resrcs, (int)node);

	return procs > 0 ? procs : 0;
}

#endif
