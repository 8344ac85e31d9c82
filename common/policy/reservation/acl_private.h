/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by the files of access lists. */
#ifndef MAUI_POLICY_ACL_PRIVATE_H
#define MAUI_POLICY_ACL_PRIVATE_H

#include "common/policy/reservation/acl.h"
#include "common/util/arena.h"

/* A name of one type and an item that has it, sorted by both. */
struct acl_key {
	uint32_t id, item;
};

struct maui_acl {
	struct maui_arena *arena;
	struct maui_acl_item *items;
	uint32_t count;
	struct acl_key *keys;                 /* of the five kinds of names, one after another */
	uint32_t first[MAUI_CREDENTIALS + 1]; /* where each begins, and the last one ends */
	uint32_t *others;                     /* items that are not names, in order */
	uint32_t other_count;
	uint32_t *required; /* in order */
	uint32_t required_count;
	uint32_t first_deny; /* MAUI_ACL_NO_ITEM */
	bool plain, denies;  /* there are plain items, NOTs */
	bool duration;
};

#endif
