/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * keytables TEMPLATE: copies the template of maui.cfg(5) to standard output with the lines
 * @PARAMETERS@, @ATTRIBUTES@ and @SLURM@ replaced by the key table.
 */
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/config/keys/keys.h"
#include "common/util/memory.h"
#include "contribs/maui/lib/key_text.h"

#define WIDTH 78 /* of lines; groff does not care, mandoc and readers of the source do */

/*
 * One word as roff: a minus before a digit is a sign, a dot or quote at the start of a line would
 * be a request.
 */
static void print_word(const char *word, size_t size)
{
	if (*word == '.' || *word == '\'')
		fputs("\\&", stdout);
	for (size_t i = 0; i < size; i++) {
		if (word[i] == '\\')
			fputs("\\e", stdout);
		else if (word[i] == '-' && isdigit((unsigned char)word[i + 1]))
			fputs("\\-", stdout);
		else if (word[i] == '^')
			fputs("\\(ha", stdout);
		else
			putchar(word[i]);
	}
}

/* Words, wrapped to WIDTH; a newline at the end. */
static void print_words(const char *text)
{
	size_t column = 0;

	while (*(text += strspn(text, " "))) {
		size_t size = strcspn(text, " ");

		if (column && column + size >= WIDTH) {
			putchar('\n');
			column = 0;
		} else if (column) {
			putchar(' ');
			column++;
		}
		print_word(text, size);
		column += size;
		text += size;
	}
	putchar('\n');
}

/* A sentence on lines of its own: begins with a capital, ends with a full stop. */
__attribute__((format(printf, 1, 2))) static void print_sentence(const char *format, ...)
{
	va_list arguments;
	size_t size;
	char *text, *whole;

	va_start(arguments, format);
	text = maui_vasprintf(format, arguments);
	va_end(arguments);
	size = strlen(text);
	*text = (char)toupper((unsigned char)*text);
	whole = maui_asprintf("%s%s", text, size && text[size - 1] == '.' ? "" : ".");
	print_words(whole);
	free(whole);
	free(text);
}

/* "USERCFG, QOSCFG" */
static const char *sections_text(const struct maui_key_info *info, char *text, size_t size)
{
	*text = '\0';
	for (enum maui_section section = MAUI_SYSCFG; section < MAUI_SECTIONS; section++) {
		size_t used = strlen(text);

		if (info->sections & MAUI_IN(section))
			snprintf(text + used, size - used, "%s%s", used ? ", " : "",
				 maui_section_name(section));
	}
	return text;
}

static void print_details(const struct maui_key_info *info)
{
	char values[KEY_TEXT_SIZE];

	key_value_text(info, values);
	if (info->default_text)
		print_sentence("Value: %s; default %s", values, info->default_text);
	else
		print_sentence("Value: %s", values);
	if (*info->aliases)
		print_sentence("Also: %s", info->aliases);
	if (info->missing)
		print_sentence("No effect: %s", info->missing);
	if (*info->chapter)
		print_sentence("Chapter %s", info->chapter);
}

static void print_key(const struct maui_key_info *info, bool attribute)
{
	char sections[128];

	printf(".TP\n");
	if (info->gres)
		printf(".BR %s [\\fIGRES\\fP%s]\n", info->name,
		       info->dimensions ? "[,\\fIcredential\\fP]" : "");
	else if (info->indexed || info->dimensions)
		printf(".BR %s [\\fI%s\\fP]\n", info->name,
		       info->indexed ? "partition" : "credential");
	else
		printf(".B %s\n", info->name);
	print_sentence("%s", info->summary);
	if (attribute)
		print_sentence("On %s", sections_text(info, sections, sizeof(sections)));
	print_details(info);
}

static bool is_parameter(const struct maui_key_info *info)
{
	return info->sections & MAUI_IN(MAUI_PARAMETERS);
}

static void print_keys(bool attribute)
{
	for (enum maui_area area = 0; area < MAUI_AREA_SLURM; area++) {
		bool first = true;

		for (enum maui_key key = 0; key < MAUI_KEYS; key++) {
			const struct maui_key_info *info = maui_key_info(key);

			if (!info || info->area != area || is_parameter(info) == attribute)
				continue;
			if (first)
				printf(".SS %s: %s\n", attribute ? "Attributes" : "Parameters",
				       maui_area_name(area));
			first = false;
			print_key(info, attribute);
		}
	}
}

/* What Slurm does in Maui's place. */
static void print_slurm(void)
{
	for (enum maui_key key = 0; key < MAUI_KEYS; key++) {
		const struct maui_key_info *info = maui_key_info(key);

		if (!info || info->area != MAUI_AREA_SLURM)
			continue;
		printf(".TP\n.B %s\n", info->name);
		print_sentence("%s", info->summary);
	}
}

static void print_line(const char *line)
{
	if (!strcmp(line, "@PARAMETERS@\n"))
		print_keys(false);
	else if (!strcmp(line, "@ATTRIBUTES@\n"))
		print_keys(true);
	else if (!strcmp(line, "@SLURM@\n"))
		print_slurm();
	else
		fputs(line, stdout);
}

int main(int argc, char **argv)
{
	FILE *template = argc == 2 ? fopen(argv[1], "re") : NULL;
	char *line = NULL;
	size_t size = 0;

	if (!template) {
		fprintf(stderr, "usage: keytables TEMPLATE (%s)\n", strerror(errno));
		return 1;
	}
	while (getline(&line, &size, template) >= 0)
		print_line(line);
	free(line);
	fclose(template);
	return fflush(stdout) || ferror(stdout);
}
