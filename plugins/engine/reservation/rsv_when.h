/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * When reservations are rolled (rsv_roll.h): each minute, when a window begins or ends, when nodes,
 * Slurm's reservations, maui.cfg or the names of ours change, and on request. Guarded by the engine's mutex, which is
 * held for all of these.
 */
#ifndef MAUI_ENGINE_RSV_WHEN_H
#define MAUI_ENGINE_RSV_WHEN_H

#include <stdbool.h>
#include <stdint.h>

#include "plugins/engine/runtime/lock.h"
#include "plugins/engine/runtime/module.h"

/* Request a roll in the next iteration, or in one that begins at once. */
ENGINE_LOCKED void rsv_when_wanted(void);
ENGINE_LOCKED void rsv_when_now(void);

/* Begin a roll, if there is a reason for one; *ret_generation: of its settings. */
ENGINE_LOCKED bool rsv_when_begin(uint64_t *ret_generation);

/* The roll has ended. due: the latest time of the next one, epoch seconds; partial: something is
 * missing, and each iteration tries again. */
ENGINE_LOCKED void rsv_when_end(uint64_t generation, int64_t due, bool partial);

extern const struct module rsv_when_module;

#endif
