/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * maui check: every problem of a maui.cfg, printed as compilers do. Besides what the parser finds:
 * users and groups that this machine does not know, QOS lists without their default, and what
 * slurm.conf must say for the policies to work. It also reports what could not be checked, and
 * which nodes a HOSTLIST matches.
 */
#include "contribs/maui/check/check.h"

#include <pwd.h>
#include <stdio.h>

#include "common/config/config.h"
#include "common/report/json.h"
#include "contribs/maui/lib/output.h"
#include "contribs/maui/lib/terminal.h"
#include "contribs/maui/slurm/slurm_site.h"

static void print_problems(const struct findings *findings)
{
	for (size_t i = 0; i < findings->count; i++) {
		const struct finding *problem = &findings->problems[i];

		print_clean(findings_file(findings, problem));
		printf(":%u:%u: %s%s:%s ", problem->line, problem->column,
		       mark(problem->error ? MARK_BAD : MARK_WARN), findings_severity(problem),
		       mark(MARK_END));
		print_clean(problem->text);
		putchar('\n');
	}
	fflush(stdout);
	for (size_t i = 0; i < array_size(findings->notes); i++)
		note("%s", json_object_get_string(json_object_array_get_idx(findings->notes, i)));
}

static void print_findings_json(const char *path, const struct findings *findings)
{
	struct json_object *data = json_make_object();

	json_set_text(data, "file", path);
	json_set_number(data, "errors", findings->errors);
	json_set_number(data, "warnings", findings->warnings);
	json_set(data, "problems", findings_json(findings));
	json_set(data, "notes", json_object_get(findings->notes));
	print_json("maui.check/1", data);
	json_object_put(data);
}

static int print_findings(const struct cli *cli, const char *path, struct findings *findings)
{
	findings_finish(findings);
	if (cli->json)
		print_findings_json(path, findings);
	else
		print_problems(findings);
	return findings->errors ? EXIT_ERRORS : findings->warnings ? EXIT_WARNINGS : EXIT_OK;
}

/* What the parser has found. */
static void add_own(const struct maui_config *config, struct findings *findings)
{
	const struct maui_problem *problems;
	size_t count = maui_config_problems(config, &problems);

	for (size_t i = 0; i < count; i++)
		findings_problem(findings, &problems[i]);
}

static void check_config(struct maui_config *config, struct findings *findings, bool offline)
{
	struct known_names *names = known_names_new();

	add_own(config, findings);
	check_names(config, names, findings);
	check_default_names(config, findings);
	check_shadow(config, findings);
	check_settings(config, findings);
	check_weights(config, findings);
	check_periods(config, findings);
	check_qos(config, findings);
	check_nodes(config, findings);
	check_reservations(config, names, findings, offline);
	known_names_tell(names, findings);
	check_slurm(config, findings, offline);
	known_names_free(names);
}

/* The file alone is judged: its own problems are taken from where they were found. */
static int check_maui_cfg_report(const struct cli *cli, const char *path,
				 struct maui_config *config, struct findings *findings)
{
	check_default_names(config, findings);
	check_settings(config, findings);
	check_weights(config, findings);
	check_periods(config, findings);
	check_qos(config, findings);
	check_nodes(config, findings);
	check_standing(config, findings);
	return check_report(cli, path, config, findings);
}

/* What was asked for. */
struct wish {
	bool offline; /* do not ask Slurm */
	bool report;  /* --report */
};

static int check_maui_cfg(const struct cli *cli, const char *path, const struct wish *wish)
{
	const struct passwd *slurm = getpwnam("slurm");
	const unsigned int slurm_uid = slurm ? slurm->pw_uid : 0;
	struct maui_reader reader = maui_file_reader(&slurm_uid);
	struct maui_config *config = NULL;
	struct findings findings;
	struct maui_error error;
	int code;

	reader.record = true;
	findings_begin(&findings);
	if (maui_config_load(path, &reader, &config, &error) == 0) {
		if (wish->report) {
			code = check_maui_cfg_report(cli, path, config, &findings);
		} else {
			check_config(config, &findings, wish->offline);
			code = print_findings(cli, path, &findings);
		}
	} else if (cli->json && !wish->report) {
		findings_file_error(&findings, path, error.text);
		code = print_findings(cli, path, &findings);
	} else {
		code = fail(EXIT_ERRORS, "%s", error.text);
	}
	maui_config_unref(config);
	findings_clear(&findings);
	return code;
}

/* Without a file: that of --configfile, or the one that slurm.conf names. */
static int check_default(const struct cli *cli, const struct wish *wish)
{
	struct slurm_site site;
	struct maui_error error;

	if (cli->config_file)
		return check_maui_cfg(cli, cli->config_file, wish);
	if (wish->offline)
		return fail_usage(cli, "which file?");
	if (slurm_site_load(cli->timeout, &site, &error) < 0)
		return fail_usage(cli, "which file? (%s)", error.text);
	return check_maui_cfg(cli, site.maui_cfg, wish);
}

static int run_check(struct cli *cli, int argc, char **argv)
{
	static const struct option longs[] = {
		{"offline", no_argument, NULL, 'o'}, {"report", no_argument, NULL, 'r'}, {0}};
	struct wish wish = {0};
	int option;

	while ((option = next_option(cli, argc, argv, "", longs)) != OPTIONS_END) {
		if (option != 'o' && option != 'r')
			return option == OPTIONS_DONE ? EXIT_OK : EXIT_ERRORS;
		*(option == 'o' ? &wish.offline : &wish.report) = true;
	}
	if (argc - optind > 1)
		return fail_usage(cli, "one file at a time");
	if (optind == argc)
		return check_default(cli, &wish);
	return check_maui_cfg(cli, argv[optind], &wish);
}

static const char check_help[] = "  --offline               do not ask Slurm how it is configured\n"
				 "  --report                what becomes of every line of a "
				 "maui.cfg or moab.cfg:\n"
				 "                          lost, different, harmless or honoured, "
				 "and why\n";

const struct command check_command = {
	.name = "check",
	.synopsis = "[--offline|--report] [--json] [FILE]",
	.summary = "Check a maui.cfg: every problem with its line and column",
	.options = check_help,
	.run = run_check,
};
