/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How commands report errors. */
#include "contribs/maui/lib/command.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/config/config.h"
#include "common/util/memory.h"
#include "contribs/maui/lib/output.h"
#include "contribs/maui/lib/terminal.h"
#include "contribs/maui/lib/text.h"

#define ERROR_PREFIX "ERROR:    "

/* Where complaints go. */
static struct {
	char *buffer; /* NULL: to standard error */
	size_t size;
} complaints;

void complaints_keep(char *buffer, size_t size)
{
	complaints.buffer = buffer;
	complaints.size = size;
	if (buffer)
		*buffer = '\0';
}

static void complaints_print(enum mark level, const char *prefix, const char *text)
{
	fprintf(stderr, "%s%s%s%s\n", error_mark(level), prefix, error_mark(MARK_END), text);
}

/* Where memory is short, also in a library: maui_memory_short(). */
static void end_command(size_t bytes)
{
	(void)bytes;
	complaints_print(MARK_BAD, ERROR_PREFIX, "out of memory"); /* even if complaints are kept */
	exit(EXIT_ERRORS);
}

__attribute__((constructor)) static void set_memory_handler(void)
{
	maui_memory_set_handler(end_command);
}

/*
 * Texts may come from files and from the network: their control characters must not reach the
 * terminal.
 */
__attribute__((format(printf, 3, 0))) static void
complaints_say(enum mark level, const char *prefix, const char *format, va_list arguments)
{
	char *text = text_vprintf(format, arguments);

	clean_text(text);
	complaints_print(level, prefix, text);
	free(text);
}

__attribute__((format(printf, 1, 0))) static void say_complaint(const char *format,
								va_list arguments)
{
	if (complaints.buffer && *complaints.buffer)
		return;
	if (complaints.buffer)
		vsnprintf(complaints.buffer, complaints.size, format, arguments);
	else
		complaints_say(MARK_BAD, ERROR_PREFIX, format, arguments);
}

void complain(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	say_complaint(format, arguments);
	va_end(arguments);
}

void note(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	complaints_say(MARK_WARN, "NOTE:     ", format, arguments);
	va_end(arguments);
}

void complain_usage(const struct cli *cli, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	say_complaint(format, arguments);
	va_end(arguments);
	if (complaints.buffer)
		return;
	fprintf(stderr, "`maui %s%s--help` shows how it is used.\n",
		cli->command ? cli->command->name : "", cli->command ? " " : "");
}

void complain_of_errors(const struct maui_config *config, size_t most)
{
	const struct maui_problem *problems;
	size_t count = maui_config_problems(config, &problems), said = 0;

	for (size_t i = 0; i < count && said < most; i++) {
		if (problems[i].severity != MAUI_ERROR)
			continue;
		said++;
		complain("%s:%u:%u: %s", problems[i].origin.file, problems[i].origin.line,
			 problems[i].origin.column, problems[i].text);
	}
}
