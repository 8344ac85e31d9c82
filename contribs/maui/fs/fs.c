/* SPDX-License-Identifier: GPL-2.0-or-later */
/* maui fs: the files of fairshare usage, FS.<time>, without an engine. */
#include "contribs/maui/fs/fs.h"

#include <string.h>

static const struct {
	const char *name;
	int (*run)(struct cli *cli, int argc, char **argv);
} subcommands[] = {
	{"verify", run_fs_verify},
	{"show", run_fs_show},
	{"import", run_fs_import},
};
#define SUBCOMMAND_COUNT (sizeof(subcommands) / sizeof(subcommands[0]))

int run_fs(struct cli *cli, int argc, char **argv)
{
	int option = next_option(cli, argc, argv, "+", NULL); /* global ones may come first */
	int first = optind;

	if (option != OPTIONS_END)
		return option == OPTIONS_DONE ? EXIT_OK : EXIT_ERRORS;
	if (first >= argc)
		return fail_usage(cli, "fs verify, fs show, or fs import?");
	optind = 0; /* glibc: start anew, at another argv */
	for (size_t i = 0; i < SUBCOMMAND_COUNT; i++)
		if (!strcmp(argv[first], subcommands[i].name))
			return subcommands[i].run(cli, argc - first, argv + first);
	return fail_usage(cli, "fs has no %s", argv[first]);
}
