/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * `maui disable`: what has to be done before Slurm can go on without us. The
 * file `disabled` in the state directory records this across restarts, until
 * `maui enable` removes it.
 *
 * While disabled, the engine only computes priorities, which stay Maui's as
 * long as priority/maui is loaded, and keeps counting usage and fairshare, so
 * that nothing is missing when it is enabled again. Limits, caps and QLIST hold
 * no job, no job is held at 0 or rejected, all our reservations are deleted
 * (even those in use: their jobs run on) and none is made, no job has or gets a
 * pass, nodes come in Slurm's order, and triggers do not fire. Administrative
 * reservations stay in the file `setres` and come back.
 *
 * engine.disabled changes in the engine's thread, or in the one that begins
 * while that waits, with the mutex held.
 */
#ifndef MAUI_ENGINE_DISABLE_H
#define MAUI_ENGINE_DISABLE_H

#include <stdbool.h>
#include <sys/types.h>

#include <json-c/json.h>

#include "plugins/compat/base.h"
#include "plugins/engine/runtime/lock.h"
#include "plugins/engine/runtime/module.h"
#include "plugins/engine/runtime/site_options.h"
#include "plugins/engine/runtime/stateload.h"

/* Whether the file is there: STATE_READ, STATE_ABSENT, or, if that is not known now, STATE_NOT_NOW,
 * which is logged (D-SYS-15). No lock held but those that the caller itself needs. */
enum state_answer disable_read(const struct site *site);

/* Puts the state in force: at the engine's start, once it is known, and when slurm.conf is read
 * again. STATE_NOT_NOW: what is in force stays, and the engine's thread looks again. The mutex is
 * held, and a policy is bound. */
ENGINE_LOCKED void disable_adopt(enum state_answer answer);

/* Logged at each start of a disabled engine. */
void disable_tell(void);

/* For a thread of the service: has the engine's thread do it, and waits 8
 * seconds at most for the iteration and the roll that belong to it. NULL and
 * *ret_data, or why nothing was done: *ret_text, which the caller frees, or a
 * constant. */
const char *disable_order(bool disable, uid_t uid, struct json_object **ret_data, char **ret_text);

/* Whether an order is pending, which wants an iteration. The mutex is held. */
ENGINE_LOCKED bool disable_waits(void);

extern const struct module disable_module;

#endif
