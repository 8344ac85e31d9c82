/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Our select plugin in slurm.conf. Up to Slurm 24.11 it has the name of Slurm's own, which it
 * wraps, and stands before it; from 25.05 on it has a name of its own, and the one before works.
 */
#ifndef MAUI_SLURM_SELECT_H
#define MAUI_SLURM_SELECT_H

#include <stdbool.h>

#define SLURM_SELECT_OURS    "select/cons_tres_maui"
#define SLURM_SELECT_EARLIER "select/maui"
#define SLURM_SELECT_STOCK   "select/cons_tres"

struct slurm_select_form {
	const char *type; /* SelectType */
	const char *file; /* the plugin's, in a directory of PluginDir */
	bool shadows;     /* that directory has to stand before Slurm's */
};

/* The form for a release, "25.05.8"; NULL: that is not a release. */
const struct slurm_select_form *slurm_select_form(const char *release);

/* Whether a SelectType is ours in this form, and the plugin's file then. */
bool slurm_select_is(const struct slurm_select_form *form, const char *type);
const char *slurm_select_file(const struct slurm_select_form *form, const char *type);

#endif
