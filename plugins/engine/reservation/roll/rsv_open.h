/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Our reservations let jobs in by their access lists only while Maui's select plugin checks who
 * gets in: without it, and while the engine is not running, they are closed to all.
 */
#ifndef MAUI_ENGINE_RSV_OPEN_H
#define MAUI_ENGINE_RSV_OPEN_H

#include <stdbool.h>

#include "plugins/engine/reservation/roll/rsv_world.h"
#include "plugins/engine/runtime/module.h"

/* Whether they should be open. The engine's thread. */
bool rsv_open_wanted(void);

/* Open or close all existing ones, if any differs. No lock held. */
void rsv_open_all(const struct rsv_world *world, bool open);

extern const struct module rsv_open_module;

#endif
