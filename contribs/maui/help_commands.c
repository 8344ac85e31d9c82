/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * maui help --commands: the commands for programs, mainly shell completion. One line per command:
 * its name, and what may follow, taken from its help: options (--limit= if it takes a value), what
 * a value is (-u@USER), sub-commands, and @JOB for a JOB. The first line, named "maui", has the
 * options of all commands.
 */
#include "contribs/maui/help_commands.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "contribs/maui/command_table.h"
#include "contribs/maui/old_names.h"

#define MAX_WORDS 160
#define MAX_SAME  8 /* options that share a value: -c, -q, --class=CLASSES */
#define WORD_SIZE 40

/* Words of one line, each once. */
struct words {
	char text[MAX_WORDS][WORD_SIZE];
	size_t count;
};

static void help_commands_add(struct words *words, const char *prefix, const char *text,
			      size_t size)
{
	char word[WORD_SIZE];

	snprintf(word, sizeof(word), "%s%.*s", prefix, (int)size, text);
	for (size_t i = 0; i < words->count; i++)
		if (!strcmp(words->text[i], word))
			return;
	if (words->count < MAX_WORDS)
		memcpy(words->text[words->count++], word, sizeof(word));
}

/* Options whose value is not known yet. */
struct open_options {
	const char *at[MAX_SAME];
	size_t size[MAX_SAME], count;
};

/* All of them have this value. */
static void close_options(struct words *words, struct open_options *options, const char *value,
			  size_t size)
{
	char word[WORD_SIZE];

	for (size_t i = 0; i < options->count; i++) {
		snprintf(word, sizeof(word), "%.*s@%.*s", (int)options->size[i], options->at[i],
			 (int)size, value);
		help_commands_add(words, "", word, strlen(word));
	}
	options->count = 0;
}

static size_t help_commands_letters(const char *text)
{
	size_t size = 0;

	while (isalnum((unsigned char)text[size]) || text[size] == '-')
		size++;
	return size;
}

/* "--limit=N", "-n N": the value is not a word of its own. */
static const char *take_option(struct words *words, struct open_options *options, const char *at)
{
	size_t size = help_commands_letters(at);
	bool value = at[size] == '=';
	const char *next = at + size + 1;

	if (size > 1)
		help_commands_add(words, "", at, size + value);
	if (size > 1 && options->count < MAX_SAME) {
		options->at[options->count] = at;
		options->size[options->count++] = size;
	}
	if (!value && (at[size] != ' ' || !isupper((unsigned char)*next)))
		return at + size;
	if (isupper((unsigned char)*next))
		close_options(words, options, next, help_commands_letters(next));
	next += help_commands_letters(next);
	return *next == '=' ? next + 1 + help_commands_letters(next + 1) : next; /* TYPE=NAME */
}

/* verify, JOB. "TASKS==n" names nothing. */
static const char *take_word(struct words *words, const char *at)
{
	size_t size = help_commands_letters(at);

	if (at[size] == '=' || at[size] == '>')
		return at + size + strcspn(at + size, " |]");
	help_commands_add(words, isupper((unsigned char)*at) ? "@" : "", at, size);
	return at + size;
}

static void take_synopsis(struct words *words, const char *at)
{
	struct open_options options = {.count = 0};

	while (*at) {
		if (strchr("[]|", *at))
			options.count = 0;
		if (*at == '-')
			at = take_option(words, &options, at);
		else if (isalpha((unsigned char)*at))
			at = take_word(words, at);
		else
			at++;
	}
}

/* A line of help that begins with an option: all options before the text, which two blanks
 * separate. */
static void take_help(struct words *words, const char *line)
{
	while (*line) {
		const char *end = line + strcspn(line, "\n"), *at = line + strspn(line, " ");
		bool is_option = *at == '-';
		struct open_options options = {.count = 0};

		while (is_option && at < end && strncmp(at, "  ", 2) != 0) {
			if (strchr("[]|", *at))
				options.count = 0;
			at = *at == '-' ? take_option(words, &options, at) : at + 1;
		}
		line = end + (*end == '\n');
	}
}

static void print_line(const char *name, const struct words *words)
{
	fputs(name, stdout);
	for (size_t i = 0; i < words->count; i++)
		printf(" %s", words->text[i]);
	putchar('\n');
}

/* "--host@HOST", from the help on global options. */
static void print_global(void)
{
	const struct option *options;
	size_t count = global_option_list(&options);
	struct words words = {.count = 0};
	char text[WORD_SIZE];

	for (size_t i = 0; i < count; i++) {
		snprintf(text, sizeof(text), "%s%s", options[i].name,
			 options[i].has_arg == required_argument ? "=" : "");
		help_commands_add(&words, "--", text, strlen(text));
	}
	take_help(&words, global_option_help());
	print_line("maui", &words);
}

static void print_command(const struct command *command)
{
	struct words words = {.count = 0};

	take_synopsis(&words, command->synopsis);
	if (command->options)
		take_help(&words, command->options);
	print_line(command->name, &words);
	if (command->alias)
		print_line(command->alias, &words);
}

static void print_list(const struct command *const *list)
{
	for (; *list; list++)
		print_command(*list);
}

void print_help_commands(void)
{
	print_global();
	print_list(command_list());
	print_list(old_name_list());
}
