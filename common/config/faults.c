/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Copies problems of a maui.cfg, errors or unknown names, into at most
 * MAUI_FAULTS_LISTED texts of the form file:line:column: text.
 */
#include "common/config/faults.h"

#include <stdlib.h>

#include "common/util/memory.h"

char *maui_faults_text(const struct maui_problem *problem, const char *word)
{
	const struct maui_origin *origin = &problem->origin;

	return maui_asprintf("%s:%u:%u: %s%s", origin->file, origin->line, origin->column, word,
			     problem->text);
}

static struct maui_faults *new_faults(const char *path, time_t when)
{
	struct maui_faults *faults = maui_calloc(1, sizeof(*faults));

	faults->when = when;
	faults->path = maui_strdup(path);
	return faults;
}

static bool is_error(const struct maui_problem *problem)
{
	return problem->severity == MAUI_ERROR;
}

static bool is_unknown(const struct maui_problem *problem)
{
	return problem->unknown && problem->severity == MAUI_WARNING;
}

static struct maui_faults *faults_collect(const struct maui_config *config, time_t when,
					  size_t errors,
					  bool (*wanted)(const struct maui_problem *problem))
{
	struct maui_faults *faults = new_faults(maui_config_path(config), when);
	const struct maui_problem *problems;
	size_t count = maui_config_problems(config, &problems);

	faults->errors = errors;
	for (size_t i = 0; i < count && faults->count < MAUI_FAULTS_LISTED; i++)
		if (wanted(&problems[i]))
			faults->texts[faults->count++] = maui_faults_text(&problems[i], "");
	return faults;
}

struct maui_faults *maui_faults_of_config(const struct maui_config *config, time_t when)
{
	return faults_collect(config, when, maui_config_errors(config), is_error);
}

struct maui_faults *maui_faults_of_unknown(const struct maui_config *config, time_t when)
{
	return faults_collect(config, when, maui_config_unknown(config), is_unknown);
}

struct maui_faults *maui_faults_of_file(const char *path, const char *why, time_t when)
{
	struct maui_faults *faults = new_faults(path, when);

	faults->texts[0] = maui_strdup(why);
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
