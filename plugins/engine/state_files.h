/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The state files that are read when the engine begins, and written when what they hold has
 * changed. */
#ifndef MAUI_ENGINE_STATE_FILES_H
#define MAUI_ENGINE_STATE_FILES_H

#include "plugins/engine/runtime/module.h"

/* Reads them, once more if that was not possible, and looks whether somebody has removed one. */
extern const struct module state_read_module;
extern const struct module state_write_module;

#endif
