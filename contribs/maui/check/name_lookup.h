/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which users and groups this machine has. Each name is asked for once. After the first hundred
 * the machine's own files are read instead, if they are all that its name service has: a question
 * costs a tenth of a millisecond and more, and a maui.cfg may name a hundred thousand (D-CFG-18).
 */
#ifndef MAUI_NAME_LOOKUP_H
#define MAUI_NAME_LOOKUP_H

#include <stdbool.h>

#include "contribs/maui/lib/findings.h"

struct known_names;

/* Out of memory, the command ends, here and below. */
struct known_names *known_names_new(void);
void known_names_free(struct known_names *names); /* accepts NULL */

/* False if it is known, or a question failed otherwise than by finding none. */
bool user_is_unknown(struct known_names *names, const char *name);
bool group_is_unknown(struct known_names *names, const char *name);

/* A note on those for which the name service has not answered. */
void known_names_tell(const struct known_names *names, struct findings *findings);

#endif
