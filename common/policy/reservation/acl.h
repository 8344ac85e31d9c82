/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Access control lists of reservations: chapters 7.1.5.1.2, 7.1.5.2.3 (example
 * 4) and 7.1.5.2.4 of the manual; D-RSV-4 to D-RSV-8.
 *
 * An item is [comparison][!][^][*]NAME[mark], where the leading marks may come
 * in any order and one mark may follow: + - = set the affinity, * ! ^ mean the
 * same as in front.
 *
 *   plain   a job that it names may use the reservation
 *   *       required: every job must be named by it
 *   !       NOT: no job that it names may, whatever else names it; all others are given access,
 *           as if they were listed
 *   !*      both: it must not name the job, and gives access to nobody
 *   ^       neither grants nor denies
 *
 * So a job is admitted if no NOT names it, all required items do, and, if there
 * are items that are not required, a plain one names it or there is a NOT
 * (which, unmatched, counts as met). A list without items admits nobody. The
 * affinity is that of the last item that names the job; limits (TIMELIMIT,
 * PROCLIMIT, TASKLIMIT) without a mark of their own only count if no other item
 * names it.
 *
 * Compiled once; an evaluation compares numbers, allocates nothing, and costs
 * about the same for ten names as for ten thousand.
 */
#ifndef MAUI_POLICY_ACL_H
#define MAUI_POLICY_ACL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/policy/limits/limits.h"
#include "common/policy/nodes/nodealloc.h"
#include "common/util/credential.h"
#include "common/util/error.h"

/* The first ones are enum maui_credential. */
enum maui_acl_type {
	MAUI_ACL_ATTRIBUTE = MAUI_CREDENTIALS, /* JOBATTRLIST */
	MAUI_ACL_DURATION,                     /* TIMELIMIT: seconds */
	MAUI_ACL_PROCS,                        /* PROCLIMIT */
	MAUI_ACL_TASKS,                        /* TASKLIMIT */
	MAUI_ACL_TYPES
};

/* The original's names: "USER", "GROUP", "ACCT", "QOS", "CLASS", "JFEATURE", "DURATION", ... */
const char *maui_acl_type_name(unsigned int type);

enum maui_acl_comparison {
	MAUI_ACL_IS, /* the only one for names */
	MAUI_ACL_LESS,
	MAUI_ACL_AT_MOST, /* for numbers, if none is given */
	MAUI_ACL_AT_LEAST,
	MAUI_ACL_MORE,
};

#define MAUI_ACL_ITEMS 65536u /* of one list, at most */

struct maui_acl_item {
	unsigned int type; /* enum maui_acl_type, or enum maui_credential */
	enum maui_acl_comparison comparison;
	enum maui_affinity affinity; /* POSITIVE, NEUTRAL, NEGATIVE */
	bool affinity_given;
	bool required, deny, exclude; /* '*', '!', '^' */
	uint32_t id;                  /* of a name; for an attribute its bit; 0: there is none */
	bool absent;                  /* QOS DEFAULT: also jobs without a QOS */
	int64_t value;                /* of a number */
	const char *name;             /* as written, without marks: for texts */
	size_t name_size;
};

/*
 * One item of a list, size bytes at text, which must stay in memory. Names get their ids from
 * names. 0, or -EINVAL with the reason: no name, or no number where one is required.
 */
int maui_acl_item_read(unsigned int type, const char *text, size_t size,
		       const struct maui_limit_names *names, struct maui_acl_item *ret_item,
		       struct maui_error *error);

/* The bit of a job attribute (one of JOBFLAGS' keywords, in any case); 0 if there is none. */
uint32_t maui_acl_attribute(const char *name, size_t size);

struct maui_acl;

/* Takes a copy, names included. -E2BIG for more than MAUI_ACL_ITEMS. */
int maui_acl_compile(const struct maui_acl_item *items, size_t count, struct maui_acl **ret_acl,
		     struct maui_error *error);
struct maui_acl *maui_acl_free(struct maui_acl *acl); /* accepts NULL, returns NULL */

/* Its items in order. acl may be NULL: none. */
size_t maui_acl_items(const struct maui_acl *acl, const struct maui_acl_item **ret_items);

/* Whether any item depends on how long the job and the reservation overlap. */
bool maui_acl_has_duration(const struct maui_acl *acl);

/* The job that asks. */
struct maui_acl_job {
	uint32_t credential[MAUI_CREDENTIALS]; /* MAUI_NO_CREDENTIAL: it has none */
	uint32_t attributes;                   /* bits of maui_acl_attribute() */
	int64_t duration;                      /* seconds that it overlaps the reservation */
	int64_t procs, tasks;
};

enum maui_acl_reason {
	/* granted */
	MAUI_ACL_LISTED,     /* item: the last one that names it */
	MAUI_ACL_REQUIRED,   /* there are only required items: the last one */
	MAUI_ACL_NOT_DENIED, /* no item names it, but there are NOTs: the first one */
	/* refused */
	MAUI_ACL_DENIED,   /* item: the NOT that names it */
	MAUI_ACL_MISSING,  /* item: required, but does not name it */
	MAUI_ACL_UNLISTED, /* no item names it */
	MAUI_ACL_NOBODY,   /* no item could give access */
};

#define MAUI_ACL_NO_ITEM UINT32_MAX

struct maui_acl_verdict {
	bool granted;
	enum maui_affinity affinity; /* of the last item that names it before the one that refuses;
					MAUI_AFFINITY_NONE for none. Has no meaning if refused */
	enum maui_acl_reason reason;
	uint32_t item; /* the one that decided; MAUI_ACL_NO_ITEM */
};

/* acl may be NULL: nobody. Returns ret_verdict->granted. */
bool maui_acl_evaluate(const struct maui_acl *acl, const struct maui_acl_job *job,
		       struct maui_acl_verdict *ret_verdict);

#define MAUI_ACL_TEXT_SIZE 160

/* An item as the original shows it: "CLASS==batch+", "DURATION<=3600+*". Returns text. */
const char *maui_acl_item_text(const struct maui_acl_item *item, char text[MAUI_ACL_TEXT_SIZE]);

/* Why a verdict came out: "ACCT==acme+! denies access", "no list names the
 * job". Returns text. */
const char *maui_acl_text(const struct maui_acl *acl, const struct maui_acl_verdict *verdict,
			  char text[MAUI_ACL_TEXT_SIZE]);

#endif
