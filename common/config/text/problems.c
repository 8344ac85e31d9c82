/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Keeps errors and warnings up to a limit for each severity, sorts them by
 * file, line and column, and counts the rest.
 */
#include "common/config/text/problems.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"
#include "common/util/text.h"

static size_t limit_of(const struct maui_problems *problems)
{
	return problems->kept ? problems->kept : MAUI_PROBLEMS_KEPT;
}

bool maui_problems_wanted(const struct maui_problems *problems, enum maui_severity severity)
{
	return problems->found[severity] < limit_of(problems);
}

static unsigned int file_number(const struct maui_problems *problems, const char *file)
{
	for (size_t i = 0; i < problems->file_count; i++)
		if (problems->files[i] == file)
			return i;
	return problems->file_count;
}

struct maui_problem *maui_problem_add(struct maui_problems *problems, enum maui_severity severity,
				      struct maui_origin origin, const char *format, ...)
{
	char buffer[512], *text;
	va_list args;

	if (problems->found[severity]++ >= limit_of(problems))
		return NULL;
	va_start(args, format);
	vsnprintf(buffer, sizeof(buffer), format, args);
	va_end(args);
	maui_make_printable(buffer); /* messages go to logs, terminals and JSON */
	text = maui_arena_text(problems->arena, buffer, strlen(buffer));
	problems->items = maui_grow(problems->items, problems->count + 1, &problems->room,
				    sizeof(*problems->items));
	problems->items[problems->count] = (struct maui_problem_item){
		.problem = {.severity = severity, .origin = origin, .text = text},
		.file = file_number(problems, origin.file),
		.sequence = problems->count,
	};
	return &problems->items[problems->count++].problem;
}

static int problems_compare(unsigned int a, unsigned int b)
{
	return (a > b) - (a < b);
}

static int compare_items(const void *left, const void *right)
{
	const struct maui_problem_item *a = left, *b = right;
	int order = problems_compare(a->file, b->file);

	if (!order)
		order = problems_compare(a->problem.origin.line, b->problem.origin.line);
	if (!order)
		order = problems_compare(a->problem.origin.column, b->problem.origin.column);
	return order ? order : problems_compare(a->sequence, b->sequence);
}

/* What was not kept, in words. */
static const char *describe_rest(struct maui_problems *problems, size_t errors, size_t warnings)
{
	char text[128];

	snprintf(text, sizeof(text), "%zu more error%s and %zu more warning%s are not listed",
		 errors, errors == 1 ? "" : "s", warnings, warnings == 1 ? "" : "s");
	return maui_arena_text(problems->arena, text, strlen(text));
}

static size_t not_kept(const struct maui_problems *problems, enum maui_severity severity)
{
	return problems->found[severity] > limit_of(problems)
		       ? problems->found[severity] - limit_of(problems)
		       : 0;
}

void maui_problems_finish(struct maui_problems *problems, struct maui_problem **ret_list,
			  size_t *ret_count)
{
	size_t errors = not_kept(problems, MAUI_ERROR), warnings = not_kept(problems, MAUI_WARNING);
	size_t count = problems->count;
	struct maui_problem *list = maui_arena_alloc(problems->arena, count + 1, sizeof(*list));

	if (count)
		qsort(problems->items, count, sizeof(*problems->items), compare_items);
	for (size_t i = 0; i < count; i++)
		list[i] = problems->items[i].problem;
	free(problems->items);
	problems->items = NULL;
	if (errors || warnings) {
		list[count] = (struct maui_problem){
			.severity = errors ? MAUI_ERROR : MAUI_WARNING,
			.origin = list[count - 1]
					  .origin, /* some are listed, or there would be no rest */
			.text = describe_rest(problems, errors, warnings),
			.rest = true,
		};
		count++;
	}
	*ret_list = list;
	*ret_count = count;
}
