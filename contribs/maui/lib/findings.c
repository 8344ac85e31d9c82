/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A growing array of errors and warnings, sorted by file, line and column, with
 * the paths of their files and the JSON of `maui check`.
 */
#include "contribs/maui/lib/findings.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"
#include "common/util/memory.h"
#include "contribs/maui/lib/command.h"
#include "common/report/json.h"
#include "contribs/maui/lib/text.h"

void findings_begin(struct findings *ret_findings)
{
	*ret_findings = (struct findings){.notes = json_make_array()};
}

void findings_clear(struct findings *findings)
{
	for (size_t i = 0; i < findings->count; i++)
		free(findings->problems[i].text);
	for (size_t i = 0; i < findings->file_count; i++)
		free(findings->files[i]);
	free(findings->problems);
	free(findings->files);
	json_object_put(findings->notes);
	*findings = (struct findings){0};
}

/* Files are few, and problems of one file mostly adjacent: it is nearly always the last one's. */
static size_t file_number(struct findings *findings, const char *file)
{
	size_t number = findings->count ? findings->problems[findings->count - 1].file : 0;

	if (number < findings->file_count && !strcmp(findings->files[number], file))
		return number;
	for (number = 0; number < findings->file_count; number++)
		if (!strcmp(findings->files[number], file))
			return number;
	findings->files = maui_grow(findings->files, number + 1, &findings->file_room,
				    sizeof(*findings->files));
	findings->files[number] = text_copy(file);
	findings->file_count++;
	return number;
}

/* Takes the text. Returns the problem, valid until the next one. */
static struct finding *findings_add(struct findings *findings, bool error,
				    const struct maui_origin *origin, char *text)
{
	size_t file = file_number(findings, origin->file);
	struct finding *problem;

	findings->problems = maui_grow(findings->problems, findings->count + 1, &findings->room,
				       sizeof(*findings->problems));
	problem = &findings->problems[findings->count++];
	*problem = (struct finding){.file = file,
				    .line = origin->line,
				    .column = origin->column,
				    .error = error,
				    .text = text};
	return problem;
}

void findings_useless(struct findings *findings, const struct maui_origin *origin,
		      const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	findings_add(findings, false, origin, text_vprintf(format, arguments))->useless = true;
	va_end(arguments);
}

void findings_warn(struct findings *findings, const struct maui_origin *origin, const char *format,
		   ...)
{
	va_list arguments;

	va_start(arguments, format);
	findings_add(findings, false, origin, text_vprintf(format, arguments));
	va_end(arguments);
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
	findings_add(findings, true, origin, text_copy(text));
}

void findings_problem(struct findings *findings, const struct maui_problem *problem)
{
	bool error = problem->severity == MAUI_ERROR;

	findings_add(findings, error, &problem->origin,
		     text_printf("%s%s", problem->text,
				 error && !problem->rest ? MAUI_FILE_REFUSED : ""));
}

void findings_file_error(struct findings *findings, const char *path, const char *text)
{
	findings_add(findings, true, &(struct maui_origin){.file = path}, text_copy(text));
}

void findings_file_warn(struct findings *findings, const char *path, const char *text)
{
	findings_add(findings, false, &(struct maui_origin){.file = path}, text_copy(text));
}

const char *findings_file(const struct findings *findings, const struct finding *problem)
{
	return findings->files[problem->file];
}

const char *findings_severity(const struct finding *problem)
{
	return problem->error ? "error" : "warning";
}

struct json_object *findings_json(const struct findings *findings)
{
	struct json_object *problems = json_make_array();

	for (size_t i = 0; i < findings->count; i++) {
		const struct finding *problem = &findings->problems[i];
		struct json_object *object = json_make_object();

		json_set_text(object, "severity", findings_severity(problem));
		json_set_text(object, "file", findings_file(findings, problem));
		json_set_number(object, "line", problem->line);
		json_set_number(object, "column", problem->column);
		json_set_text(object, "text", problem->text);
		json_append(problems, object);
	}
	return problems;
}

/* Those at one place stay in the order in which they were found. */
struct ranked {
	struct finding problem;
	size_t found;
};

static int findings_compare(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;

	if (x->problem.file != y->problem.file)
		return x->problem.file < y->problem.file ? -1 : 1;
	if (x->problem.line != y->problem.line)
		return x->problem.line < y->problem.line ? -1 : 1;
	if (x->problem.column != y->problem.column)
		return x->problem.column < y->problem.column ? -1 : 1;
	return x->found < y->found ? -1 : x->found > y->found;
}

static void sort_problems(struct findings *findings)
{
	size_t count = findings->count;
	struct ranked *ranked = maui_calloc(count + 1, sizeof(*ranked));

	for (size_t i = 0; i < count; i++)
		ranked[i] = (struct ranked){findings->problems[i], i};
	qsort(ranked, count, sizeof(*ranked), findings_compare);
	for (size_t i = 0; i < count; i++)
		findings->problems[i] = ranked[i].problem;
	free(ranked);
}

void findings_finish(struct findings *findings)
{
	sort_problems(findings);
	for (size_t i = 0; i < findings->count; i++) {
		if (findings->problems[i].error)
			findings->errors++;
		else
			findings->warnings++;
	}
}
