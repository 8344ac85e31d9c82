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

/* What a name service says of a name. One that does not answer has not said no. */
enum maui_answer {
	MAUI_ANSWER_NONE,    /* nobody has it */
	MAUI_ANSWER_FOUND,   /* with its number */
	MAUI_ANSWER_KEPT,    /* not known now: with the last number known */
	MAUI_ANSWER_NOT_NOW, /* not known now, nor was it before */
};

static inline bool maui_answer_has_number(enum maui_answer answer)
{
	return answer == MAUI_ANSWER_FOUND || answer == MAUI_ANSWER_KEPT;
}

/* What knows the numbers of names: the machine's name service, or a test. */
struct maui_principals_service {
	/* The uid (MAUI_USER) or gid (MAUI_GROUP) of a name, if the answer has a number. */
	enum maui_answer (*number)(void *context, enum maui_credential type, const char *name,
				   uint32_t *ret_number);
	/* Called for each name outside ADMIN1..3 that nobody has; may be NULL. */
	void (*unknown)(void *context, enum maui_credential type, const char *name);
	void *context;
};

/*
 * Looks up every name of a user or group in a configuration: USERCFG, GROUPCFG, ADMIN, the
 * dimensions of limits, and the lists of reservations.
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

/* The answer for a name in maui.cfg; MAUI_ANSWER_NONE also for all other names. */
enum maui_answer maui_principals_number(const struct maui_principals *principals,
					enum maui_credential type, const char *name,
					uint32_t *ret_number);

/* Whether maui.cfg has this name. */
bool maui_principals_has(const struct maui_principals *principals, enum maui_credential type,
			 const char *name);

/* Whether maui.cfg has users (MAUI_USER) or groups without a number: somebody whose name is not
 * known could be one of them. */
bool maui_principals_lack(const struct maui_principals *principals, enum maui_credential type);

/* The names that are not known now, each with MAUI_ANSWER_KEPT or MAUI_ANSWER_NOT_NOW. */
size_t maui_principals_unanswered(const struct maui_principals *principals,
				  enum maui_credential type);
void maui_principals_each_unanswered(
	const struct maui_principals *principals, enum maui_credential type,
	void (*see)(void *context, const char *name, enum maui_answer answer), void *context);

/* Whether a name in ADMIN1..3 is not known now. These are not among the names above: they limit no
 * job. */
bool maui_principals_admin_unanswered(const struct maui_principals *principals);

/* ADMIN1, ADMIN2, ADMIN3: the highest level (1..3) that names this uid, 0 none. */
int maui_principals_admin_level(const struct maui_principals *principals, uint32_t uid);

/* ADMIN3 ALL: everybody may see the policy. */
bool maui_principals_all_may_look(const struct maui_principals *principals);

#endif
