/* SPDX-License-Identifier: GPL-2.0-or-later */
/* maui import: the command and its options. */
#include "contribs/maui/import/import_command.h"

/* 0, 1 and 2, as `maui check` has them. */
static int run_files(const struct import_paths *paths)
{
	struct maui_import import;
	int code;

	maui_import_begin(&import);
	code = import_files(paths, &import);
	if (code == EXIT_OK) {
		import_print(paths, &import);
		code = import.count[MAUI_IMPORT_LOST] || import.count[MAUI_IMPORT_OTHER]
			       ? EXIT_WARNINGS
			       : EXIT_OK;
	}
	maui_import_clear(&import);
	return code;
}

static int run_import(struct cli *cli, int argc, char **argv)
{
	static const struct option longs[] = {{"associations", required_argument, NULL, 'a'},
					      {"qos", required_argument, NULL, 'q'},
					      {"reservations", required_argument, NULL, 'r'},
					      {"slurm-conf", required_argument, NULL, 's'},
					      {0}};
	struct import_paths paths = {0};
	int option;

	while ((option = next_option(cli, argc, argv, "", longs)) != OPTIONS_END) {
		const char **path = option == 'a'   ? &paths.associations
				    : option == 'q' ? &paths.qos
				    : option == 'r' ? &paths.reservations
				    : option == 's' ? &paths.slurm_conf
						    : NULL;

		if (!path)
			return option == OPTIONS_DONE ? EXIT_OK : EXIT_ERRORS;
		if (*path)
			return fail_usage(cli, "one file at a time");
		*path = optarg;
	}
	if (optind < argc)
		return fail_usage(cli, "unexpected argument %s", argv[optind]);
	if (cli->json)
		return fail_usage(cli,
				  "import prints a maui.cfg: `maui showconfig --json FILE` has "
				  "one as JSON");
	if (!paths.slurm_conf)
		return fail_usage(cli, "which slurm.conf? --slurm-conf=FILE");
	return run_files(&paths);
}

const struct command import_command = {
	.name = "import",
	.synopsis = "--slurm-conf=FILE [--qos=FILE] [--associations=FILE]\n"
		    "       [--reservations=FILE]",
	.summary = "Print a maui.cfg with the priorities and reservations of a Slurm",
	.options =
		"      --slurm-conf=FILE   read this slurm.conf, and the files that it includes\n"
		"      --qos=FILE          QOS, as `sacctmgr -P show qos` prints them\n"
		"      --associations=FILE the file of `sacctmgr dump`\n"
		"      --reservations=FILE what `scontrol show reservation` prints\n",
	.run = run_import,
};
