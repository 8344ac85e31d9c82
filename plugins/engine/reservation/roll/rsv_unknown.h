/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names in SRCFG lines that Slurm does not know, logged whenever maui.cfg was read. */
#ifndef MAUI_ENGINE_RSV_UNKNOWN_H
#define MAUI_ENGINE_RSV_UNKNOWN_H

#include "plugins/engine/reservation/roll/rsv_world.h"

/* The engine's thread; no lock held. */
void rsv_unknown_tell(const struct rsv_world *world, const struct maui_sr *list, size_t count);

#endif
