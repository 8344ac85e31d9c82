/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contribs/maui/lib/findings.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contribs/maui/lib/output.h"

static bool add_string(struct json_object *object, const char *name, const char *text)
{
	struct json_object *value = json_object_new_string(text);

	return value && json_object_object_add(object, name, value) == 0;
}

/* The problem; NULL if out of memory. Line and column 0: the file as a whole. */
static struct json_object *add(struct findings *findings, const char *severity, const char *file,
			       unsigned int line, unsigned int column, const char *text)
{
	struct json_object *problem = json_object_new_object();

	if (!problem || !add_string(problem, "severity", severity) ||
	    !add_string(problem, "file", file) ||
	    json_object_object_add(problem, "line", json_object_new_int64(line)) ||
	    json_object_object_add(problem, "column", json_object_new_int64(column)) ||
	    !add_string(problem, "text", text) ||
	    json_object_array_add(findings->problems, problem)) {
		json_object_put(problem);
		findings->short_of_memory = true;
		return NULL;
	}
	return problem;
}

static struct json_object *add_problem(struct findings *findings, const char *severity,
				       const struct maui_origin *origin, const char *text)
{
	return add(findings, severity, origin->file, origin->line, origin->column, text);
}

void findings_useless(struct findings *findings, const struct maui_origin *origin,
		      const char *format, ...)
{
	struct json_object *problem = NULL;
	va_list arguments;
	char *text;

	va_start(arguments, format);
	if (vasprintf(&text, format, arguments) < 0)
		text = NULL;
	va_end(arguments);
	if (text)
		problem = add_problem(findings, "warning", origin, text);
	if (!problem || (findings->useless &&
			 json_object_array_add(findings->useless, json_object_get(problem))))
		findings->short_of_memory = true;
	free(text);
}

void findings_warn(struct findings *findings, const struct maui_origin *origin, const char *format,
		   ...)
{
	va_list arguments;
	char *text;

	va_start(arguments, format);
	if (vasprintf(&text, format, arguments) < 0)
		text = NULL;
	va_end(arguments);
	if (text)
		add_problem(findings, "warning", origin, text);
	else
		findings->short_of_memory = true;
	free(text);
}

void findings_note(struct findings *findings, const char *format, ...)
{
	va_list arguments;
	struct json_object *string;
	char *text;

	va_start(arguments, format);
	if (vasprintf(&text, format, arguments) < 0)
		text = NULL;
	va_end(arguments);
	string = text ? json_object_new_string(text) : NULL;
	free(text);
	if (!string || json_object_array_add(findings->notes, string))
		findings->short_of_memory = true;
}

void findings_error(struct findings *findings, const struct maui_origin *origin, const char *text)
{
	add_problem(findings, "error", origin, text);
}

void findings_file_error(struct findings *findings, const char *path, const char *text)
{
	add(findings, "error", path, 0, 0, text);
}

void findings_file_warn(struct findings *findings, const char *path, const char *text)
{
	add(findings, "warning", path, 0, 0, text);
}

/* A problem with its place in the order. */
struct ranked {
	struct json_object *problem;
	size_t file, found;
	int64_t line, column;
};

static int compare(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;

	if (x->file != y->file)
		return x->file < y->file ? -1 : 1;
	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	if (x->column != y->column)
		return x->column < y->column ? -1 : 1;
	return x->found < y->found ? -1 : x->found > y->found;
}

/*
 * Files are few, and problems of one file are adjacent: the last file's number is nearly always
 * right.
 */
static size_t file_number(const struct ranked *ranked, size_t count, const char *file)
{
	size_t greatest = 0;

	for (size_t i = count; i-- > 0;) {
		if (!strcmp(member_text(ranked[i].problem, "file"), file))
			return ranked[i].file;
		if (ranked[i].file > greatest)
			greatest = ranked[i].file;
	}
	return greatest + 1;
}

static void sort_problems(struct findings *findings)
{
	size_t count = array_size(findings->problems);
	struct ranked *ranked = calloc(count + 1, sizeof(*ranked));
	struct json_object *sorted = json_object_new_array();

	if (!ranked || !sorted) {
		free(ranked);
		json_object_put(sorted);
		findings->short_of_memory = true;
		return;
	}
	for (size_t i = 0; i < count; i++) {
		struct json_object *problem = json_object_array_get_idx(findings->problems, i);

		ranked[i].file = file_number(ranked, i, member_text(problem, "file"));
		ranked[i].problem = problem;
		ranked[i].found = i;
		ranked[i].line = member_integer(problem, "line");
		ranked[i].column = member_integer(problem, "column");
	}
	qsort(ranked, count, sizeof(*ranked), compare);
	for (size_t i = 0; i < count; i++)
		if (json_object_array_add(sorted, json_object_get(ranked[i].problem)))
			findings->short_of_memory = true;
	free(ranked);
	json_object_put(findings->problems);
	findings->problems = sorted;
}

void findings_finish(struct findings *findings)
{
	sort_problems(findings);
	for (size_t i = 0; i < array_size(findings->problems); i++) {
		struct json_object *problem = json_object_array_get_idx(findings->problems, i);

		if (!strcmp(member_text(problem, "severity"), "error"))
			findings->errors++;
		else
			findings->warnings++;
	}
}
