/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Credentials of jobs as small numbers, and what the policy says of each. Numbers are assigned once
 * and stay for the life of the process, so they survive reconfiguration; what the policy says is
 * looked up again when it changes. Not thread-safe: in the engine its mutex
 * protects them.
 */
#ifndef MAUI_QUEUE_NAMES_H
#define MAUI_QUEUE_NAMES_H

#include <stdbool.h>
#include <stdint.h>

#include "common/policy/fairshare/fairshare.h"
#include "common/policy/limits/limits.h"
#include "common/policy/policy.h"
#include "common/policy/priority/priority.h"
#include "common/queue/principals.h"
#include "common/util/principal_text.h"

struct maui_names;

struct maui_names *maui_names_new(void);
struct maui_names *maui_names_free(struct maui_names *names); /* accepts NULL, returns NULL */

/*
 * Put a policy and the numbers of its users and groups into force. Both must live until the next
 * call.
 */
void maui_names_bind(struct maui_names *names, const struct maui_policy *policy,
		     const struct maui_principals *principals);

/*
 * The interned number of a uid or gid, and of an account, QOS or class; MAUI_NO_CREDENTIAL for NULL
 * and "".
 */
uint32_t maui_names_of_number(struct maui_names *names, enum maui_credential type, uint32_t number);
uint32_t maui_names_of_text(struct maui_names *names, enum maui_credential type, const char *text);

/*
 * The account of a job whose association is known: Slurm never moves an association to another
 * account, so its number stands for the text, which is not even read. association 0: by the text.
 * maui_names_of_association() knows the account of one that it has met; MAUI_NO_CREDENTIAL else.
 */
uint32_t maui_names_of_association(const struct maui_names *names, uint32_t association);
uint32_t maui_names_of_account(struct maui_names *names, uint32_t association, const char *account);

/*
 * The id that jobs come with for a name in maui.cfg: users and groups by the numbers in force.
 * MAUI_NO_CREDENTIAL: the machine does not know it, or the numbers are not known yet.
 */
uint32_t maui_names_of_configured(struct maui_names *names, enum maui_credential type,
				  const char *name);

/* The same, for compiling a part of maui.cfg. */
struct maui_limit_names maui_names_configured(struct maui_names *names);

/* The weights of a class, never NULL. */
const struct maui_priority_weights *maui_names_weights(const struct maui_names *names,
						       uint32_t class_id);

/*
 * The names of users and groups, which fairshare files contain. They are looked up elsewhere, as
 * that may take long: maui_names_unlabeled() is the next number after *at (0 before the first call)
 * whose name is to be asked for, UINT32_MAX after the last. NULL: not known (yet).
 */
uint32_t maui_names_unlabeled(const struct maui_names *names, enum maui_credential type,
			      uint32_t *at);
const char *maui_names_label(const struct maui_names *names, enum maui_credential type,
			     uint32_t id);

/*
 * What to call a credential in a text: its label, or maui.cfg's name for its number. NULL: not
 * known.
 */
const char *maui_names_name(const struct maui_names *names, enum maui_credential type, uint32_t id);

/* The same, but the number if the name is not known; NULL for MAUI_NO_CREDENTIAL. */
#define MAUI_NAMES_NUMBER_SIZE 16
const char *maui_names_text(const struct maui_names *names, enum maui_credential type, uint32_t id,
			    char number[MAUI_NAMES_NUMBER_SIZE]);

/* Whether a user or group has only a number, and text is that: another one may have the digits as a
 * name. D-FS-15. */
bool maui_names_is_unnamed(const struct maui_names *names, unsigned int type, uint32_t id,
			   const char *text);

/* The uid or gid of a user's or group's id, UINT32_MAX if it is not known. */
uint32_t maui_names_number(const struct maui_names *names, enum maui_credential type, uint32_t id);

/* The id of a name, whose number may not have been looked up yet. */
uint32_t maui_names_of_name(struct maui_names *names, enum maui_credential type, const char *name);

/* The id of what a state file has for a credential, and the other way round: users and groups as in
 * principal_text.h. NULL for MAUI_NO_CREDENTIAL. */
uint32_t maui_names_of_written(struct maui_names *names, enum maui_credential type,
			       const char *text);
const char *maui_names_written(const struct maui_names *names, enum maui_credential type,
			       uint32_t id, char text[MAUI_PRINCIPAL_TEXT_SIZE]);

/*
 * Set the name of a number. If the name already had an id of its own, from a file, both mean the
 * same from now on: that one is returned, and the number's in *ret_id; else MAUI_NO_CREDENTIAL.
 */
uint32_t maui_names_set_label(struct maui_names *names, enum maui_credential type, uint32_t number,
			      const char *name, uint32_t *ret_id);

/* The name service, asked at this time, has said that nobody has the number: it is not asked again
 * before maui_names_ask_again(), which is for all numbers without a name, or a job that is newer. */
void maui_names_set_nobody(struct maui_names *names, enum maui_credential type, uint32_t number,
			   int64_t asked);
void maui_names_ask_again(struct maui_names *names, enum maui_credential type);

/*
 * Whether a user (MAUI_USER) or group of a job, submitted at this time, could be one that the
 * policy names and whose number is not known: then nobody can judge the job. He could be if his
 * name is not known, and the policy has one without a number. If the name service has to be asked
 * about him, he is now among the unlabeled.
 */
bool maui_names_unidentified(struct maui_names *names, enum maui_credential type, uint32_t id,
			     int64_t submitted);

/* Whether that may be true of anybody. */
bool maui_names_lack(const struct maui_names *names);

/* The type of the first of a job's credentials that is unidentified; MAUI_CREDENTIALS: none. */
enum maui_credential maui_names_first_unidentified(struct maui_names *names,
						   const uint32_t credential[MAUI_CREDENTIALS],
						   int64_t submitted);

/* Lists other than the policy's, those of administrative reservations, have a name without a
 * number. */
void maui_names_set_lacking(struct maui_names *names, enum maui_credential type, bool lacking);

/* The greatest number assigned so far; they start at 1. */
uint32_t maui_names_count(const struct maui_names *names, enum maui_credential type);

/* Put fairshare into the tables (NULL: it is off): factors from the present usage. */
void maui_names_fairshare(struct maui_names *names, const struct maui_fairshare *fairshare);
/* Only those of some credentials, one of each type; the others stay what they were. */
void maui_names_fairshare_of(struct maui_names *names, const uint32_t credential[MAUI_CREDENTIALS]);

/* The present tables; valid until a name is added. */
struct maui_priority_tables maui_names_tables(const struct maui_names *names);

/* A copy of the tables, and what the numbers mean, that no longer changes. */
struct maui_frozen_names {
	struct maui_priority_tables tables;
	struct maui_priority_credential *credential[MAUI_CREDENTIALS];
	double *fs_factor[MAUI_CREDENTIALS];
	uint32_t *number[MAUI_CREDENTIALS]; /* users and groups: uids and gids */
	/* Users and groups: NULL where the name is not known; [0] is NULL. */
	const char **text[MAUI_CREDENTIALS];
	uint32_t count[MAUI_CREDENTIALS];
};
void maui_names_freeze(const struct maui_names *names, struct maui_frozen_names *ret_frozen);
/* As maui_names_written(). */
const char *maui_frozen_names_written(const struct maui_frozen_names *names,
				      enum maui_credential type, uint32_t id,
				      char text[MAUI_PRINCIPAL_TEXT_SIZE]);
void maui_frozen_names_clear(struct maui_frozen_names *frozen);

#endif
