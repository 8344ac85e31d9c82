/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the command by the program's own name (a link such as showq) or by the
 * first argument, runs it, and prints `maui help`.
 */
#include "contribs/maui/program.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "contribs/maui/command_table.h"
#include "contribs/maui/help_commands.h"

static void print_program_help(void)
{
	printf("usage: maui COMMAND [OPTION...] [ARGUMENT...]\n"
	       "Maui's policies in Slurm: ask the engine in slurmctld, and check maui.cfg.\n\n"
	       "Commands:\n");
	for (const struct command *const *entry = command_list(); *entry; entry++)
		printf("  %-14s %s\n", (*entry)->name, (*entry)->summary);
	printf("\n`maui COMMAND --help` shows a command's options.\n\n%s\nmaui(1) has more.\n",
	       global_option_help());
}

/* maui help [--commands|COMMAND] */
static void print_help_on(const char *what)
{
	const struct command *command = what ? command_find(what) : NULL;

	if (what && !strcmp(what, "--commands"))
		print_help_commands();
	else if (command)
		print_help(command);
	else
		print_program_help();
}

/*
 * Global options may stand before the command, too. Returns the index of the command, 0 when there
 * is nothing to do.
 */
static int find_command(struct cli *cli, int argc, char **argv, int *ret_code)
{
	int option = next_option(cli, argc, argv, "+h", NULL);

	*ret_code = EXIT_ERRORS;
	if (option == OPTIONS_HELP)
		print_program_help();
	if (option == OPTIONS_DONE || option == OPTIONS_HELP)
		*ret_code = EXIT_OK;
	if (option != OPTIONS_END)
		return 0;
	if (optind >= argc) {
		complain_usage(cli, "which command?");
		return 0;
	}
	if (!strcmp(argv[optind], "help")) {
		print_help_on(argv[optind + 1]);
		*ret_code = EXIT_OK;
		return 0;
	}
	cli->command = command_find(argv[optind]);
	if (!cli->command) {
		complain_usage(cli, "there is no command %s", argv[optind]);
		return 0;
	}
	return optind;
}

int command_run(int argc, char **argv)
{
	struct cli cli = {.timeout = DEFAULT_TIMEOUT};
	int first = 0, code;

	if (argc < 1)
		return EXIT_ERRORS;
	cli.command = command_find(program_invocation_short_name);
	optind = 0; /* glibc: restart, also with another argv below */
	if (!cli.command) {
		first = find_command(&cli, argc, argv, &code);
		if (!first)
			return code;
	}
	optind = 0;
	return cli.command->run(&cli, argc - first, argv + first);
}
