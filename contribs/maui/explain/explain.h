/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Commands without a counterpart in the original. */
#ifndef MAUI_EXPLAIN_H
#define MAUI_EXPLAIN_H

#include "contribs/maui/lib/command.h"

extern const struct command diff_command;
extern const struct command explain_nodes_command;
extern const struct command priority_command;
extern const struct command whatif_command;

#endif
