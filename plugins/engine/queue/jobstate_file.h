/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The file `jobs` of the state directory: read when this process becomes primary, written when
 * something has changed. */
#ifndef MAUI_ENGINE_JOBSTATE_FILE_H
#define MAUI_ENGINE_JOBSTATE_FILE_H

#include "common/state/jobs.h"
#include "plugins/engine/runtime/lock.h"
#include "plugins/engine/runtime/module.h"
#include "plugins/engine/runtime/state.h"

/* What the file holds of jobs has changed. The mutex is held. */
ENGINE_LOCKED void jobstate_changed(void);

extern struct state_file jobs_file; /* its members say what guards them */
extern const struct module jobstate_module;

#endif
