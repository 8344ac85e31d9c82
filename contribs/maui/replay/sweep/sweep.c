/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Replays one combination of a sweep, and checks all of them. */
#include "contribs/maui/replay/sweep/sweep.h"

#include <stdlib.h>
#include <string.h>

#include "contribs/maui/lib/text.h"

bool sweep_sets(const struct sweep *sweep, const char *name)
{
	size_t length = strlen(name);

	for (size_t i = 0; i < sweep->count; i++) {
		const char *key = sweep->axis[i].key;

		if (!strncasecmp(key, name, length) && (!key[length] || key[length] == '['))
			return true;
	}
	return false;
}

/* As lines at the end of the file, where they win. malloc'ed. */
static char *sweep_lines_of(const struct sweep *sweep, size_t number)
{
	char *lines = text_copy("\n");

	for (size_t i = 0; i < sweep->count; i++) {
		char *more = text_printf("%s%s %s\n", lines, sweep->axis[i].key,
					 sweep_value(sweep, number, i));

		free(lines);
		lines = more;
	}
	return lines;
}

int sweep_run_one(const struct replay_report *report, const struct sweep *sweep, size_t number,
		  struct sweep_run *ret_run)
{
	struct replay_side side = {.name = report->side[0].name};
	char *lines = sweep_lines_of(sweep, number);
	int code = replay_load_policy(report, &side, lines);

	if (code == EXIT_OK)
		code = replay_schedule(report, &side);
	*ret_run = (struct sweep_run){.number = number, .measures = side.measures};
	maui_replay_schedule_clear(&side.schedule);
	maui_policy_unref(side.policy);
	free(lines);
	return code;
}

int sweep_check(const struct replay_report *report, const struct sweep *sweep, size_t count)
{
	int code = EXIT_OK;

	for (size_t number = 0; code == EXIT_OK && number < count; number++) {
		struct replay_side side = {.name = report->side[0].name};
		char *lines = sweep_lines_of(sweep, number);

		code = replay_load_policy(report, &side, lines);
		maui_policy_unref(side.policy);
		free(lines);
	}
	return code;
}
