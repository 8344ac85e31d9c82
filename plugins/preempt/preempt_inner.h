/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Slurm's own preempt plugin that the site names, PriorityParameters=maui_preempt=preempt/qos: it
 * decides everything that OWNERPREEMPT does not cover.
 */
#ifndef MAUI_PREEMPT_INNER_H
#define MAUI_PREEMPT_INNER_H

#include "plugins/compat/preempt_api.h"

/* NULL: none is named. Otherwise all its calls are set. */
const struct compat_preempt_ops *inner(void);

/* Loads the named one, if any. SLURM_ERROR if it cannot be used, with an error line. */
int inner_load(void);
void inner_unload(void);

#endif
