/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Calls Slurm's queue_job_scheduler(), schedule_job_save() and
 * site_factor_g_update().
 */
#include "plugins/compat/compat.h"

#include "plugins/engine/slurm/slurmctld.h"

#include "src/slurmctld/state_save.h"

void slurmctld_schedule(void)
{
	queue_job_scheduler();
}

void slurmctld_save_jobs(void)
{
	schedule_job_save();
}

void slurmctld_update_site_factors(struct slurm_writer *writer)
{
	site_factor_g_update();
}
