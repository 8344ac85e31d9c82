/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MAUI_COMMAND_TABLE_H
#define MAUI_COMMAND_TABLE_H

void print_command_table(void);

#endif
