/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The machine's name service, for the names of maui.cfg and of jobs. It may be
 * slow, so it is asked by the engine's thread or those of the service, with no
 * lock held. If it does not answer, the last number known counts
 * (names_kept.h).
 */
#ifndef MAUI_ENGINE_PRINCIPALS_ASK_H
#define MAUI_ENGINE_PRINCIPALS_ASK_H

#include "common/queue/principals.h"
#include "plugins/engine/runtime/module.h"

enum principals_which {
	PRINCIPALS_READ,    /* all names, of a maui.cfg that has just been read: those that nobody
			       has are logged */
	PRINCIPALS_AGAIN,   /* all names */
	PRINCIPALS_LACKING, /* those that nobody had; the others as they were */
	PRINCIPALS_FOREIGN, /* of another maui.cfg: what is found is not kept */
};

/* Ask for the names of users and groups in a configuration. before, which may be NULL, is what they
 * were. */
struct maui_principals *principals_resolve(struct maui_config *config, enum principals_which which,
					   const struct maui_principals *before);

/* The uid or gid that the machine has for a name; digits alone are taken as a number if nobody has
 * that name. May block. */
enum maui_answer principals_ask_number(enum maui_credential type, const char *name,
				       uint32_t *ret_number);

/*
 * The name that the machine has for a uid or gid, malloc'ed: MAUI_ANSWER_FOUND. If it does not
 * answer, MAUI_ANSWER_NOT_NOW. Else NULL. May block.
 */
enum maui_answer principals_ask_name(enum maui_credential type, uint32_t number, char **ret_name);

/* Names that are not known now are asked for again after a pause, which grows while the service
 * does not answer: when, monotonic seconds; INFINITY: all that were asked for are known. */
double principals_ask_next(void);

extern const struct module principals_ask_module; /* wakes the engine's thread in time */

#endif
