/* SPDX-License-Identifier: GPL-2.0-or-later */
/* maui fs: its subcommands. argv[0] is the subcommand's name; an exit code is returned. */
#ifndef MAUI_FS_H
#define MAUI_FS_H

#include "contribs/maui/lib/command.h"

extern const struct command fs_command;

int run_fs_verify(struct cli *cli, int argc, char **argv);
int run_fs_show(struct cli *cli, int argc, char **argv);
int run_fs_import(struct cli *cli, int argc, char **argv);

#endif
