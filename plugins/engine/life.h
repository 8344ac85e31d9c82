/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MAUI_ENGINE_LIFE_H
#define MAUI_ENGINE_LIFE_H

#include "plugins/engine/runtime/runtime.h"

/* Read all files and begin, as primary or as shadow: 0, or SLURM_ERROR. Any of slurmctld's locks may
 * be held; takes none. */
int engine_begin(enum engine_mode mode);

#endif
