/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options of a sweep, and its figures. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/config/keys/keys.h"
#include "common/util/memory.h"
#include "contribs/maui/lib/text.h"
#include "contribs/maui/replay/sweep/sweep.h"

/* ---- --sweep ---- */

static bool is_parameter(const char *name)
{
	char *plain = text_copy(name);
	bool known;

	plain[strcspn(plain, "[")] = '\0';
	known = maui_key_find(MAUI_PARAMETERS, plain);
	free(plain);
	return known;
}

/* Splits the list in its place. False: a value is empty. */
static bool sweep_options_split(struct sweep_axis *axis, char *list)
{
	size_t most = 1;

	for (const char *at = list; *at; at++)
		most += *at == ',';
	axis->values = maui_calloc(most, sizeof(*axis->values));
	for (char *value = list; value;) {
		char *comma = strchr(value, ',');

		if (comma)
			*comma++ = '\0';
		if (!*value)
			return false;
		axis->values[axis->count++] = value;
		value = comma;
	}
	return true;
}

size_t sweep_runs(const struct sweep *sweep)
{
	size_t runs = 1;

	for (size_t i = 0; i < sweep->count; i++)
		runs *= sweep->axis[i].count;
	return runs;
}

int sweep_add(const struct cli *cli, struct sweep *sweep, const char *option)
{
	struct sweep_axis *axis = &sweep->axis[sweep->count];
	char *values;

	if (sweep->count == SWEEP_KEYS)
		return fail_usage(cli, "at most %d parameters at a time", SWEEP_KEYS);
	axis->key = text_copy(option);
	sweep->count++; /* whoever clears the sweep clears it */
	values = strchr(axis->key, '=');
	if (!values || values == axis->key)
		return fail_usage(cli, "--sweep=%s: PARAMETER=VALUE,VALUE,...", option);
	*values++ = '\0';
	if (!is_parameter(axis->key))
		return fail_usage(cli, "--sweep=%s: no parameter %s; `maui keys` lists them",
				  option, axis->key);
	for (size_t i = 0; i + 1 < sweep->count; i++)
		if (!strcasecmp(sweep->axis[i].key, axis->key))
			return fail_usage(cli, "--sweep=%s: %s a second time", option, axis->key);
	if (!sweep_options_split(axis, values))
		return fail_usage(cli, "--sweep=%s: a value is empty", option);
	if (sweep_runs(sweep) > SWEEP_RUNS)
		return fail_usage(cli, "%zu combinations, more than %d", sweep_runs(sweep),
				  SWEEP_RUNS);
	return EXIT_OK;
}

void sweep_clear(struct sweep *sweep)
{
	for (size_t i = 0; i < sweep->count; i++) {
		free(sweep->axis[i].key);
		free(sweep->axis[i].values);
	}
	sweep->count = 0;
}

const char *sweep_value(const struct sweep *sweep, size_t number, size_t axis)
{
	for (size_t i = sweep->count; --i > axis;)
		number /= sweep->axis[i].count;
	return sweep->axis[axis].values[number % sweep->axis[axis].count];
}

/* ---- --rank-by ---- */

int sweep_rank_by(const struct cli *cli, struct sweep *sweep, const char *name)
{
	char names[256] = "";

	sweep->rank_by = replay_figure_find(name);
	if (sweep->rank_by)
		return EXIT_OK;
	for (const struct replay_figure *figure = replay_figures; figure->name; figure++) {
		size_t size = strlen(names);

		snprintf(names + size, sizeof(names) - size, " %s", figure->name);
	}
	return fail_usage(cli, "--rank-by=%s: there are%s", name, names);
}
