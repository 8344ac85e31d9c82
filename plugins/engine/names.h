/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Credentials of jobs as small numbers, and what the policy says of each. Numbers are given once and hold for the life
 * of the process, so they survive reconfiguration; what the policy says is looked up again when it changes.
 * Guarded by the engine's mutex.
 */
#ifndef MAUI_ENGINE_NAMES_H
#define MAUI_ENGINE_NAMES_H

#include <stdint.h>

#include "common/policy/priority.h"
#include "plugins/engine/policy.h"
#include "plugins/engine/principals.h"

struct names;

/* NULL when memory is short. */
struct names *names_new(void);

/* Take a policy and the numbers of its users and groups into force. Both must live until the next call. */
void names_bind(struct names *names, const struct policy *policy,
		const struct principals *principals);

/* The interned number of a uid or gid, and of an account, QOS or class; MAUI_NO_CREDENTIAL for NULL and "", and when
 * memory is short (logged once): then the job counts as one without that credential. */
uint32_t names_of_number(struct names *names, enum maui_credential type, uint32_t number);
uint32_t names_of_text(struct names *names, enum maui_credential type, const char *text);

/* The weights of a class, never NULL. */
const struct maui_priority_weights *names_weights(const struct names *names, uint32_t class_id);

/* The tables as they are; valid until a name is added. */
struct maui_priority_tables names_tables(const struct names *names);

/* A copy of the tables, and what the numbers stand for, that nothing changes any more. */
struct frozen_names {
	struct maui_priority_tables tables;
	struct maui_priority_credential *credential[MAUI_CREDENTIALS];
	uint32_t *number[MAUI_CREDENTIALS];  /* users and groups: uids and gids */
	const char **text[MAUI_CREDENTIALS]; /* the others; [0] is NULL */
	uint32_t count[MAUI_CREDENTIALS];
};
int names_freeze(const struct names *names, struct frozen_names *ret_frozen);
void frozen_names_clear(struct frozen_names *frozen);

#endif
