/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The machine's name service, for the names of maui.cfg. It may be slow, so it is asked by the
 * engine's thread or the service's, with no lock held.
 */
#ifndef MAUI_ENGINE_PRINCIPALS_ASK_H
#define MAUI_ENGINE_PRINCIPALS_ASK_H

#include "common/queue/principals.h"

/* Ask for every name of a user or group in a configuration; log_unknown: say which names this
 * machine does not know. NULL when memory is short. */
struct maui_principals *principals_resolve(struct maui_config *config, bool log_unknown);

/* The uid or gid that the machine has for a name; digits alone are taken as a number if nobody has
 * that name. May block. */
bool principals_ask_number(enum maui_credential type, const char *name, uint32_t *ret_number);

/* The name that the machine has for a uid or gid, malloc'ed; NULL: none, or the name service does
 * not answer. May block. */
char *principals_ask(enum maui_credential type, uint32_t number);

#endif
