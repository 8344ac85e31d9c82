/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MAUI_ENGINE_SHADOW_NODES_H
#define MAUI_ENGINE_SHADOW_NODES_H

/* Slurm tells nobody but the select plugin when it builds its table of nodes anew. So what is known
 * by index is forgotten whenever a shadow is about to look at nodes; in other modes nothing is
 * done. Node read lock, without the mutex. */
void shadow_forget_nodes(void);

#endif
