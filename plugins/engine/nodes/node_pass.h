/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the engine notes of nodes in each iteration: how much of their time they run jobs, for USAGE of PRIORITYF. */
#ifndef MAUI_ENGINE_NODE_PASS_H
#define MAUI_ENGINE_NODE_PASS_H

/* Node read lock, the mutex. */
void node_pass(void);

#endif
