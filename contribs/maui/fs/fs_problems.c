/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Splits "line L, column C: " off the text of an FS file's error, and adds the
 * rest to the findings of DIRECTORY/FS.<start>.
 */
#include "contribs/maui/fs/fs_problems.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contribs/maui/fs/fs_directory.h"
#include "contribs/maui/lib/command.h"
#include "contribs/maui/lib/output.h"
#include "contribs/maui/lib/text.h"

void fs_problems_begin(struct fs_problems *ret_problems)
{
	*ret_problems = (struct fs_problems){0};
	findings_begin(&ret_problems->findings);
}

void fs_problems_clear(struct fs_problems *problems)
{
	findings_clear(&problems->findings);
	problems->printed = 0;
}

static char *make_path(const char *directory, int64_t start)
{
	char name[FS_NAME_SIZE];

	if (start < 0)
		return text_copy(directory);
	fs_file_name(start, name);
	return text_printf("%s/%s", directory, name);
}

/* Splits "line L, column C: " off a text: returns the rest, and the place. NULL: it has none. */
static const char *take_place(const char *text, struct maui_origin *origin)
{
	char *at;

	if (strncmp(text, "line ", 5) != 0)
		return NULL;
	origin->line = (unsigned int)strtoul(text + 5, &at, 10);
	if (strncmp(at, ", column ", 9) != 0)
		return NULL;
	origin->column = (unsigned int)strtoul(at + 9, &at, 10);
	return origin->line && origin->column && !strncmp(at, ": ", 2) ? at + 2 : NULL;
}

/* Read errors name the file themselves. */
static const char *without_path(const char *text, const char *path)
{
	size_t size = strlen(path);

	return !strncmp(text, path, size) && !strncmp(text + size, ": ", 2) ? text + size + 2
									    : text;
}

void fs_problem(struct fs_problems *problems, const char *directory, int64_t start,
		const char *text)
{
	char *path = make_path(directory, start);
	struct maui_origin origin = {.file = path};
	const char *placed = take_place(text, &origin);

	if (placed)
		findings_error(&problems->findings, &origin, without_path(placed, path));
	else
		findings_file_error(&problems->findings, path, without_path(text, path));
	problems->findings.errors++;
	free(path);
}

void fs_warning(struct fs_problems *problems, const char *directory, int64_t start,
		const char *format, ...)
{
	char *path = make_path(directory, start), *text;
	va_list arguments;

	va_start(arguments, format);
	text = text_vprintf(format, arguments);
	va_end(arguments);
	findings_file_warn(&problems->findings, path, text);
	problems->findings.warnings++;
	free(path);
	free(text);
}

static void print_problem(const struct findings *findings, const struct finding *problem)
{
	char *path = text_copy(findings_file(findings, problem));
	char *text = text_copy(problem->text);

	clean_text(path);
	clean_text(text);
	fprintf(stderr, "%s:", path);
	if (problem->line)
		fprintf(stderr, "%u:%u:", problem->line, problem->column);
	fprintf(stderr, " %s: %s\n", findings_severity(problem), text);
	free(path);
	free(text);
}

void fs_problems_print(struct fs_problems *problems)
{
	const struct findings *findings = &problems->findings;

	fflush(stdout);
	for (; problems->printed < findings->count; problems->printed++)
		print_problem(findings, &findings->problems[problems->printed]);
}

int fs_problems_code(const struct fs_problems *problems)
{
	if (problems->findings.errors)
		return EXIT_ERRORS;
	return problems->findings.warnings ? EXIT_WARNINGS : EXIT_OK;
}
