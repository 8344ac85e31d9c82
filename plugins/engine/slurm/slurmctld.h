/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What slurmctld is asked to do. */
#ifndef MAUI_ENGINE_SLURMCTLD_H
#define MAUI_ENGINE_SLURMCTLD_H

#include "plugins/engine/runtime/slurm_writer.h"

/* Have the main scheduler look at the queue soon. Any lock may be held. */
void slurmctld_schedule(void);

/* Have jobs saved soon. Any lock may be held. */
void slurmctld_save_jobs(void);

/* Ask the site_factor plugin for the factor of each job. Job write lock. */
void slurmctld_update_site_factors(struct slurm_writer *writer);

#endif
