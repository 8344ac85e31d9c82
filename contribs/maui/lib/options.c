/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options that all commands accept, including those of the original's commands, and help. */
#include "contribs/maui/lib/command.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contribs/maui/lib/terminal.h"

enum {
	OPTION_ABOUT = 512,
	OPTION_CONFIGFILE,
	OPTION_FORMAT,
	OPTION_HELP,
	OPTION_HOST,
	OPTION_JSON,
	OPTION_KEYFILE,
	OPTION_LOGLEVEL,
	OPTION_MUNGE_SOCKET,
	OPTION_PORT,
	OPTION_QUEUE,
	OPTION_SLURM_USER,
	OPTION_TIMEOUT,
	OPTION_VERSION,
	OPTION_WIDE,
};

static const struct option global_options[] = {
	{"about", no_argument, NULL, OPTION_ABOUT},
	{"configfile", required_argument, NULL, OPTION_CONFIGFILE},
	{"format", required_argument, NULL, OPTION_FORMAT},
	{"help", no_argument, NULL, OPTION_HELP},
	{"host", required_argument, NULL, OPTION_HOST},
	{"json", no_argument, NULL, OPTION_JSON},
	{"keyfile", required_argument, NULL, OPTION_KEYFILE},
	{"loglevel", required_argument, NULL, OPTION_LOGLEVEL},
	{"munge-socket", required_argument, NULL, OPTION_MUNGE_SOCKET},
	{"port", required_argument, NULL, OPTION_PORT},
	{"queue-file", required_argument, NULL, OPTION_QUEUE},
	{"slurm-user", required_argument, NULL, OPTION_SLURM_USER},
	{"timeout", required_argument, NULL, OPTION_TIMEOUT},
	{"version", no_argument, NULL, OPTION_VERSION},
	{"wide", no_argument, NULL, OPTION_WIDE},
};

#define GLOBAL_COUNT (sizeof(global_options) / sizeof(global_options[0]))
#define OWN_LIMIT    32 /* more long options than any command has */

static const char global_help[] =
	"Options of all commands:\n"
	"  --json, --format=json   JSON for programs, \"schema\" first\n"
	"  --configfile=FILE       the maui.cfg that names the engine's host and port\n"
	"  --host=HOST --port=N    where the engine is, instead of what is configured\n"
	"  --timeout=SECONDS       how long the engine may take (10)\n"
	"  --munge-socket=PATH     munged's socket, instead of slurm.conf's AuthInfo\n"
	"  --slurm-user=USER       who besides root may answer\n"
	"  --queue-file=FILE       read what `maui queue` printed instead of asking Slurm\n"
	"  --wide                  do not cut or wrap lines wider than the terminal\n"
	"  --help --version --about\n";

size_t global_option_list(const struct option **ret_list)
{
	*ret_list = global_options;
	return GLOBAL_COUNT;
}

const char *global_option_help(void)
{
	return global_help;
}

void print_help(const struct command *command)
{
	printf("usage: maui %s %s\n%s.\n", command->name, command->synopsis, command->summary);
	if (command->options)
		printf("\n%s", command->options);
	printf("\n%s\nmaui(1) has more.\n", global_help);
}

static void print_version(void)
{
	printf("maui (Slurm-Maui) %s\n", MAUI_VERSION);
}

static void print_about(void)
{
	print_version();
	printf("The policies of the Maui Scheduler as plugins of Slurm: a clean-room "
	       "implementation.\n"
	       "Free software under the GNU General Public License, version 2 or later.\n");
}

unsigned int parse_count(const char *text, unsigned int limit)
{
	unsigned long value;
	char *end;

	if (*text < '0' || *text > '9')
		return 0;
	errno = 0;
	value = strtoul(text, &end, 10);
	return errno || *end || value > limit ? 0 : (unsigned int)value;
}

static int set_port(struct cli *cli, const char *text)
{
	cli->port = parse_count(text, 65535);
	if (cli->port)
		return 0;
	complain_usage(cli, "--port=%s: a port is a number from 1 to 65535", text);
	return OPTIONS_BAD;
}

static int set_timeout(struct cli *cli, const char *text)
{
	cli->timeout = (int)parse_count(text, 86400);
	if (cli->timeout)
		return 0;
	complain_usage(cli, "--timeout=%s: seconds are a number from 1 to 86400", text);
	return OPTIONS_BAD;
}

static int set_format(struct cli *cli, const char *text)
{
	if (strcmp(text, "json") != 0 && strcmp(text, "text") != 0) {
		complain_usage(cli, "--format=%s: there are text and json", text);
		return OPTIONS_BAD;
	}
	cli->json = !strcmp(text, "json");
	return 0;
}

static int options_show(void (*print)(void))
{
	print();
	return OPTIONS_DONE;
}

/* 0: handled. */
static int global_option(struct cli *cli, int option)
{
	switch (option) {
	case OPTION_ABOUT:
		return options_show(print_about);
	case OPTION_VERSION:
		return options_show(print_version);
	case OPTION_HELP:
		if (!cli->command)
			return OPTIONS_HELP;
		print_help(cli->command);
		return OPTIONS_DONE;
	case OPTION_FORMAT:
		return set_format(cli, optarg);
	case OPTION_PORT:
		return set_port(cli, optarg);
	case OPTION_TIMEOUT:
		return set_timeout(cli, optarg);
	case OPTION_CONFIGFILE:
		cli->config_file = optarg;
		return 0;
	case OPTION_HOST:
		cli->host = optarg;
		return 0;
	case OPTION_JSON:
		cli->json = true;
		return 0;
	case OPTION_MUNGE_SOCKET:
		cli->munge_socket = optarg;
		return 0;
	case OPTION_QUEUE:
		cli->queue_file = optarg;
		return 0;
	case OPTION_SLURM_USER:
		cli->slurm_user = optarg;
		return 0;
	case OPTION_WIDE:
		terminal_wide();
		return 0;
	case OPTION_KEYFILE:
		note("--keyfile has no effect: the engine identifies the caller by munge");
		return 0;
	default:
		note("--loglevel has no effect: the engine logs with slurmctld");
		return 0;
	}
}

int next_option(struct cli *cli, int argc, char **argv, const char *shorts,
		const struct option *longs)
{
	struct option all[GLOBAL_COUNT + OWN_LIMIT + 1] = {0};
	size_t count = GLOBAL_COUNT;

	memcpy(all, global_options, sizeof(global_options));
	for (; longs && longs->name && count < GLOBAL_COUNT + OWN_LIMIT; longs++)
		all[count++] = *longs;
	for (;;) {
		int option = getopt_long(argc, argv, shorts, all, NULL);

		if (option == OPTIONS_BAD) { /* getopt has reported the error */
			fprintf(stderr, "`maui %s%s--help` shows how it is used.\n",
				cli->command ? cli->command->name : "", cli->command ? " " : "");
			return OPTIONS_BAD;
		}
		if (option < OPTION_ABOUT)
			return option;
		option = global_option(cli, option);
		if (option)
			return option;
	}
}

int verbose_option(struct cli *cli, int argc, char **argv, bool *ret_verbose)
{
	int option;

	while ((option = next_option(cli, argc, argv, "v", NULL)) == 'v')
		*ret_verbose = true;
	return option;
}
