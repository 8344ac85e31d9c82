/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What `maui import` makes of a site's policy in Slurm: lines of maui.cfg, and remarks about
 * everything that does not become a line. D-IMP-1.
 */
#ifndef MAUI_IMPORT_H
#define MAUI_IMPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/util/arena.h"

/* KEY VALUE # why */
struct maui_import_line {
	const char *key;   /* PROCWEIGHT[batch] */
	const char *value; /* 0.25 */
	const char *why;   /* the settings of Slurm that it comes from */
};

enum maui_import_fate {
	MAUI_IMPORT_LOST,  /* nothing in Maui does it */
	MAUI_IMPORT_OTHER, /* Maui does it, with a difference */
	MAUI_IMPORT_STAYS, /* Slurm goes on doing it */
	MAUI_IMPORT_FATES
};

struct maui_import_remark {
	enum maui_import_fate fate;
	const char *setting; /* PriorityWeightFairshare=1000 */
	const char *effect;  /* what follows for jobs */
};

struct maui_import {
	struct maui_arena *arena; /* all texts */
	struct maui_import_line *lines;
	struct maui_import_remark *remarks;
	const char **commands; /* of Slurm's, for the administrator */
	size_t line_count, line_room, remark_count, remark_room, command_count, command_room;
	size_t count[MAUI_IMPORT_FATES]; /* of remarks */
};

void maui_import_begin(struct maui_import *ret_import);
void maui_import_clear(struct maui_import *import);

/* Whether maui.cfg can have this as a name in brackets: letters, digits, and some signs. */
bool maui_import_is_name(const char *name);

/* A text that lives as long as the import. */
const char *maui_import_text(struct maui_import *import, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* key, value and setting must live as long. */
void maui_import_line(struct maui_import *import, const char *key, const char *value,
		      const char *why, ...) __attribute__((format(printf, 4, 5)));
void maui_import_remark(struct maui_import *import, enum maui_import_fate fate, const char *setting,
			const char *effect, ...) __attribute__((format(printf, 4, 5)));
/* The text must live as long. */
void maui_import_command(struct maui_import *import, const char *command);

#endif
