/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The sub-commands of `maui`, and what they all share: exit codes, global options, and how to say
 * that it went wrong.
 */
#ifndef MAUI_COMMAND_H
#define MAUI_COMMAND_H

#include <getopt.h>
#include <stdbool.h>
#include <stddef.h>

/* Scripts depend on these numbers: maui(1). */
enum exit_code {
	EXIT_OK = 0,
	EXIT_WARNINGS = 1,    /* check: nothing worse than warnings */
	EXIT_ERRORS = 2,      /* wrong usage, a file unreadable or with errors, not there yet */
	EXIT_UNREACHABLE = 3, /* no engine answers, or not in time */
	EXIT_UNTRUSTED = 4,   /* what answers does not prove to be the engine */
	EXIT_REFUSED = 5,     /* the engine says no */
};

#define DEFAULT_TIMEOUT 10 /* seconds */

struct command;

/* What the global options say; NULL and 0 are "not given". */
struct cli {
	const struct command *command;
	const char *config_file;
	const char *host;
	const char *munge_socket;
	const char *slurm_user;
	const char *queue_file; /* a saved maui.queue/1, in place of asking Slurm */
	unsigned int port;
	int timeout; /* seconds, for the whole exchange with the engine */
	bool json;
};

/* Each stands at the end of the file that runs it, and in command_table.c. */
struct command {
	const char *name;
	const char *alias;    /* another name, of a link too; NULL none */
	const char *synopsis; /* what follows the name */
	const char *summary;
	const char *options; /* help on its own options, a line each; NULL none */
	/* argv[0] is the command's name; returns an exit code */
	int (*run)(struct cli *cli, int argc, char **argv);
};

/* What next_option() returns beside a command's own options. */
enum {
	OPTIONS_END = -1,
	OPTIONS_BAD = '?',
	OPTIONS_HELP = 'h', /* --help before any command: its reader knows which there are */
	OPTIONS_DONE = 256  /* --help and the like: all is said */
};

/*
 * The next option of a command's own; global ones are dealt with on the way. shorts and longs
 * (which may be NULL) are as of getopt_long, the values of longs below 256.
 */
int next_option(struct cli *cli, int argc, char **argv, const char *shorts,
		const struct option *longs);

/* All options of a command that has none of its own but -v: OPTIONS_END, or where it ended. */
int verbose_option(struct cli *cli, int argc, char **argv, bool *ret_verbose);

/* The options that all commands know; returns their number. */
size_t global_option_list(const struct option **ret_list);

/* The help on them. */
const char *global_option_help(void);

/* An option's whole number from 1 to limit; 0 if text is none. */
unsigned int parse_count(const char *text, unsigned int limit);

/* `maui COMMAND --help` */
void print_help(const struct command *command);

/* "ERROR:    text" on standard error, as the original's commands say it. */
void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The same, as a value: return fail(EXIT_..., "...", ...). A macro, so that compilers see the
 * value. */
#define fail(code, ...) (complain(__VA_ARGS__), (code))
/* "NOTE:     text" on standard error: nothing went wrong, but the reader should know. */
void note(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Until it is called with NULL, the first of what would be complained about is kept there instead;
 * notes are not. */
void complaints_keep(char *buffer, size_t size);
/* Wrong usage: the text, and where to find help. */
void complain_usage(const struct cli *cli, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
#define fail_usage(...) (complain_usage(__VA_ARGS__), EXIT_ERRORS)
#define fail_memory()   fail(EXIT_ERRORS, "out of memory")

#endif
