/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MAUI_PROGRAM_H
#define MAUI_PROGRAM_H

/* What the program does, between terminal_begin() and terminal_end(). Returns an exit code. */
int command_run(int argc, char **argv);

#endif
