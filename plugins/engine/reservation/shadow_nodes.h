/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MAUI_ENGINE_SHADOW_NODES_H
#define MAUI_ENGINE_SHADOW_NODES_H

/* Slurm notifies only the select plugin when it rebuilds its node table. So forget what is known by
 * index whenever a shadow is about to look at nodes; does nothing in other modes. Job and node read
 * lock, without the mutex. */
void shadow_forget_nodes(void);

#endif
