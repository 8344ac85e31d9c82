/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The last numbers that a machine's name service had for the users and groups of maui.cfg, and the
 * last names that it had for the numbers of jobs: for the time when it does not answer, and for
 * users who have left (contribs/doc/state-files.md). Uses nothing of Slurm, and no lock.
 */
#ifndef MAUI_STATE_KNOWN_NAMES_H
#define MAUI_STATE_KNOWN_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/util/credential.h"
#include "common/state/state_file.h"

#define MAUI_KNOWN_NAME_SIZE 256 /* with a NUL */
#define MAUI_KNOWN_NAMES_MAX 131072
/* "group", a blank, ten digits, a blank, the name, a newline */
#define MAUI_KNOWN_NAMES_LINE     (sizeof("group 4294967294 \n") + MAUI_KNOWN_NAME_SIZE)
#define MAUI_KNOWN_NAMES_MAX_SIZE (MAUI_KNOWN_NAMES_MAX * MAUI_KNOWN_NAMES_LINE + 4096)

struct maui_known_names;

struct maui_known_names *maui_known_names_new(void);
struct maui_known_names *maui_known_names_free(struct maui_known_names *known); /* accepts NULL */

/* The last uid (MAUI_USER) or gid (MAUI_GROUP) of a name in maui.cfg; false: none is known. */
bool maui_known_names_number(const struct maui_known_names *known, enum maui_credential type,
			     const char *name, uint32_t *ret_number);

/* The last name of a uid or gid; NULL: none is known. Lives as long as known. */
const char *maui_known_names_name(const struct maui_known_names *known, enum maui_credential type,
				  uint32_t number);

/*
 * Set or drop one. The name of a number also gives the name its number, if it had none. Returns
 * whether anything has changed. A name that cannot be written, or one too many, is not
 * kept.
 */
bool maui_known_names_set_number(struct maui_known_names *known, enum maui_credential type,
				 const char *name, uint32_t number);
bool maui_known_names_drop_number(struct maui_known_names *known, enum maui_credential type,
				  const char *name);
bool maui_known_names_set_name(struct maui_known_names *known, enum maui_credential type,
			       uint32_t number, const char *name);

/* Adds what `from` has and known lacks; from may be NULL. */
void maui_known_names_add(struct maui_known_names *known, const struct maui_known_names *from);

MAUI_STATE_FUNCTIONS(maui_known_names, struct maui_known_names **, struct maui_known_names *const *)

#endif
