/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Replaces stdout with a FILE of fopencookie() that collects lines, measures
 * them without colour sequences, and cuts or wraps the wide ones.
 */
#include "contribs/maui/lib/terminal.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "common/util/memory.h"
#include "contribs/maui/lib/command.h"
#include "contribs/maui/lib/printable_stream.h"

#define LINE_LIMIT 4096 /* bytes; longer ones are printed unchanged */
#define NARROWEST  20   /* columns: nothing is readable in fewer */

#define OUTPUT_BUFFER (1 << 16) /* bytes */

static struct {
	FILE *given; /* standard output as the program has got it; NULL: outside of begin and end */
	FILE *out;   /* what is printable goes on to it */
	size_t width; /* of the terminal; 0: lines are unchanged */
	bool wide, colour, error_colour;
	char line[LINE_LIMIT];
	size_t used;
} terminal;

/* ---- colours ---- */

static bool has_colours(int fd)
{
	const char *no = getenv("NO_COLOR"), *kind = getenv("TERM");

	return isatty(fd) && !(no && *no) && kind && *kind && strcmp(kind, "dumb") != 0;
}

static const char *const sequences[] = {
	[MARK_END] = "\033[0m",   [MARK_TITLE] = "\033[1m", [MARK_GOOD] = "\033[32m",
	[MARK_WARN] = "\033[33m", [MARK_BAD] = "\033[31m",  NULL,
};

const char *mark(enum mark mark)
{
	return terminal.colour ? sequences[mark] : "";
}

const char *error_mark(enum mark mark)
{
	return terminal.error_colour ? sequences[mark] : "";
}

/* ---- lines ---- */

/* The byte after a colour sequence at text; text itself if there is none. */
static const char *past_mark(const char *text)
{
	if (*text != '\033')
		return text;
	while (*text && *text != 'm')
		text++;
	return *text ? text + 1 : text;
}

/* The byte after one column. The bytes of one UTF-8 character are one column. */
static const char *past_column(const char *text)
{
	text = past_mark(text);
	if (*text)
		text++;
	while (((unsigned char)*text & 0xc0) == 0x80)
		text++;
	return text;
}

/* The byte after this many columns, or the end. */
static const char *past_columns(const char *text, size_t columns)
{
	while (columns-- && *text)
		text = past_column(text);
	return text;
}

/* Whether it is wider than the terminal. Marks at its end have no width. */
static bool is_too_wide(const char *line)
{
	const char *rest = past_columns(line, terminal.width);

	while (past_mark(rest) != rest)
		rest = past_mark(rest);
	return *rest;
}

static bool has_columns(const char *line)
{
	return strstr(line + strspn(line, " "), "  ");
}

static void print_part(const char *from, const char *end)
{
	fwrite(from, 1, (size_t)(end - from), terminal.out);
}

static void print_cut(const char *line)
{
	print_part(line, past_columns(line, terminal.width - 1));
	fprintf(terminal.out, "%s>\n", mark(MARK_END));
}

static void print_wrapped(const char *line)
{
	size_t indent = strspn(line, " "), shift = 0;

	if (indent > terminal.width / 2)
		indent = 0;
	while (*line) {
		const char *limit = past_columns(line, terminal.width - shift), *end = limit;

		/* At the last blank after the indentation; a word that is too long stays whole. */
		if (*limit)
			while (end > line + indent && *end != ' ')
				end--;
		if (*limit && end <= line + indent)
			end = limit + strcspn(limit, " ");
		fprintf(terminal.out, "%*s", (int)shift, "");
		print_part(line, end);
		fputc('\n', terminal.out);
		line = end + strspn(end, " ");
		shift = indent;
	}
}

static void print_line(void)
{
	terminal.line[terminal.used] = '\0';
	if (terminal.wide || !is_too_wide(terminal.line))
		fprintf(terminal.out, "%s\n", terminal.line);
	else if (has_columns(terminal.line))
		print_cut(terminal.line);
	else
		print_wrapped(terminal.line);
	terminal.used = 0;
}

/* An unfinished line, unchanged: at a flush, or if it is too long to be handled. */
static void print_rest(void)
{
	fwrite(terminal.line, 1, terminal.used, terminal.out);
	terminal.used = 0;
}

static ssize_t write_lines(void *cookie, const char *text, size_t size)
{
	(void)cookie;
	for (size_t i = 0; i < size; i++) {
		if (text[i] == '\n') {
			print_line();
			continue;
		}
		if (terminal.used + 1 == sizeof(terminal.line))
			print_rest();
		terminal.line[terminal.used++] = text[i];
	}
	return fflush(terminal.out) || ferror(terminal.out) ? 0 : (ssize_t)size;
}

static size_t width_of_terminal(void)
{
	const char *columns = getenv("COLUMNS");
	long given = columns ? strtol(columns, NULL, 10) : 0;
	struct winsize size = {0};

	if (given > 0)
		return (size_t)given;
	return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) ? 0 : size.ws_col;
}

void terminal_begin(void)
{
	static const char *const none[] = {NULL};
	static char buffer[OUTPUT_BUFFER];
	FILE *lines = NULL;

	terminal.colour = has_colours(STDOUT_FILENO);
	terminal.error_colour = has_colours(STDERR_FILENO);
	terminal.width = isatty(STDOUT_FILENO) ? width_of_terminal() : 0;
	terminal.given = stdout;
	terminal.out = printable_stream(stdout, terminal.colour ? sequences : none);
	if (!terminal.out)
		maui_memory_short(0);
	if (terminal.width >= NARROWEST)
		lines = fopencookie(NULL, "w", (cookie_io_functions_t){.write = write_lines});
	stdout = lines ? lines : terminal.out;
	if (isatty(STDOUT_FILENO))
		setvbuf(stdout, NULL, _IOLBF, 0);
	else
		setvbuf(stdout, buffer, _IOFBF, sizeof(buffer));
}

int terminal_end(void)
{
	bool has_lines = stdout != terminal.out;
	int failed = has_lines ? fclose(stdout) : 0;

	if (has_lines)
		print_rest();
	failed |= fclose(terminal.out);
	stdout = terminal.given;
	failed |= fflush(stdout) || ferror(stdout);
	terminal.given = terminal.out = NULL;
	terminal.wide = false;
	return failed ? -1 : 0;
}

void terminal_wide(void)
{
	terminal.wide = true;
}
