/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The hooks of all modules (runtime/module.h), called in the table's order. */
#ifndef MAUI_ENGINE_MODULES_H
#define MAUI_ENGINE_MODULES_H

#include <stdint.h>

#include "plugins/engine/runtime/module.h"

void modules_start(void);
void modules_configure(const struct site *site);
void modules_read(const struct site *site, enum engine_mode mode);
ENGINE_LOCKED void modules_allocate(void);
ENGINE_LOCKED void modules_adopt(void);
void modules_discard(void);
void modules_begun(void);

void modules_resolve(void);
ENGINE_LOCKED void modules_bind(struct maui_policy *policy,
				const struct maui_principals *principals);

/* The modules whose chores are due, as bits for modules_do_chores(); *ret_next: when the next is
 * due. */
ENGINE_LOCKED uint64_t modules_due(double now, double *ret_next);
/* All modules that save; whether one of them has something to save. */
uint64_t modules_that_save(void);
ENGINE_LOCKED bool modules_are_unsaved(void);
/* iteration: one is about to run. */
void modules_do_chores(uint64_t which, bool iteration);

void modules_before(void);
ENGINE_LOCKED void modules_collect(void);
ENGINE_LOCKED void modules_collected(void);
void modules_after(void);

ENGINE_LOCKED void modules_end(void);
void modules_leave(void);

#endif
