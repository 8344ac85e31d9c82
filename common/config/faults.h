/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is wrong with a maui.cfg that was read, kept for later questions. Immutable. */
#ifndef MAUI_CONFIG_FAULTS_H
#define MAUI_CONFIG_FAULTS_H

#include <stddef.h>
#include <time.h>

#include "common/config/config.h"

/* Every answer of the service carries them. */
#define MAUI_FAULTS_LISTED 20

struct maui_faults {
	char *path; /* of the main file */
	time_t when;
	size_t errors; /* all of them; 0: it could not be read at all, and the only text says why */
	size_t count;  /* the first ones, each a text: FILE:LINE:COLUMN: what is wrong */
	char *texts[MAUI_FAULTS_LISTED];
};

/* A problem as FILE:LINE:COLUMN: text, malloc'ed; a word such as "error: " goes before the text. */
char *maui_faults_text(const struct maui_problem *problem, const char *word);

/* The errors of a configuration read at that time. */
struct maui_faults *maui_faults_of_config(const struct maui_config *config, time_t when);

/*
 * The same of unknown names and words, which have no effect: maui_config_unknown() of them, counted
 * as its errors.
 */
struct maui_faults *maui_faults_of_unknown(const struct maui_config *config, time_t when);

/* A file that cannot be read at all, and why. */
struct maui_faults *maui_faults_of_file(const char *path, const char *why, time_t when);

struct maui_faults *maui_faults_free(struct maui_faults *faults); /* accepts NULL, returns NULL */

#endif
