/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/config/faults.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *maui_faults_text(const struct maui_problem *problem, const char *word)
{
	const struct maui_origin *origin = &problem->origin;
	char *text = NULL;

	if (asprintf(&text, "%s:%u:%u: %s%s", origin->file, origin->line, origin->column, word,
		     problem->text) < 0)
		return NULL;
	return text;
}

static struct maui_faults *new_faults(const char *path, time_t when)
{
	struct maui_faults *faults = calloc(1, sizeof(*faults));

	if (!faults)
		return NULL;
	faults->when = when;
	faults->path = strdup(path);
	return faults->path ? faults : maui_faults_free(faults);
}

struct maui_faults *maui_faults_of_config(const struct maui_config *config, time_t when)
{
	struct maui_faults *faults = new_faults(maui_config_path(config), when);
	const struct maui_problem *problems;
	size_t count = maui_config_problems(config, &problems);

	if (!faults)
		return NULL;
	faults->errors = maui_config_errors(config);
	for (size_t i = 0; i < count && faults->count < MAUI_FAULTS_LISTED; i++) {
		if (problems[i].severity != MAUI_ERROR)
			continue;
		faults->texts[faults->count] = maui_faults_text(&problems[i], "");
		if (!faults->texts[faults->count])
			return maui_faults_free(faults);
		faults->count++;
	}
	return faults;
}

struct maui_faults *maui_faults_of_file(const char *path, const char *why, time_t when)
{
	struct maui_faults *faults = new_faults(path, when);

	if (!faults)
		return NULL;
	faults->texts[0] = strdup(why);
	if (!faults->texts[0])
		return maui_faults_free(faults);
	faults->count = 1;
	return faults;
}

struct maui_faults *maui_faults_free(struct maui_faults *faults)
{
	if (!faults)
		return NULL;
	for (size_t i = 0; i < faults->count; i++)
		free(faults->texts[i]);
	free(faults->path);
	free(faults);
	return NULL;
}
