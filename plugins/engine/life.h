/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MAUI_ENGINE_LIFE_H
#define MAUI_ENGINE_LIFE_H

#include "plugins/engine/runtime/runtime.h"

/* Read all files and begin, as primary or as shadow; if the thread has not ended the work of the time
 * before, it begins when it has. 0, or SLURM_ERROR. Any of slurmctld's locks may
 * be held; takes none. */
int engine_begin(enum engine_mode mode);

/* It no longer acts, nor begins if it has not yet. The mutex is held. */
ENGINE_LOCKED void engine_stand_by(void);

#endif
