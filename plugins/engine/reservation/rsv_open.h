/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Our reservations let jobs in by their access lists only while somebody looks at who gets in,
 * which is the select plugin of Maui: without it, and while the engine does not run, they are
 * closed to all.
 */
#ifndef MAUI_ENGINE_RSV_OPEN_H
#define MAUI_ENGINE_RSV_OPEN_H

#include <stdbool.h>

#include "plugins/engine/reservation/rsv_world.h"

/* Whether they are to be open. The engine's thread. */
bool rsv_open_wanted(void);

/* All that are there, where one is not so. No lock held. */
void rsv_open_all(const struct rsv_world *world, bool open);

/* At the engine's start, before a scheduler runs: closed if no select plugin of ours is there. At
 * its stop they are closed in any case. Takes slurmctld's locks. */
void rsv_open_start(void);
void rsv_open_stop(void);

#endif
