/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What slurmctld is asked to do. */
#ifndef MAUI_ENGINE_SLURMCTLD_H
#define MAUI_ENGINE_SLURMCTLD_H

/* The main scheduler is to look at the queue soon. Any lock may be held. */
void slurmctld_schedule(void);

/* Jobs are to be saved soon. Any lock may be held. */
void slurmctld_save_jobs(void);

/* The site_factor plugin is asked for the factor of each job. Job write lock. */
void slurmctld_update_site_factors(void);

#endif
