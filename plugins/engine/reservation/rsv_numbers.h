/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The numeric IDs of the users and groups that administrative reservations name. The machine's name
 * service may be slow, so the engine's thread asks it with no lock held: for new names, and now and
 * then for all. The answers are guarded by the engine's mutex.
 */
#ifndef MAUI_ENGINE_RSV_NUMBERS_H
#define MAUI_ENGINE_RSV_NUMBERS_H

#include "common/policy/limits/limits.h"
#include "plugins/compat/base.h"
#include "plugins/engine/runtime/lock.h"

/* Look up all names in these reservations that have not been looked up yet; again: all names. No
 * lock held; the engine's thread. *ret_unknown (may be NULL): what is wrong with the first name
 * that the machine does not know, malloc'ed. */
void rsv_numbers_ask(struct maui_config *config, bool again, char **ret_unknown);

/* Maps names in the reservations to job credentials, for compiling them. The mutex is held. */
ENGINE_LOCKED struct maui_limit_names rsv_numbers_names(void);

#endif
