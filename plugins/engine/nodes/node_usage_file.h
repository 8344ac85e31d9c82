/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The file `nodes` of the state directory: read when this process becomes primary, written now and
 * then, and at the end. */
#ifndef MAUI_ENGINE_NODE_USAGE_FILE_H
#define MAUI_ENGINE_NODE_USAGE_FILE_H

#include "common/state/node_usage.h"
#include "plugins/engine/runtime/lock.h"
#include "plugins/engine/runtime/site.h"

/* What the file says; NULL if there is none. One that cannot be used is logged and set aside. No
 * lock held. */
struct maui_node_usage *node_usage_load(const struct site *site);

/* Count on from what was loaded (NULL: from nothing), in place of all that the engine knew; the
 * numbers of nodes stay, and the time up to the next pass is not counted. The mutex is held,
 * node_state.usage is there. */
ENGINE_LOCKED void node_usage_adopt(const struct maui_node_usage *loaded);

/* When the file is to be written next, in monotonic seconds; INFINITY: nothing has changed. The
 * mutex is held. */
ENGINE_LOCKED double node_usage_due(void);

/* Write it. The engine's thread, no lock held. */
void node_usage_save(void);

#endif
