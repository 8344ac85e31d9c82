/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MAUI_HELP_COMMANDS_H
#define MAUI_HELP_COMMANDS_H

void print_help_commands(void);

#endif
