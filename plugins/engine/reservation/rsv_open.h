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
#include "plugins/engine/runtime/module.h"

/* Whether they are to be open. The engine's thread. */
bool rsv_open_wanted(void);

/* All that are there, where one is not so. No lock held. */
void rsv_open_all(const struct rsv_world *world, bool open);

extern const struct module rsv_open_module;

#endif
