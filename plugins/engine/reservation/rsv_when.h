/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * When reservations are rolled (rsv_roll.h): each minute, when a window begins or ends, when nodes,
 * Slurm's reservations or maui.cfg are others, and when somebody asks for it. The engine's mutex
 * guards it, and is held for all of these.
 */
#ifndef MAUI_ENGINE_RSV_WHEN_H
#define MAUI_ENGINE_RSV_WHEN_H

#include <stdbool.h>
#include <stdint.h>

#include "plugins/engine/runtime/lock.h"
#include "plugins/engine/runtime/module.h"

/* There is a reason: for the next iteration; and for one at once. */
void rsv_when_wanted(void);
ENGINE_LOCKED void rsv_when_now(void);

/* A roll begins, if there is a reason for one; of these settings. */
bool rsv_when_begin(uint64_t *ret_generation);

/* It has ended. due: the next one, epoch seconds, at the latest; partial: something is missing,
 * each iteration tries it. */
void rsv_when_end(uint64_t generation, int64_t due, bool partial);

extern const struct module rsv_when_module;

#endif
