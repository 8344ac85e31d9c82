/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * `maui disable`: what has to be done before Slurm can go on without us. The file `disabled` in the
 * state directory says that it was done, through restarts, until `maui enable` removes it.
 *
 * While the engine is disabled it takes part in nothing but priorities, which stay Maui's as long
 * as priority/maui is loaded, and in what is counted, usage and fairshare, so that nothing of that
 * is missing when it is enabled again. Limits, caps and QLIST hold nobody, no job is parked or
 * rejected, all our reservations go (also those in use: jobs run on) and none is made, no job has
 * or gets a pass, nodes come in Slurm's order, triggers rest. Administrative reservations stay in
 * the file `setres` and come back.
 *
 * engine.disabled changes in the engine's thread alone, with the mutex held.
 */
#ifndef MAUI_ENGINE_DISABLE_H
#define MAUI_ENGINE_DISABLE_H

#include <stdbool.h>
#include <sys/types.h>

#include <json-c/json.h>

#include "plugins/compat/base.h"
#include "plugins/engine/runtime/lock.h"
#include "plugins/engine/runtime/module.h"
#include "plugins/engine/runtime/site.h"

/* Whether the file is there. No lock held. */
bool disable_read(const struct site *site);

/* At the engine's start, when this is known, and when slurm.conf is read again: what it means is in
 * force. The mutex is held, and a policy is bound. */
ENGINE_LOCKED void disable_adopt(bool disabled);

/* Said at each start of a disabled engine. */
void disable_tell(void);

/* For a service's thread: has the engine's thread do it, and waits for the iteration and the roll
 * that belong to it, some seconds at most. NULL and *ret_data, or why nothing was done: a text that
 * is *ret_text's, or a constant. */
const char *disable_order(bool disable, uid_t uid, struct json_object **ret_data, char **ret_text);

/* Whether somebody has ordered it: an iteration is wanted. The mutex is held. */
bool disable_waits(void);

extern const struct module disable_module;

#endif
