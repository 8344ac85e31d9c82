/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * maui showconfig: the policy with the origin of each value, after the original's layout:
 * parameters under a heading for each area, then the *CFG lines, one attribute per line. The text
 * is itself a maui.cfg: origins are in comments.
 */
#include "contribs/maui/show/show.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/config/config.h"
#include "common/report/report.h"
#include "contribs/maui/lib/output.h"
#include "contribs/maui/lib/text.h"
#include "contribs/maui/service/engine_request.h"

/* The original's headings where it has them. */
static const char *showconfig_heading(enum maui_area area)
{
	switch (area) {
	case MAUI_AREA_GENERAL:
		return "global policies";
	case MAUI_AREA_PRIORITY:
		return "Priority Weights";
	case MAUI_AREA_SLURM:
		return "without effect: Slurm does it";
	default:
		return maui_area_name(area);
	}
}

/*
 * The area of a parameter; an engine of another release may know more parameters than this
 * program.
 */
static enum maui_area area_of(struct json_object *value)
{
	const struct maui_key_info *info =
		maui_key_find(MAUI_PARAMETERS, member_text(value, "parameter"));

	return info ? info->area : MAUI_AREA_GENERAL;
}

static bool is_default(struct json_object *value)
{
	return !member_object(value, "origin");
}

/* A weight or limit of 0 that nothing sets is not worth showing. */
static bool is_dull(struct json_object *value)
{
	return is_default(value) && !strcmp(member_text(value, "value"), "0");
}

static void print_line(const char *name, const char *text, struct json_object *value)
{
	struct json_object *origin = member_object(value, "origin");

	printf("%-30s  %-24s  # ", name, text);
	if (origin) {
		print_clean(member_text(origin, "file"));
		printf(":%" PRId64 "\n", member_integer(origin, "line"));
	} else {
		printf("default\n");
	}
}

static void print_parameter(struct json_object *value)
{
	const char *index = member_text(value, "index");
	char *name = text_printf("%s%s%s%s", member_text(value, "parameter"), *index ? "[" : "",
				 index, *index ? "]" : "");
	char *text = text_copy(member_text(value, "value"));

	clean_text(name);
	clean_text(text);
	print_line(name, text, value);
	free(name);
	free(text);
}

/* USERCFG[bob]  PRIORITY=10, quoted where blanks would cut it. */
static void print_attribute(struct json_object *value)
{
	const char *text = member_text(value, "value");
	const char *object = member_text(value, "name");
	const char *quote = !*text || strpbrk(text, " \t'\"") ? "'" : "";
	char *name, *pair;

	if (*quote && strchr(text, '\''))
		quote = "\"";
	name = text_printf("%s%s%s%s", member_text(value, "section"), *object ? "[" : "", object,
			   *object ? "]" : "");
	pair = text_printf("%s=%s%s%s", member_text(value, "parameter"), quote, text, quote);
	clean_text(name);
	clean_text(pair);
	print_line(name, pair, value);
	free(name);
	free(pair);
}

/* The parameters of an area. hidden counts those left out. */
static void print_area(struct json_object *values, enum maui_area area, bool verbose, int *hidden)
{
	bool first = true;

	for (size_t i = 0; i < array_size(values); i++) {
		struct json_object *value = json_object_array_get_idx(values, i);

		if (*member_text(value, "section") || area_of(value) != area)
			continue;
		if (!verbose && is_dull(value)) {
			(*hidden)++;
			continue;
		}
		if (first)
			printf("# %s\n\n", showconfig_heading(area));
		first = false;
		print_parameter(value);
	}
	if (!first)
		putchar('\n');
}

static void print_sections(struct json_object *values)
{
	const char *last = "";

	for (size_t i = 0; i < array_size(values); i++) {
		struct json_object *value = json_object_array_get_idx(values, i);
		const char *section = member_text(value, "section");

		if (!*section)
			continue;
		if (strcmp(section, last) != 0)
			printf("%s# %s\n\n", *last ? "\n" : "", section);
		last = section;
		print_attribute(value);
	}
	if (*last)
		putchar('\n');
}

static int print_config(struct json_object *data, bool verbose)
{
	struct json_object *values = member_array(data, "values");
	int hidden = 0;

	if (!values)
		return fail(EXIT_UNTRUSTED, "the engine's answer has no values");
	printf("# Slurm-Maui %s: ", MAUI_VERSION);
	print_clean(member_text(data, "path"));
	putchar('\n');
	for (enum maui_area area = 0; area < MAUI_AREAS; area++)
		print_area(values, area, verbose, &hidden);
	print_sections(values);
	if (hidden)
		printf("# %d more parameters are 0 because nothing sets them: showconfig -v shows "
		       "them\n",
		       hidden);
	return EXIT_OK;
}

static int showconfig_show(const struct cli *cli, struct json_object *data, bool verbose)
{
	return cli->json ? print_json("maui.showconfig/1", data) : print_config(data, verbose);
}

static int show_file(const struct cli *cli, const char *path, bool verbose)
{
	const struct maui_reader reader = maui_file_reader(NULL);
	struct maui_config *config;
	struct maui_error error;
	struct json_object *data;
	size_t errors;
	int code;

	if (maui_config_load(path, &reader, &config, &error) < 0)
		return fail(EXIT_ERRORS, "%s", error.text);
	data = maui_report_config(config);
	errors = maui_config_errors(config);
	maui_config_unref(config);
	code = showconfig_show(cli, data, verbose);
	json_object_put(data);
	if (code || !errors)
		return code;
	return fail(EXIT_ERRORS, "%s has %zu error%s and would be refused: `maui check %s`", path,
		    errors, errors == 1 ? "" : "s", path);
}

/* Keeps only the values of one parameter or attribute. Whether there are any. */
static bool keep_parameter(struct json_object *values, const char *parameter)
{
	for (size_t i = array_size(values); i-- > 0;) {
		struct json_object *value = json_object_array_get_idx(values, i);

		if (strcasecmp(member_text(value, "parameter"), parameter) != 0)
			json_object_array_del_idx(values, i, 1);
	}
	return array_size(values);
}

static int show_engine(const struct cli *cli, const char *parameter, bool verbose)
{
	struct json_object *answer, *data;
	int code = engine_query(cli, "showconfig", NULL, &answer);

	if (code)
		return code;
	data = member_object(answer, "data");
	if (parameter && !keep_parameter(member_array(data, "values"), parameter))
		code = fail(EXIT_ERRORS, "there is no parameter %s: `maui keys` lists them",
			    parameter);
	else
		code = showconfig_show(cli, data, verbose);
	json_object_put(answer);
	return code;
}

int showconfig_engine(const struct cli *cli, const char *parameter)
{
	return show_engine(cli, parameter, parameter != NULL);
}

static int run_showconfig(struct cli *cli, int argc, char **argv)
{
	bool verbose = false;
	int option = verbose_option(cli, argc, argv, &verbose);

	if (option != OPTIONS_END)
		return option == OPTIONS_DONE ? EXIT_OK : EXIT_ERRORS;
	if (argc - optind > 1)
		return fail_usage(cli, "one file at a time");
	if (optind < argc)
		return show_file(cli, argv[optind], verbose);
	return show_engine(cli, NULL, verbose);
}

const struct command showconfig_command = {
	.name = "showconfig",
	.synopsis = "[-v] [--json] [FILE]",
	.summary =
		"Show the policy in force, or what FILE would give, with the origin of each value",
	.options = "  -v                      also what is 0 or none because it is not set\n",
	.run = run_showconfig,
};
