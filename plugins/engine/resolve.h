/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The users and groups of the policy in force: asked for, and asked for again. */
#ifndef MAUI_ENGINE_RESOLVE_H
#define MAUI_ENGINE_RESOLVE_H

#include <stdbool.h>

#include "plugins/engine/runtime/lock.h"

struct maui_policy;
struct maui_principals;

/*
 * The mutex is held. Takes over the caller's reference to policy, and principals, which point into
 * its configuration (NULL: not asked for yet). Names are bound again before what they pointed to is
 * freed.
 */
ENGINE_LOCKED void resolve_take(struct maui_policy *policy, struct maui_principals *principals);

/* Whether all names are to be asked for again: users come and go, and a name service that has not
 * answered may do so now. */
bool resolve_is_due(void);

/* Ask for all names again. The engine's thread, no lock held. */
void resolve_all(void);

/* The same for the names that nobody had, if there are any: a user or group has appeared. */
void resolve_lacking(void);

#endif
