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

static bool is_error(const struct maui_problem *problem)
{
	return problem->severity == MAUI_ERROR;
}

static bool is_unknown(const struct maui_problem *problem)
{
	return problem->unknown && problem->severity == MAUI_WARNING;
}

static struct maui_faults *collect(const struct maui_config *config, time_t when, size_t errors,
				   bool (*wanted)(const struct maui_problem *problem))
{
	struct maui_faults *faults = new_faults(maui_config_path(config), when);
	const struct maui_problem *problems;
	size_t count = maui_config_problems(config, &problems);

	if (!faults)
		return NULL;
	faults->errors = errors;
	for (size_t i = 0; i < count && faults->count < MAUI_FAULTS_LISTED; i++) {
		if (!wanted(&problems[i]))
			continue;
		faults->texts[faults->count] = maui_faults_text(&problems[i], "");
		if (!faults->texts[faults->count])
			return maui_faults_free(faults);
		faults->count++;
	}
	return faults;
}

struct maui_faults *maui_faults_of_config(const struct maui_config *config, time_t when)
{
	return collect(config, when, maui_config_errors(config), is_error);
}

struct maui_faults *maui_faults_of_unknown(const struct maui_config *config, time_t when)
{
	return collect(config, when, maui_config_unknown(config), is_unknown);
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
