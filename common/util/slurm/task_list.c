/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parses ranges with steps, counts their tasks, tests whether two lists share a
 * task, and writes tasks as ranges.
 */
#include "common/util/slurm/task_list.h"

#include <inttypes.h>
#include <string.h>

#include "common/util/text.h"

#define SHORTEST 4 /* tasks: fewer with a step are listed one by one */
#define DOTS     "..."

static bool read_number(const char **text, int64_t *ret_number)
{
	int64_t number = 0;

	if (!maui_is_digit(**text))
		return false;
	for (; maui_is_digit(**text); (*text)++)
		if (number <= MAUI_TASK_GREATEST)
			number = number * 10 + (**text - '0');
	*ret_number = number;
	return number <= MAUI_TASK_GREATEST;
}

bool maui_task_next(const char **list, struct maui_task_range *ret_range)
{
	struct maui_task_range range = {.step = 1};
	const char *at = *list;

	if (!read_number(&at, &range.first))
		return false;
	range.last = range.first;
	if (*at == '-' && (at++, !read_number(&at, &range.last)))
		return false;
	if (*at == ':' && (at++, !read_number(&at, &range.step)))
		return false;
	if (range.last < range.first || !range.step)
		return false;
	*list = at + (*at == ',' && maui_is_digit(at[1]));
	*ret_range = range;
	return true;
}

static bool range_has(const struct maui_task_range *range, int64_t task)
{
	return task >= range->first && task <= range->last &&
	       (task - range->first) % range->step == 0;
}

bool maui_task_list_has(const char *list, int64_t task)
{
	struct maui_task_range range;

	while (maui_task_next(&list, &range))
		if (range_has(&range, task))
			return true;
	return false;
}

/* What is left of a division by b's step repeats after so many tasks of a. */
static bool ranges_meet(const struct maui_task_range *a, const struct maui_task_range *b)
{
	int64_t first = a->first;

	if (a->step < b->step)
		return ranges_meet(b, a);
	if (first < b->first)
		first += (b->first - first + a->step - 1) / a->step * a->step;
	for (int64_t i = 0; i < b->step && first <= a->last && first <= b->last; i++) {
		if (range_has(b, first))
			return true;
		first += a->step;
	}
	return false;
}

bool maui_task_lists_meet(const char *a, const char *b)
{
	struct maui_task_range one, other;

	while (maui_task_next(&a, &one))
		for (const char *rest = b; maui_task_next(&rest, &other);)
			if (ranges_meet(&one, &other))
				return true;
	return false;
}

int64_t maui_task_list_count(const char *list, int64_t limit)
{
	struct maui_task_range range;
	int64_t count = 0;

	while (count < limit && maui_task_next(&list, &range))
		count += (range.last - range.first) / range.step + 1;
	return count < limit ? count : limit;
}

/* How many tasks from here on have the distance of the first two. */
static size_t run_of(const uint32_t *tasks, size_t count)
{
	size_t run = count < 2 ? count : 2;

	while (run < count && tasks[run] - tasks[run - 1] == tasks[1] - tasks[0])
		run++;
	return run < 2 || tasks[1] - tasks[0] == 1 || run >= SHORTEST ? run : 1;
}

void maui_task_list_write(const uint32_t *tasks, size_t count, FILE *file)
{
	for (size_t i = 0, run; i < count; i += run) {
		run = run_of(tasks + i, count - i);
		fprintf(file, "%s%" PRIu32, i ? "," : "", tasks[i]);
		if (run > 1)
			fprintf(file, "-%" PRIu32, tasks[i + run - 1]);
		if (run > 1 && tasks[i + 1] - tasks[i] > 1)
			fprintf(file, ":%" PRIu32, tasks[i + 1] - tasks[i]);
	}
}

const char *maui_task_list_cut(const char *list, char *buffer, size_t size)
{
	size_t length = strlen(list);

	if (length < size) {
		memcpy(buffer, list, length + 1);
		return buffer;
	}
	length = size - sizeof(DOTS);
	while (length && list[length - 1] != ',')
		length--;
	memcpy(buffer, list, length);
	memcpy(buffer + length, DOTS, sizeof(DOTS));
	return buffer;
}
