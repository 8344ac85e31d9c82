/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Users and groups of maui.cfg, by number. Jobs carry uids and gids, maui.cfg carries names; asking
 * the machine's name service may take long, so it is done here, by the engine's thread, for the
 * names of maui.cfg alone.
 */
#ifndef MAUI_ENGINE_PRINCIPALS_H
#define MAUI_ENGINE_PRINCIPALS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/config/config.h"

struct principals;

/* Ask for every name of a user or group in a configuration: USERCFG, GROUPCFG, ADMIN, the
 * dimensions of limits, and the lists of reservations. NULL when memory is short. May block for as
 * long as the name service does: hold no lock. log_unknown: say which names this machine does not
 * know. */
struct principals *principals_resolve(struct maui_config *config, bool log_unknown);
struct principals *principals_free(struct principals *principals); /* accepts NULL, returns NULL */

/* The name that maui.cfg has for a uid (MAUI_USER) or gid (MAUI_GROUP); NULL if it does not speak
 * of it. O(log n). Valid as long as the principals live. */
const char *principals_name(const struct principals *principals, enum maui_credential type,
			    uint32_t number);

/* The uid or gid of a name that maui.cfg speaks of; false if the machine does not know it. */
bool principals_number(const struct principals *principals, enum maui_credential type,
		       const char *name, uint32_t *ret_number);

/* The uid or gid that the machine has for a name; digits alone are a number where nobody has that
 * name. May block. */
bool principals_ask_number(enum maui_credential type, const char *name, uint32_t *ret_number);

/* The name that the machine has for a uid or gid, malloc'ed; NULL: none, or the name service does
 * not answer. May block. */
char *principals_ask(enum maui_credential type, uint32_t number);

/* ADMIN1, ADMIN2, ADMIN3: the highest level (1..3) that names this uid, 0 none. */
int principals_admin_level(const struct principals *principals, uint32_t uid);

/* ADMIN3 ALL: everybody may look at the policy. */
bool principals_all_may_look(const struct principals *principals);

#endif
