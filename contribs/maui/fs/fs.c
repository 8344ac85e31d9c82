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
	"  show [DIR]              what diagnose -f would show, from the files; by default\n"
	"                          those in the engine's STATDIR\n"
	"    --at=TIME             seconds since 1970, instead of now\n"
	"    -v                    also those with neither usage nor a target\n"
	"  import DIR              rewrite Maui's files where the engine finds them\n"
	"  import --sacct FILE     make windows of what sacct -P has printed\n"
	"    --to=STATDIR          write there instead of the engine's STATDIR\n"
	"    --recent              only windows that still count\n"
	"    --force               replace existing files\n"
	"    --dry-run             write nothing, say what would be written\n";

const struct command fs_command = {
	.name = "fs",
	.synopsis = "verify [-v] DIR | show [-v] [DIR] | import DIR | import --sacct FILE",
	.summary = "Check, show, and import files of fairshare usage, FS.<time>",
	.options = fs_help,
	.run = run_fs,
};
