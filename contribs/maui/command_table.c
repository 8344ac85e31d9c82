/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * maui help --commands: the commands for programs, shell completion above all. A line a command: its name, and what may
 * follow, as its help has it: options (--limit= if it takes a value), sub-commands, and @JOB for what is a JOB. The
 * first line, of the name "maui", has the options of all.
 */
#include "contribs/maui/command_table.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "contribs/maui/command.h"
#include "contribs/maui/old_names.h"

#define MAX_WORDS 100
#define WORD_SIZE 40

/* Words of one line, each once. */
struct words {
	char text[MAX_WORDS][WORD_SIZE];
	size_t count;
};

static void add(struct words *words, const char *prefix, const char *text, size_t size)
{
	char word[WORD_SIZE];

	snprintf(word, sizeof(word), "%s%.*s", prefix, (int)size, text);
	for (size_t i = 0; i < words->count; i++)
		if (!strcmp(words->text[i], word))
			return;
	if (words->count < MAX_WORDS)
		memcpy(words->text[words->count++], word, sizeof(word));
}

static size_t letters(const char *text)
{
	size_t size = 0;

	while (isalnum((unsigned char)text[size]) || text[size] == '-')
		size++;
	return size;
}

/* "--limit=N": the value is no word of its own. */
static const char *take_option(struct words *words, const char *at)
{
	size_t size = letters(at);
	bool value = at[size] == '=';

	if (size > 1)
		add(words, "", at, size + value);
	at += size + value;
	return value ? at + letters(at) : at;
}

/* verify, JOB. "TASKS==n" is no name of anything. */
static const char *take_word(struct words *words, const char *at)
{
	size_t size = letters(at);

	if (at[size] == '=' || at[size] == '>')
		return at + size + strcspn(at + size, " |]");
	add(words, isupper((unsigned char)*at) ? "@" : "", at, size);
	return at + size;
}

static void take_synopsis(struct words *words, const char *at)
{
	while (*at) {
		if (*at == '-')
			at = take_option(words, at);
		else if (isalpha((unsigned char)*at))
			at = take_word(words, at);
		else
			at++;
	}
}

/* The lines of help that begin with an option: all of them that stand before the text, which two blanks separate. */
static void take_help(struct words *words, const char *line)
{
	while (*line) {
		const char *end = line + strcspn(line, "\n"), *at = line + strspn(line, " ");
		bool options = *at == '-';

		while (options && at < end && strncmp(at, "  ", 2) != 0)
			at = *at == '-' ? take_option(words, at) : at + 1;
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

static void print_global(void)
{
	const struct option *options;
	size_t count = global_option_list(&options);
	struct words words = {.count = 0};
	char text[WORD_SIZE];

	for (size_t i = 0; i < count; i++) {
		snprintf(text, sizeof(text), "%s%s", options[i].name,
			 options[i].has_arg == required_argument ? "=" : "");
		add(&words, "--", text, strlen(text));
	}
	print_line("maui", &words);
}

static void print_list(const struct command *command)
{
	for (; command->name; command++) {
		struct words words = {.count = 0};

		take_synopsis(&words, command->synopsis);
		take_help(&words, command->options);
		print_line(command->name, &words);
		if (*command->alias)
			print_line(command->alias, &words);
	}
}

void print_command_table(void)
{
	print_global();
	print_list(command_list());
	print_list(old_name_list());
}
