/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Users and groups of maui.cfg, by number: jobs carry uids and gids, maui.cfg carries names.
 * Immutable. */
#ifndef MAUI_QUEUE_PRINCIPALS_H
#define MAUI_QUEUE_PRINCIPALS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/config/config.h"

struct maui_principals;

/* What knows the numbers of names: the machine's name service, or a test. */
struct maui_principals_service {
	/* The uid (MAUI_USER) or gid (MAUI_GROUP) of a name; false if there is none. */
	bool (*number)(void *context, enum maui_credential type, const char *name,
		       uint32_t *ret_number);
	/* Called for each name outside ADMIN1..3 without a number; may be NULL. */
	void (*unknown)(void *context, enum maui_credential type, const char *name);
	void *context;
};

/*
 * Looks up every name of a user or group in a configuration: USERCFG, GROUPCFG, ADMIN, the
 * dimensions of limits, and the lists of reservations. NULL when memory is short.
 */
struct maui_principals *maui_principals_new(struct maui_config *config,
					    const struct maui_principals_service *service);
struct maui_principals *
maui_principals_free(struct maui_principals *principals); /* accepts NULL, returns NULL */

/*
 * maui.cfg's name for a uid (MAUI_USER) or gid (MAUI_GROUP); NULL if it does not mention it. O(log
 * n). Valid as long as the principals live.
 */
const char *maui_principals_name(const struct maui_principals *principals,
				 enum maui_credential type, uint32_t number);

/* The uid or gid of a name in maui.cfg; false if the machine does not know it. */
bool maui_principals_number(const struct maui_principals *principals, enum maui_credential type,
			    const char *name, uint32_t *ret_number);

/* ADMIN1, ADMIN2, ADMIN3: the highest level (1..3) that names this uid, 0 none. */
int maui_principals_admin_level(const struct maui_principals *principals, uint32_t uid);

/* ADMIN3 ALL: everybody may see the policy. */
bool maui_principals_all_may_look(const struct maui_principals *principals);

#endif
