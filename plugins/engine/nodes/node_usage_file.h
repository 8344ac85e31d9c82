/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The file `nodes` of the state directory: read when this process becomes primary, written now and
 * then, and at the end. */
#ifndef MAUI_ENGINE_NODE_USAGE_FILE_H
#define MAUI_ENGINE_NODE_USAGE_FILE_H

#include "plugins/engine/runtime/module.h"
#include "plugins/engine/runtime/state.h"

/* What the file holds of nodes has changed. The mutex is held. */
ENGINE_LOCKED void node_usage_changed(void);

extern struct state_file nodes_file; /* its members say what guards them */
extern const struct module node_usage_module;

#endif
