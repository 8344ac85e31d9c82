/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The original's read-only commands, and our own keys and status. */
#ifndef MAUI_SHOW_H
#define MAUI_SHOW_H

#include "contribs/maui/lib/command.h"

extern const struct command checkjob_command;
extern const struct command checknode_command;
extern const struct command keys_command;
extern const struct command showbf_command;
extern const struct command showconfig_command;
extern const struct command showq_command;
extern const struct command showstart_command;
extern const struct command showstats_command;
extern const struct command status_command;
extern const struct command upcoming_command;

/*
 * The policy in force, or one parameter of it (NULL: all), as showconfig prints it. Returns an exit
 * code.
 */
int showconfig_engine(const struct cli *cli, const char *parameter);

#endif
