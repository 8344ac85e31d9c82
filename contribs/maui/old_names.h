/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Commands of Maui and Moab that have another name here: they print it, with the arguments of the
 * call filled in, and do nothing. */
#ifndef MAUI_OLD_NAMES_H
#define MAUI_OLD_NAMES_H

#include "contribs/maui/lib/command.h"

/* As command_list(). */
const struct command *const *old_name_list(void);

#endif
