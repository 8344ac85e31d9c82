/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How many processors a running job has on each of its nodes. */
#ifndef MAUI_SLURM_ALLOCATED_H
#define MAUI_SLURM_ALLOCATED_H

#include "contribs/maui/slurm/slurm_compat.h"

/* On the job's node number `node`, counted from 0 in the order of job->nodes; 0 if Slurm does not
 * say. Of a job that has job_resrcs. */
int slurm_allocated_procs(const slurm_job_info_t *job, uint32_t node);

#endif
