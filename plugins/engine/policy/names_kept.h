/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * StateSaveLocation/maui/names: the name service's last answers for the users and groups
 * of maui.cfg and of jobs (common/state/known_names.h). Guarded by the engine's mutex.
 */
#ifndef MAUI_ENGINE_NAMES_KEPT_H
#define MAUI_ENGINE_NAMES_KEPT_H

#include "common/state/known_names.h"
#include "plugins/compat/base.h"
#include "plugins/engine/runtime/lock.h"
#include "plugins/engine/runtime/module.h"
#include "plugins/engine/runtime/state.h"

/* As the functions of common/state/known_names.h; what changes is written soon. */
ENGINE_LOCKED bool names_kept_number(enum maui_credential type, const char *name,
				     uint32_t *ret_number);
ENGINE_LOCKED const char *names_kept_name(enum maui_credential type, uint32_t number);
ENGINE_LOCKED void names_kept_set_number(enum maui_credential type, const char *name,
					 uint32_t number);
ENGINE_LOCKED void names_kept_drop_number(enum maui_credential type, const char *name);
ENGINE_LOCKED void names_kept_set_name(enum maui_credential type, uint32_t number,
				       const char *name);

extern struct state_file names_file; /* its members say what guards them */
extern const struct module names_kept_module;

#endif
