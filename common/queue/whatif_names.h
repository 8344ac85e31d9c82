/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names as another policy knows them: numbers that jobs already have stay, names that only it
 * mentions get numbers after them, and nothing of it gets into the engine's own names.
 */
#ifndef MAUI_QUEUE_WHATIF_NAMES_H
#define MAUI_QUEUE_WHATIF_NAMES_H

#include "common/policy/limits/limits.h"
#include "common/queue/names.h"
#include "common/queue/principals.h"
#include "common/util/idmap.h"
#include "common/util/intern.h"

struct maui_whatif_names {
	const struct maui_frozen_names *known;
	struct maui_principals *principals;            /* of the policy */
	struct maui_intern *texts[MAUI_CREDENTIALS];   /* accounts, QOS, classes */
	struct maui_idmap by_number[MAUI_CREDENTIALS]; /* users, groups */
};

/* Takes over the principals, whom the policy names. Must be cleared. */
void maui_whatif_names_open(struct maui_whatif_names *names, const struct maui_frozen_names *known,
			    struct maui_principals *principals);
void maui_whatif_names_clear(struct maui_whatif_names *names);

/* For struct maui_limit_names; context is the names. */
uint32_t maui_whatif_names_id(void *context, enum maui_credential type, const char *name);

/*
 * Once all ids are assigned: what the policy says of each, with fairshare by these windows (NULL:
 * it is off). Texts belong to the names.
 */
void maui_whatif_names_bind(const struct maui_whatif_names *names, const struct maui_policy *policy,
			    const struct maui_fairshare *windows,
			    struct maui_frozen_names *ret_frozen);

#endif
