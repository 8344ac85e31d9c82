/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which of our plugins this process has loaded, and which Slurm each was built for: for `maui
 * doctor`. */
#ifndef MAUI_ENGINE_LOADED_H
#define MAUI_ENGINE_LOADED_H

#include <json-c/json.h>

/* [{"type": "priority/maui", "slurm_version": "22.05.8", "path": "/..."}], the engine's library
 * last. No lock held. */
struct json_object *loaded_plugins(void);

#endif
