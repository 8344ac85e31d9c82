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

static int run_fs(struct cli *cli, int argc, char **argv)
{
	int option = next_option(cli, argc, argv, "+", NULL); /* global ones may come first */
	int first = optind;

	if (option != OPTIONS_END)
		return option == OPTIONS_DONE ? EXIT_OK : EXIT_ERRORS;
	if (first >= argc)
		return fail_usage(cli, "fs verify, fs show, or fs import?");
	optind = 0; /* glibc: restart, with another argv */
	for (size_t i = 0; i < SUBCOMMAND_COUNT; i++)
		if (!strcmp(argv[first], subcommands[i].name))
			return subcommands[i].run(cli, argc - first, argv + first);
	return fail_usage(cli, "fs has no %s", argv[first]);
}

static const char fs_help[] =
	"  verify DIR              whether each file in DIR is sound\n"
	"    -v                    also which users and groups this machine does not know\n"
	"  show [DIR]              what diagnose -f would show, from the files; without DIR of\n"
	"                          the engine's STATDIR\n"
	"    --at=TIME             seconds since 1970, in place of now\n"
	"    -v                    also who has neither used anything nor a target\n"
	"  import DIR              write files of Maui's anew where the engine finds them\n"
	"    --to=STATDIR          there, in place of the engine's STATDIR\n"
	"    --recent              only windows that still count\n"
	"    --force               in place of files that are there already\n"
	"    --dry-run             write nothing, tell what would be\n";

const struct command fs_command = {
	.name = "fs",
	.synopsis = "verify [-v] DIR | show [-v] [DIR] | import DIR",
	.summary = "Check, show, and take over files of fairshare usage, FS.<time>",
	.options = fs_help,
	.run = run_fs,
};
