/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Credentials of jobs as small numbers, and what the policy says of each. Numbers are given once
 * and hold for the life of the process, so they survive reconfiguration; what the policy says is
 * looked up again when it changes. Not guarded: the engine has its mutex for that.
 */
#ifndef MAUI_QUEUE_NAMES_H
#define MAUI_QUEUE_NAMES_H

#include <stdint.h>

#include "common/policy/fairshare/fairshare.h"
#include "common/policy/limits/limits.h"
#include "common/policy/policy.h"
#include "common/policy/priority/priority.h"
#include "common/queue/principals.h"

struct maui_names;

/* complain is told, once, that memory is short for a credential. NULL when it is for this one. */
struct maui_names *maui_names_new(void (*complain)(const char *text));
struct maui_names *maui_names_free(struct maui_names *names); /* accepts NULL, returns NULL */

/* Take a policy and the numbers of its users and groups into force. Both must live until the next
 * call. */
void maui_names_bind(struct maui_names *names, const struct maui_policy *policy,
		     const struct maui_principals *principals);

/* The interned number of a uid or gid, and of an account, QOS or class; MAUI_NO_CREDENTIAL for NULL
 * and "", and when memory is short (complained of once): then the job counts as one without that
 * credential. */
uint32_t maui_names_of_number(struct maui_names *names, enum maui_credential type, uint32_t number);
uint32_t maui_names_of_text(struct maui_names *names, enum maui_credential type, const char *text);

/* The account of a job whose association is known: Slurm never gives an association another
 * account, so its number stands for the text, which is not even looked at. association 0: by the
 * text. */
uint32_t maui_names_of_account(struct maui_names *names, uint32_t association, const char *account);

/* The id that jobs of a name of maui.cfg come with: users and groups by the numbers that are in
 * force. MAUI_NO_CREDENTIAL: the machine does not know it, or the numbers are not known yet. */
uint32_t maui_names_of_configured(struct maui_names *names, enum maui_credential type,
				  const char *name);

/* The same, for what compiles a part of maui.cfg. */
struct maui_limit_names maui_names_configured(struct maui_names *names);

/* The weights of a class, never NULL. */
const struct maui_priority_weights *maui_names_weights(const struct maui_names *names,
						       uint32_t class_id);

/*
 * The names of users and groups, which the files of fairshare are written in. A number's name is
 * asked for elsewhere, as that may take long: maui_names_unlabeled() is the next number after
 * *at (0 before the first call) that has none yet, UINT32_MAX behind the last. NULL: not known
 * (yet).
 */
uint32_t maui_names_unlabeled(const struct maui_names *names, enum maui_credential type,
			      uint32_t *at);
const char *maui_names_label(const struct maui_names *names, enum maui_credential type,
			     uint32_t id);

/* What to call a credential in a text: its label, or the name that maui.cfg has for its number.
 * NULL: not known. */
const char *maui_names_name(const struct maui_names *names, enum maui_credential type, uint32_t id);

/* The same, and the number where the name is not known; NULL for MAUI_NO_CREDENTIAL. */
#define MAUI_NAMES_NUMBER_SIZE 16
const char *maui_names_text(const struct maui_names *names, enum maui_credential type, uint32_t id,
			    char number[MAUI_NAMES_NUMBER_SIZE]);

/* The uid or gid of a user's or group's id, UINT32_MAX where it is not known. */
uint32_t maui_names_number(const struct maui_names *names, enum maui_credential type, uint32_t id);

/* The id of a name that a file speaks of, though nobody has asked yet which number has it; digits
 * alone are a number. MAUI_NO_CREDENTIAL when memory is short. */
uint32_t maui_names_of_name(struct maui_names *names, enum maui_credential type, const char *name);

/* This is the name of a number. Where the name had an id of its own already, from a file, both mean
 * the same from now on: that one is returned, and the number's in *ret_id; else
 * MAUI_NO_CREDENTIAL. */
uint32_t maui_names_set_label(struct maui_names *names, enum maui_credential type, uint32_t number,
			      const char *name, uint32_t *ret_id);

/* The numbers given so far: 1 to this. */
uint32_t maui_names_count(const struct maui_names *names, enum maui_credential type);

/* Take fairshare into the tables (NULL: it is off): factors from the usage as it is now. */
void maui_names_fairshare(struct maui_names *names, const struct maui_fairshare *fairshare);

/* The tables as they are; valid until a name is added. */
struct maui_priority_tables maui_names_tables(const struct maui_names *names);

/* A copy of the tables, and what the numbers stand for, that nothing changes any more. */
struct maui_frozen_names {
	struct maui_priority_tables tables;
	struct maui_priority_credential *credential[MAUI_CREDENTIALS];
	double *fs_factor[MAUI_CREDENTIALS];
	uint32_t *number[MAUI_CREDENTIALS]; /* users and groups: uids and gids */
	const char **text
		[MAUI_CREDENTIALS]; /* users and groups: NULL where the name is not known; [0] is NULL */
	uint32_t count[MAUI_CREDENTIALS];
};
int maui_names_freeze(const struct maui_names *names, struct maui_frozen_names *ret_frozen);
void maui_frozen_names_clear(struct maui_frozen_names *frozen);

#endif
