/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the engine keeps of nodes from one iteration to the next. Its mutex protects it. */
#ifndef MAUI_ENGINE_NODE_STATE_H
#define MAUI_ENGINE_NODE_STATE_H

#include <stdbool.h>

#include "common/policy/priority/pe.h"
#include "common/state/node_usage.h"
#include "plugins/engine/runtime/lock.h"
#include "plugins/engine/runtime/module.h"
#include "plugins/engine/slurm/gres_machine.h"

struct node_state {
	struct maui_node_usage *usage;
	double seen; /* when the last pass was, monotonic seconds; -INFINITY: none yet */
	struct maui_resources machine; /* its GRES are those below */
	struct gres_machine gres;
};

extern struct node_state node_state ENGINE_GUARDED;

/* The machine as an iteration has found it, and what of it only the mutex lets one count: from here
 * on for all. Node read lock. */
ENGINE_LOCKED void node_state_machine(struct maui_resources *machine);

extern const struct module node_state_module;

#endif
