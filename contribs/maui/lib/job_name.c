/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Splits lists of job names at commas outside brackets, and parses each name: a
 * number, then nothing, _TASK, _[TASKS] or +OFFSET.
 */
#include "contribs/maui/lib/job_name.h"

#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"
#include "common/util/slurm/task_list.h"
#include "common/util/text.h"
#include "contribs/maui/lib/command.h"
#include "contribs/maui/lib/text.h"

#define GREATEST INT64_C(4294967295)

static bool job_name_number(const char **text, int64_t *ret_number)
{
	int64_t number = 0;

	if (!maui_is_digit(**text))
		return false;
	for (; maui_is_digit(**text); (*text)++)
		if (number <= GREATEST)
			number = number * 10 + (**text - '0');
	*ret_number = number;
	return number <= GREATEST;
}

/* "3", or "[1-9:2,20%4]"; nothing may follow. */
static bool job_name_tasks(const char *text, const char **ret_tasks)
{
	struct maui_task_range range;
	bool bracket = *text == '[';
	const char *at = text + bracket;
	int64_t running;

	*ret_tasks = at;
	if (!bracket)
		return maui_is_digit(*at) && !at[strspn(at, "0123456789")] &&
		       maui_task_next(&at, &range);
	if (!maui_task_next(&at, &range))
		return false;
	while (maui_task_next(&at, &range))
		;
	if (*at == '%' && (at++, !job_name_number(&at, &running)))
		return false;
	return at[0] == ']' && !at[1];
}

bool job_name_read(const char *text, struct job_name *ret_name)
{
	struct job_name name = {JOB_WHOLE};

	if (!job_name_number(&text, &name.number) || !name.number)
		return false;
	if (*text == '_') {
		name.part = JOB_TASKS;
		if (!job_name_tasks(text + 1, &name.tasks))
			return false;
	} else if (*text == '+') {
		name.part = JOB_COMPONENT;
		text++;
		if (!job_name_number(&text, &name.offset) || *text)
			return false;
	} else if (*text) {
		return false;
	}
	*ret_name = name;
	return true;
}

/* Up to a comma that is in no brackets. */
static size_t job_name_size(const char *text)
{
	bool inside = false;
	size_t size = 0;

	for (; text[size] && (inside || text[size] != ','); size++)
		inside = text[size] == '[' || (inside && text[size] != ']');
	return size;
}

char **job_names_split(int count, char *const *lists)
{
	char **names = NULL;
	size_t used = 0, room = 0;

	for (int i = 0; i < count; i++) {
		const char *at = lists[i];
		size_t size;

		do {
			size = job_name_size(at);
			names = maui_grow(names, used + 2, &room, sizeof(*names));
			names[used++] = text_printf("%.*s", (int)size, at);
			at += size;
		} while (*at++);
	}
	names = maui_grow(names, used + 1, &room, sizeof(*names));
	names[used] = NULL;
	return names;
}

void job_names_clear(char **names)
{
	for (char **name = names; name && *name; name++)
		free(*name);
	free(names);
}
