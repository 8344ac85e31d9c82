/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How much of each GRES that maui.cfg names a job asks for, and has: D-GRES-3. A name without a type
 * is of all types; license:NAME is a license. Guarded by the engine's mutex. Without a name in
 * maui.cfg, and for a job that has no GRES and no license, each answer takes two comparisons.
 */
#ifndef MAUI_ENGINE_GRES_RECORDS_H
#define MAUI_ENGINE_GRES_RECORDS_H

#include "common/util/gres.h"
#include "plugins/compat/base.h"
#include "plugins/engine/runtime/lock.h"

/* From now on amounts have the numbers of these names, which are copied. */
ENGINE_LOCKED void gres_records_bind(const char *const *names, size_t count);

/* Job read lock. */
ENGINE_LOCKED void gres_records_asked(const job_record_t *job, struct maui_gres_amounts *ret);

/* What it was given; what it asks for of those that Slurm has not given out yet, and of licenses.
 * Job read lock. */
ENGINE_LOCKED void gres_records_held(const job_record_t *job, struct maui_gres_amounts *ret);

#endif
