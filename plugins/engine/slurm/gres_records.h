/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How much of each GRES that maui.cfg names a job asks for, and has: D-GRES-3. A name without a type
 * is of all types; license:NAME is a license. Guarded by the engine's mutex. Without a name in
 * maui.cfg, and for a job that has no GRES and no license, each answer takes two comparisons: NULL.
 */
#ifndef MAUI_ENGINE_GRES_RECORDS_H
#define MAUI_ENGINE_GRES_RECORDS_H

#include "common/util/slurm/gres_table.h"
#include "plugins/compat/base.h"
#include "plugins/engine/runtime/lock.h"

/*
 * From now on amounts have the numbers of these names, which are copied. True if they are not those
 * of before: then all that was read of jobs so far is gone, D-GRES-4.
 */
ENGINE_LOCKED bool gres_records_bind(const char *const *names, size_t count);

/* A new table if the old one has grown too large. True: as above. */
ENGINE_LOCKED bool gres_records_renew(void);

/* Where amounts are; NULL without names. Who keeps some keeps a reference. */
ENGINE_LOCKED struct maui_gres_table *gres_records_table(void);

/* Job read lock. */
ENGINE_LOCKED const struct maui_gres *gres_records_asked(const job_record_t *job);

/* What it was given; what it asks for of those that Slurm has not given out yet, and of licenses.
 * Job read lock. */
ENGINE_LOCKED const struct maui_gres *gres_records_held(const job_record_t *job);

/* What it will be given, as soon as Slurm has chosen nodes for it: gres_chosen.h. Job and node read
 * locks. */
ENGINE_LOCKED const struct maui_gres *gres_records_chosen(const job_record_t *job);

#endif
