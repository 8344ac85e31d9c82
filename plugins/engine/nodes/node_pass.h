/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the engine notes of nodes in each iteration: how much of their time they run jobs, for USAGE
 * of PRIORITYF. */
#ifndef MAUI_ENGINE_NODE_PASS_H
#define MAUI_ENGINE_NODE_PASS_H

#include "plugins/engine/runtime/lock.h"
#include "plugins/engine/runtime/module.h"
extern const struct module node_pass_module;

#endif
