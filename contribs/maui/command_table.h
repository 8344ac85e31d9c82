/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All commands of `maui`, in the order in which `maui help` lists them. */
#ifndef MAUI_COMMAND_TABLE_H
#define MAUI_COMMAND_TABLE_H

#include "contribs/maui/lib/command.h"

const struct command *const *command_list(void); /* ends with NULL */

/* The command with a name, those of old_names.h too; NULL if there is none. */
const struct command *command_find(const char *name);

#endif
