/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contribs/maui/lib/findings.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "contribs/maui/lib/command.h"
#include "contribs/maui/lib/json.h"
#include "contribs/maui/lib/output.h"
#include "contribs/maui/lib/text.h"

void findings_begin(struct findings *ret_findings)
{
	*ret_findings = (struct findings){.problems = json_make_array(),
					  .notes = json_make_array(),
					  .useless = json_make_array()};
}

void findings_clear(struct findings *findings)
{
	json_object_put(findings->problems);
	json_object_put(findings->notes);
	json_object_put(findings->useless);
	*findings = (struct findings){0};
}

/* Returns the problem. Line and column 0: the file as a whole. */
static struct json_object *add(struct findings *findings, const char *severity, const char *file,
			       unsigned int line, unsigned int column, const char *text)
{
	struct json_object *problem = json_make_object();

	json_set_text(problem, "severity", severity);
	json_set_text(problem, "file", file);
	json_set_number(problem, "line", line);
	json_set_number(problem, "column", column);
	json_set_text(problem, "text", text);
	json_append(findings->problems, problem);
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
	struct json_object *problem;
	va_list arguments;
	char *text;

	va_start(arguments, format);
	text = text_vprintf(format, arguments);
	va_end(arguments);
	problem = add_problem(findings, "warning", origin, text);
	json_append(findings->useless, json_object_get(problem));
	free(text);
}

void findings_warn(struct findings *findings, const struct maui_origin *origin, const char *format,
		   ...)
{
	va_list arguments;
	char *text;

	va_start(arguments, format);
	text = text_vprintf(format, arguments);
	va_end(arguments);
	add_problem(findings, "warning", origin, text);
	free(text);
}

void findings_note(struct findings *findings, const char *format, ...)
{
	va_list arguments;
	char *text;

	va_start(arguments, format);
	text = text_vprintf(format, arguments);
	va_end(arguments);
	json_append_text(findings->notes, text);
	free(text);
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
	struct json_object *sorted = json_make_array();

	if (!ranked)
		exit_out_of_memory();
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
		json_append(sorted, json_object_get(ranked[i].problem));
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
