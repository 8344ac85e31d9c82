/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The sub-commands of `maui`, and what they all share: exit codes, global options, and how to
 * report errors.
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
	EXIT_ERRORS = 2,      /* wrong usage, a file unreadable or with errors, not supported yet */
	EXIT_UNREACHABLE = 3, /* no engine answers in time */
	EXIT_UNTRUSTED = 4,   /* what answers cannot prove to be the engine */
	EXIT_REFUSED = 5,     /* the engine refuses */
};

#define DEFAULT_TIMEOUT 10 /* seconds */

struct command;
struct maui_config;

/* The global options; NULL and 0 are "not given". */
struct cli {
	const struct command *command;
	const char *config_file;
	const char *host;
	const char *munge_socket;
	const char *slurm_user;
	const char *queue_file; /* a saved maui.queue/1, instead of asking Slurm */
	unsigned int port;
	int timeout; /* seconds, for the whole exchange with the engine */
	bool json;
};

/* Each is at the end of the file that runs it, and in command_table.c. */
struct command {
	const char *name;
	const char *alias;    /* another name, also for a link; NULL none */
	const char *synopsis; /* what follows the name */
	const char *summary;
	const char *options; /* help on its own options, one line each; NULL none */
	/* argv[0] is the command's name; returns an exit code */
	int (*run)(struct cli *cli, int argc, char **argv);
};

/* What next_option() returns besides a command's own options. */
enum {
	OPTIONS_END = -1,
	OPTIONS_BAD = '?',
	OPTIONS_HELP = 'h', /* --help before any command: the caller has the list */
	OPTIONS_DONE = 256  /* --help and the like: nothing left to do */
};

/*
 * The command's next own option; global ones are handled on the way. shorts and longs (which may be
 * NULL) are as for getopt_long, the values of longs below 256.
 */
int next_option(struct cli *cli, int argc, char **argv, const char *shorts,
		const struct option *longs);

/* All options of a command whose only own option is -v: OPTIONS_END, or what stopped it. */
int verbose_option(struct cli *cli, int argc, char **argv, bool *ret_verbose);

/* The options that all commands accept; returns their number. */
size_t global_option_list(const struct option **ret_list);

/* The help on them. */
const char *global_option_help(void);

/* An option's whole number from 1 to limit; 0 if text is not one. */
unsigned int parse_count(const char *text, unsigned int limit);

/* `maui COMMAND --help` */
void print_help(const struct command *command);

/* "ERROR:    text" on standard error, as the original's commands print it. */
void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The same as an expression: return fail(EXIT_..., "...", ...). A macro, so that compilers see the
 * value. */
#define fail(code, ...) (complain(__VA_ARGS__), (code))
/* "NOTE:     text" on standard error: nothing went wrong, but the reader should know. */
void note(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Until it is called with NULL, the first complaint is kept in buffer instead; notes are not. */
void complaints_keep(char *buffer, size_t size);
/* The errors of a maui.cfg with their places, at most so many. */
void complain_of_errors(const struct maui_config *config, size_t most);
/* Wrong usage: the text, and where to find help. */
void complain_usage(const struct cli *cli, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
#define fail_usage(...) (complain_usage(__VA_ARGS__), EXIT_ERRORS)

#endif
