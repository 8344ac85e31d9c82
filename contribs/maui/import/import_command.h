/* SPDX-License-Identifier: GPL-2.0-or-later */
/* maui import. */
#ifndef MAUI_IMPORT_COMMAND_H
#define MAUI_IMPORT_COMMAND_H

#include "common/import/import.h"
#include "common/import/import_read.h"
#include "contribs/maui/lib/command.h"

extern const struct command import_command;

/* The policy of a slurm.conf. EXIT_OK, or says what is wrong. */
int import_slurm_conf(const char *path, struct maui_import *import);

/* A maui.cfg, with the remarks as comments at its end. */
void import_print(const char *source, const struct maui_import *import);

#endif
