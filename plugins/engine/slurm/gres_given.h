/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What Slurm has given a job of GRES on each of its nodes. */
#ifndef MAUI_ENGINE_GRES_GIVEN_H
#define MAUI_ENGINE_GRES_GIVEN_H

#include "plugins/compat/base.h"

/* node: by Slurm's index. */
typedef void (*gres_given_found)(void *context, uint32_t node, uint32_t plugin_id, uint32_t type_id,
				 uint64_t amount);

/* What is consumed, by type and node. Job read lock. */
void gres_given_each(const job_record_t *job, gres_given_found found, void *context);

#endif
