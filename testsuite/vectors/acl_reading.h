/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Access lists, by independent arithmetic: D-RSV-4 to D-RSV-8 on names as texts, with each
 * departure from the original as a switch. Calls nothing of the core but for times.
 */
#ifndef MAUI_VECTORS_ACL_READING_H
#define MAUI_VECTORS_ACL_READING_H

#include "testsuite/vectors/check.h"

#define ACL_READING_ITEMS 64

struct acl_reading_item {
	char type[12], comparison[4], name[72];
	double value;
	int affinity; /* 2 + 3 = 4 - */
	bool affinity_given;
	bool deny, required, exclude;
	bool unnamed;  /* the original stores no name: MAXTIME */
	bool implicit; /* the original's RES entry */
};

struct acl_reading {
	struct acl_reading_item items[ACL_READING_ITEMS];
	size_t count;
};

struct acl_reading_credential {
	const char *type, *value;
};

struct acl_answer {
	double inclusive;     /* granted */
	double rc;            /* not refused by any item */
	const char *affinity; /* "+", "=", "-", "none" */
};

/* Append the items of one list; false if there is no room, or an item has no name. */
bool acl_reading_add(struct acl_reading *acl, const char *type, const char *list);

/* rules: those for which the original's side is taken. */
void acl_reading_evaluate(const struct acl_reading *acl,
			  const struct acl_reading_credential *credentials, size_t count,
			  rule_mask rules, struct acl_answer *ret_answer);

/*
 * Everything needed to judge an answer: the original's, the documented one, and each rule
 * separately.
 */
struct acl_both {
	struct acl_answer original, documented, without[RULES], with[RULES];
};
typedef void (*acl_reader)(const void *input, rule_mask rules, struct acl_answer *ret_answer);
void acl_both_read(acl_reader reader, const void *input, struct acl_both *ret_both);

/* Compare the fields granted (by that name), affinity, and on request rc. */
void acl_both_check(struct check *check, const struct acl_both *both, struct json_object *expect,
		    const char *granted, bool with_rc, const struct acl_answer *ours);

#endif
