/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The file `jobs` of the state directory: read when this process becomes primary, written when
 * something has changed. */
#ifndef MAUI_ENGINE_JOBSTATE_FILE_H
#define MAUI_ENGINE_JOBSTATE_FILE_H

#include "common/state/jobs.h"
#include "plugins/engine/runtime/lock.h"
#include "plugins/engine/runtime/site.h"

/* What the file says; nothing if there is none. One that cannot be used is logged and set aside. No
 * lock held. */
void jobstate_load(const struct site *site, struct maui_jobstate *ret_state);

/* Make it what the engine knows, in place of all that it knew. The mutex is held. */
ENGINE_LOCKED void jobstate_adopt(const struct maui_jobstate *state);

/* When the file is to be written next, in monotonic seconds; INFINITY: nothing has changed. The
 * mutex is held. */
ENGINE_LOCKED double jobstate_due(void);

/* Write it. The engine's thread, no lock held. */
void jobstate_save(void);

#endif
