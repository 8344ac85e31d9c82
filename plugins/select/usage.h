/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How many CPUs of each node running jobs hold: Slurm 22.05 keeps that inside cons_tres, and shows it only as of the last
 * time that somebody asked for node information. It is used to judge where trying is worth the time, never whether a
 * job fits. Where jobs share CPUs it counts too few, never too many.
 *
 * Job write lock for all of it.
 */
#ifndef MAUI_SELECT_USAGE_H
#define MAUI_SELECT_USAGE_H

#include "plugins/compat/select_api.h"

/* Resources were given to a job, or are about to be taken from it. */
void usage_job_begins(const job_record_t *job);
void usage_job_ends(const job_record_t *job);

/* Something else has changed: count anew when it is asked for the next time. */
void usage_forget(void);

/* CPUs of a node that no job holds alone. */
uint32_t usage_free_cpus(const node_record_t *node);

#endif
