/* SPDX-License-Identifier: GPL-2.0-or-later */
/* maui import: the command and its options. */
#include "contribs/maui/import/import_command.h"

#include "contribs/maui/import/import_compare.h"
#include "contribs/maui/import/import_torque.h"

/* 0, 1 and 2, as `maui check` has them; of a comparison 0 and 2. */
static int run_options(const struct cli *cli, const struct import_options *options)
{
	const char *names[IMPORT_SOURCES] = {NULL};
	struct maui_import import;
	bool basic = false;
	int code;

	maui_import_begin(&import);
	code = import_site(options, &import, names, &basic);
	if (code == EXIT_OK && options->compare) {
		code = import_compare(cli, &import, basic, options->compare_file);
	} else if (code == EXIT_OK) {
		import_print(names, &import);
		code = import.count[MAUI_IMPORT_LOST] || import.count[MAUI_IMPORT_OTHER]
			       ? EXIT_WARNINGS
			       : EXIT_OK;
	}
	maui_import_clear(&import);
	return code;
}

/* OPTIONS_END, or what ends the command: its exit code in *ret_code. */
static int take_options(struct cli *cli, int argc, char **argv, struct import_options *options,
			int *ret_code)
{
	static const struct option longs[] = {{"associations", required_argument, NULL, 'a'},
					      {"compare", optional_argument, NULL, 'c'},
					      {"qos", required_argument, NULL, 'q'},
					      {"output", required_argument, NULL, 'o'},
					      {"reservations", required_argument, NULL, 'r'},
					      {"slurm-conf", required_argument, NULL, 's'},
					      {"take-limits", no_argument, NULL, 'l'},
					      {"torque", required_argument, NULL, 't'},
					      {0}};
	struct import_paths *paths = &options->paths;
	int option;

	while ((option = next_option(cli, argc, argv, "", longs)) != OPTIONS_END) {
		const char **path = option == 'a'   ? &paths->associations
				    : option == 'o' ? &options->output
				    : option == 'q' ? &paths->qos
				    : option == 'r' ? &paths->reservations
				    : option == 's' ? &paths->slurm_conf
				    : option == 't' ? &options->torque
						    : NULL;

		if (option == 'l') {
			options->take_limits = true;
			continue;
		}
		if (option == 'c') {
			options->compare = true;
			options->compare_file = optarg;
			continue;
		}
		*ret_code = option == OPTIONS_DONE ? EXIT_OK : EXIT_ERRORS;
		if (path && *path)
			complain_usage(cli, "one file at a time");
		if (!path || *path)
			return OPTIONS_DONE;
		*path = optarg;
	}
	return OPTIONS_END;
}

static int run_torque(const struct cli *cli, const struct import_options *options)
{
	const struct import_paths *paths = &options->paths;

	if (!options->torque)
		return fail_usage(cli, "--output needs --torque");
	if (paths->slurm_conf || paths->qos || paths->associations || paths->reservations ||
	    options->take_limits || options->compare)
		return fail_usage(cli, "--torque takes --output alone");
	return import_torque(options->torque, options->output);
}

static int run_import(struct cli *cli, int argc, char **argv)
{
	struct import_options options = {.timeout = DEFAULT_TIMEOUT};
	int code;

	if (take_options(cli, argc, argv, &options, &code) != OPTIONS_END)
		return code;
	if (optind < argc)
		return fail_usage(cli, "unexpected argument %s", argv[optind]);
	if (cli->json && !options.compare)
		return fail_usage(cli,
				  "import prints a maui.cfg: `maui showconfig --json FILE` has "
				  "one as JSON; --compare takes --json");
	if (options.torque || options.output)
		return run_torque(cli, &options);
	options.timeout = cli->timeout;
	return run_options(cli, &options);
}

const struct command import_command = {
	.name = "import",
	.synopsis = "[--slurm-conf=FILE] [--qos=FILE] [--associations=FILE]\n"
		    "       [--reservations=FILE] [--take-limits] [--compare[=FILE] [--json]]\n"
		    "       --torque=DIR [--output=NEWDIR]",
	.summary = "Print a maui.cfg with the priorities and reservations of a Slurm",
	.options =
		"      --slurm-conf=FILE   read files, and do not ask the running Slurm: this\n"
		"                          slurm.conf, and those that it includes\n"
		"      --qos=FILE          QOS, as `sacctmgr -P show qos` prints them with the\n"
		"                          columns of maui(1)\n"
		"      --associations=FILE the file of `sacctmgr dump`\n"
		"      --reservations=FILE what `scontrol show reservation` prints\n"
		"      --take-limits       limits of QOS and associations become Maui's, where\n"
		"                          both count alike, and commands that take them out of\n"
		"                          Slurm are printed\n"
		"      --compare[=FILE]    instead of the maui.cfg print how alike the order of\n"
		"                          the waiting jobs would be: Slurm's own, and that by\n"
		"                          the maui.cfg, or by another one\n"
		"      --torque=DIR        the files of a Torque instead: lines of slurm.conf, a\n"
		"                          script of sacctmgr's commands, a maui.cfg, remarks\n"
		"      --output=NEWDIR     write these to files there; none is overwritten\n",
	.run = run_import,
};
