/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Slurm's own preempt plugin that the site names, PriorityParameters=maui_preempt=preempt/qos: it
 * decides on all that OWNERPREEMPT is not about.
 */
#ifndef MAUI_PREEMPT_INNER_H
#define MAUI_PREEMPT_INNER_H

#include "plugins/compat/preempt_api.h"

/* NULL: none is named. All its calls are there. */
const struct compat_preempt_ops *inner(void);

/* Loads the one that is named, if one is. SLURM_ERROR if it cannot be used, with an error line. */
int inner_load(void);
void inner_unload(void);

#endif
