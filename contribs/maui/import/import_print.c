/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints an import as a maui.cfg: lines in columns, and remarks in comments of 80 columns. */
#include "contribs/maui/import/import_print.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "contribs/maui/import/import_command.h"
#include "contribs/maui/lib/output.h"
#include "contribs/maui/lib/text.h"

#define WIDTH  80
#define INDENT "#       "

/* Words of a text, in comments; the first line has its beginning already. */
static void print_wrapped(FILE *file, const char *text, size_t column)
{
	bool first = true;

	while (*text) {
		size_t size = strcspn(text, " ");

		if (column + 1 + size > WIDTH && !first) {
			fputs("\n" INDENT, file);
			column = strlen(INDENT);
		} else if (!first) {
			fputc(' ', file);
			column++;
		}
		fprintf(file, "%.*s", (int)size, text);
		column += size;
		first = false;
		text += size + (text[size] == ' ');
	}
	fputc('\n', file);
}

/* Settings of one effect, one behind another, have it once. */
static bool print_next_is_alike(const struct maui_import *import, size_t i)
{
	const struct maui_import_remark *remarks = import->remarks;

	return i + 1 < import->remark_count && remarks[i].fate == remarks[i + 1].fate &&
	       !strcmp(remarks[i].effect, remarks[i + 1].effect);
}

void import_print_remarks(FILE *file, const struct maui_import *import, enum maui_import_fate fate,
			  const char *heading)
{
	if (!import->count[fate])
		return;
	fprintf(file, "\n# %s\n", heading);
	for (size_t i = 0; i < import->remark_count; i++) {
		const struct maui_import_remark *remark = &import->remarks[i];
		char setting[2048], effect[2048];

		if (remark->fate != fate)
			continue;
		fputs("#   ", file);
		print_wrapped(file, clean_copy(remark->setting, setting, sizeof(setting)),
			      strlen("#  "));
		if (print_next_is_alike(import, i))
			continue;
		fputs(INDENT, file);
		print_wrapped(file, clean_copy(remark->effect, effect, sizeof(effect)),
			      strlen(INDENT));
	}
}

static int print_width(const struct maui_import *import, bool value)
{
	size_t most = 0;

	for (size_t i = 0; i < import->line_count; i++) {
		const struct maui_import_line *line = &import->lines[i];
		size_t size = strlen(value ? line->value : line->key);

		most = size > most && size <= WIDTH / 3 ? size : most;
	}
	return (int)most;
}

/* A line each, which is not wrapped: to be copied. */
static void print_commands(const struct maui_import *import)
{
	char text[4096];

	if (!import->command_count)
		return;
	fputs("\n# Slurm has some of the limits above, too. Once Maui enforces them, which shadow\n"
	      "# mode does not, these commands take them out of Slurm. None has been run:\n",
	      stdout);
	for (size_t i = 0; i < import->command_count; i++)
		printf("#   %s\n", clean_copy(import->commands[i], text, sizeof(text)));
}

void import_print(const char *const names[IMPORT_SOURCES], const struct maui_import *import)
{
	int keys = print_width(import, false), values = print_width(import, true);
	const char *between = "";
	char text[2048];

	fputs("# Made by `maui import` from ", stdout);
	for (size_t i = 0; i < IMPORT_SOURCES; i++) {
		if (!names[i])
			continue;
		fputs(between, stdout);
		print_clean(names[i]);
		between = ", ";
	}
	fputs(".\n# A job has the priority that Slurm would give it, --nice and site factor\n"
	      "# included, but for the lists below.\n\n",
	      stdout);
	for (size_t i = 0; i < import->line_count; i++) {
		const struct maui_import_line *line = &import->lines[i];

		printf("%-*s ", keys, clean_copy(line->key, text, sizeof(text)));
		printf("%-*s # ", values, clean_copy(line->value, text, sizeof(text)));
		print_clean(line->why);
		putchar('\n');
	}
	print_commands(import);
	import_print_remarks(stdout, import, MAUI_IMPORT_LOST, "Nothing in Maui does this:");
	import_print_remarks(stdout, import, MAUI_IMPORT_OTHER, "This is different:");
	import_print_remarks(stdout, import, MAUI_IMPORT_STAYS, "Slurm goes on doing this:");
}
