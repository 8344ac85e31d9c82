/* SPDX-License-Identifier: GPL-2.0-or-later */
/* maui import. */
#ifndef MAUI_IMPORT_COMMAND_H
#define MAUI_IMPORT_COMMAND_H

#include "common/import/import.h"
#include "common/import/import_read.h"
#include "common/import/import_resv.h"
#include "contribs/maui/lib/command.h"

extern const struct command import_command;

/* NULL: not given. */
struct import_paths {
	const char *slurm_conf, *qos, *associations, *reservations;
};

/* The policy of all files. EXIT_OK, or says what is wrong. */
int import_files(const struct import_paths *paths, struct maui_import *import);

/* A maui.cfg, with the remarks as comments at its end. */
void import_print(const struct import_paths *paths, const struct maui_import *import);

#endif
