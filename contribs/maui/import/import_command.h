/* SPDX-License-Identifier: GPL-2.0-or-later */
/* maui import. */
#ifndef MAUI_IMPORT_COMMAND_H
#define MAUI_IMPORT_COMMAND_H

#include "common/import/import.h"
#include "common/import/import_read.h"
#include "common/import/import_resv.h"
#include "contribs/maui/import/import_text.h"
#include "contribs/maui/lib/command.h"

extern const struct command import_command;

/* Files; NULL: not given. Without slurm_conf the running Slurm is asked for those. */
struct import_paths {
	const char *slurm_conf, *qos, *associations, *reservations;
};

struct import_options {
	struct import_paths paths;
	const char *torque, *output; /* directories; NULL: not given */
	bool take_limits;
	bool compare;
	const char *compare_file; /* NULL: with the import itself */
	int timeout;              /* seconds, for each question to Slurm */
};

enum import_source {
	IMPORT_CONF,
	IMPORT_QOS,
	IMPORT_ASSOCIATIONS,
	IMPORT_RESERVATIONS,
	IMPORT_SOURCES
};

/* The text of a source. EXIT_OK, also if there is none; or says what is wrong. */
int import_fetch(const struct import_options *options, enum import_source source,
		 const char *cluster, struct import_text *ret_text);

/* The policy of all sources, whose names are in ret_names as far as they were there; ret_basic:
 * Slurm has priority/basic. EXIT_OK, or says what is wrong. */
int import_site(const struct import_options *options, struct maui_import *import,
		const char *ret_names[IMPORT_SOURCES], bool *ret_basic);

/* A maui.cfg, with the remarks as comments at its end. */
void import_print(const char *const names[IMPORT_SOURCES], const struct maui_import *import);

#endif
