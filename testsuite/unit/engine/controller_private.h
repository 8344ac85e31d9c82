/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the parts of the mock slurmctld share. */
#ifndef MAUI_UNIT_ENGINE_CONTROLLER_PRIVATE_H
#define MAUI_UNIT_ENGINE_CONTROLLER_PRIVATE_H

#include "plugins/compat/compat.h"

/* Requires that at least these locks are held. */
void controller_wants(lock_level_t job, lock_level_t node, lock_level_t part);

/* Adds a job to slurmctld's list and table, and takes it off. */
void controller_list_job(job_record_t *job);
void controller_unlist_job(job_record_t *job);

/* Frees what a job holds. */
void controller_take_back(job_record_t *job);

/* Excludes nodes and cores that Slurm keeps from a job in no reservation, until its end. */
void controller_keep_out(const job_record_t *job, bitstr_t *nodes, bitstr_t **cores);

#endif
