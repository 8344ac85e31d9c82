/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shadow mode: PriorityType is Slurm's own, and job_submit/maui alone has loaded the engine, which computes what it would do,
 * answers the `maui` command, and touches neither job, node, nor reservation, nor any file.
 *
 * No part of it relies on another for that. The engine's thread does nothing but iterations and the plan of reservations; an
 * iteration ends in the engine's own memory; and where anything is changed (Slurm's records, reservations, files) the
 * function that does it asks shadow_refuses() first. What is in the way of the last is an error in what comes before, is
 * logged as one, and is not done.
 */
#ifndef MAUI_ENGINE_SHADOW_H
#define MAUI_ENGINE_SHADOW_H

#include <stdbool.h>

/* Whether this process is a shadow: it never becomes anything else, as PriorityType holds for slurmctld's life. No lock. */
bool engine_is_shadow(void);

/* True in shadow mode: what is about to be done must not be, and should not have been asked for. Any lock may be held. */
bool shadow_refuses(const char *what);

/* Slurm tells nobody but the select plugin when it builds its table of nodes anew. So what is known by index is forgotten
 * whenever a shadow is about to look at nodes. Node read lock, without the mutex. */
void shadow_forget_nodes(void);

#endif
