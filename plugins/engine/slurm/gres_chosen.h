/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The GRES that Slurm has chosen for a job but not yet given to it: as long as its start can be
 * taken back, S-SEL-14.
 */
#ifndef MAUI_ENGINE_GRES_CHOSEN_H
#define MAUI_ENGINE_GRES_CHOSEN_H

#include "plugins/compat/base.h"

/* type_id 0: it has no type, or Slurm does not know which. */
typedef void (*gres_chosen_found)(void *context, uint32_t plugin_id, uint32_t type_id,
				  uint64_t amount);

/* Whether it may get any: it asks for some, or for whole nodes. */
bool gres_chosen_any(const job_record_t *job);

/* By node and type; nothing without nodes. Job and node read locks. */
void gres_chosen_each(const job_record_t *job, gres_chosen_found found, void *context);

/* Of one of its nodes, by type. The same locks. */
void gres_chosen_on(const job_record_t *job, uint32_t node, gres_chosen_found found, void *context);

/* Before nodes are chosen: the least that it takes of this one if that is among them. */
void gres_least_on(const job_record_t *job, uint32_t node, gres_chosen_found found, void *context);

#endif
