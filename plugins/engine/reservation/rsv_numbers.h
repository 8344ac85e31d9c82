/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The numbers of the users and groups that administrative reservations name. Asking the machine's
 * name service may take long: the engine's thread does it, with no lock held, for names that are
 * new, and now and then for all. The engine's mutex guards what it said; that thread alone changes
 * it, and may read without.
 */
#ifndef MAUI_ENGINE_RSV_NUMBERS_H
#define MAUI_ENGINE_RSV_NUMBERS_H

#include "common/policy/limits/limits.h"
#include "plugins/compat/base.h"

/* Asks for all names of these reservations that were not asked for yet; again: for all. No lock
 * held; the engine's thread. False when memory is short. *ret_unknown (may be NULL): the first name
 * that the machine does not know, malloc'ed. */
bool rsv_numbers_ask(struct maui_config *config, bool again, char **ret_unknown);

/* What jobs' credentials are for the names of the reservations: for compiling them. The mutex is
 * held. */
struct maui_limit_names rsv_numbers_names(void);

#endif
