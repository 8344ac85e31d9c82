/* SPDX-License-Identifier: GPL-2.0-or-later */
/* maui disable, maui enable: before a removal, and back. */
#include "contribs/maui/command.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "contribs/maui/engine.h"
#include "contribs/maui/output.h"
#include "contribs/maui/plugin_dirs.h"
#include "contribs/maui/slurm_install.h"

#define SLURM_TIMEOUT 5 /* seconds */
#define MOST_LINES    5

/* Lines of slurm.conf to change. */
struct lines {
	char text[MOST_LINES][2 * PATH_MAX];
	size_t count;
};

static void add_line(struct lines *lines, const char *key, const char *value)
{
	if (lines->count < MOST_LINES)
		snprintf(lines->text[lines->count++], sizeof(lines->text[0]), "%s=%s", key, value);
}

/* Slurm reads no line without a value: one that has none but ours becomes a comment. */
static void add_rest(struct lines *lines, const char *key, const char *was, const char *rest)
{
	char comment[64];

	snprintf(comment, sizeof(comment), "#%s", key);
	if (*rest)
		add_line(lines, key, rest);
	else
		add_line(lines, comment, was);
}

static bool is_ours(const char *item, size_t size)
{
	return (size == 4 && !memcmp(item, "maui", size)) ||
	       (size == 15 && !memcmp(item, "job_submit/maui", size)) ||
	       (size > 5 && !memcmp(item, "maui_", 5));
}

/* A comma-separated list without what is ours. True: something was. */
static bool without_ours(const char *list, char *ret_rest, size_t size)
{
	size_t used = 0;
	bool ours = false;

	*ret_rest = '\0';
	while (*list) {
		size_t item = strcspn(list, ",");

		if (is_ours(list, item))
			ours = true;
		else if (used + item + 2 < size)
			used += (size_t)snprintf(ret_rest + used, size - used, "%s%.*s",
						 used ? "," : "", (int)item, list);
		list += item + (list[item] == ',');
	}
	return ours;
}

/* What slurm.conf has of ours, as it is to be. */
static void find_lines(const struct slurm_install *install, struct lines *lines)
{
	char rest[PATH_MAX];

	if (!strcmp(install->priority_type, "priority/maui"))
		add_line(lines, "PriorityType", "priority/multifactor");
	if (without_ours(install->priority_parameters, rest, sizeof(rest)))
		add_rest(lines, "PriorityParameters", install->priority_parameters, rest);
	plugin_dirs_stock(install->plugin_dir, rest, sizeof(rest));
	if (*rest && strcmp(rest, install->plugin_dir) != 0)
		add_line(lines, "PluginDir", rest);
	if (without_ours(install->job_submit_plugins, rest, sizeof(rest)))
		add_rest(lines, "JobSubmitPlugins", install->job_submit_plugins, rest);
	if (!strcmp(install->preempt_type, "preempt/maui"))
		add_line(lines, "PreemptType", "preempt/none");
}

static bool is_clean(struct json_object *data)
{
	return member_flag(data, "finished") && !member_integer(data, "reservation_count") &&
	       !member_integer(data, "blocked_jobs") && !member_integer(data, "rejected_jobs") &&
	       !member_integer(data, "passes");
}

static void print_rest(struct json_object *data)
{
	char names[400];
	int64_t reservations = member_integer(data, "reservation_count");

	printf("The engine is not done yet: call `maui disable` again. Still there:\n");
	joined(member_array(data, "reservations"), ", ", names, sizeof(names));
	clean_text(names);
	if (reservations)
		printf("  reservations           %" PRId64 ": %s\n", reservations, names);
	printf("  jobs with a reason     %" PRId64 "\n",
	       member_integer(data, "blocked_jobs") + member_integer(data, "rejected_jobs"));
	printf("  jobs with a pass       %" PRId64 "\n", member_integer(data, "passes"));
}

static void print_lines(const struct lines *lines, const char *path, bool known)
{
	printf("Then change these lines of ");
	print_clean(path);
	printf(" and restart slurmctld:\n");
	for (size_t i = 0; i < lines->count; i++) {
		printf("    ");
		print_clean(lines->text[i]);
		putchar('\n');
	}
	if (!known)
		printf("    PriorityType, PluginDir, PriorityParameters, JobSubmitPlugins, "
		       "PreemptType\n"
		       "    (what they are is not known here: maui-slurm(8))\n");
	else if (!lines->count)
		printf("    (none: it names none of our plugins)\n");
}

static void print_disabled(struct json_object *data, const struct lines *lines, bool known)
{
	printf("disabled: until `maui enable` only priorities are Maui's, also after restarts\n");
	if (is_clean(data))
		printf("No reservation, reason or pass of Maui's is left in Slurm; jobs run on.\n");
	else
		print_rest(data);
	if (member_integer(data, "asking_jobs"))
		printf("%" PRId64
		       " waiting jobs name a reservation in their comment (x=ADVRES:NAME): "
		       "Slurm starts them anywhere.\n",
		       member_integer(data, "asking_jobs"));
	if (member_integer(data, "system_priorities"))
		printf("%" PRId64
		       " waiting jobs have a system priority in their site factor, which "
		       "other plugins add up, too: `maui setspri 0 JOB` takes it away.\n",
		       member_integer(data, "system_priorities"));
	print_lines(lines, member_text(data, "slurm_conf"), known);
	printf("Remove the plugins (ninja -C build uninstall) after that. What remains is\n    ");
	print_clean(member_text(data, "state_directory"));
	printf("\nwith fairshare's files: keep it to come back, or remove it.\n");
}

static void add_lines(struct json_object *data, const struct lines *lines)
{
	struct json_object *array = json_object_new_array();

	for (size_t i = 0; i < lines->count; i++)
		json_object_array_add(array, json_object_new_string(lines->text[i]));
	json_object_object_add(data, "slurm_conf_lines", array);
}

static int tell_disabled(const struct cli *cli, struct json_object *data)
{
	struct slurm_install install = {0};
	struct lines lines = {.count = 0};
	struct maui_error error;
	bool known = !slurm_install_load(SLURM_TIMEOUT, &install, &error);

	if (known)
		find_lines(&install, &lines);
	else
		note("slurm.conf is not known here: %s", error.text);
	if (!cli->json) {
		print_disabled(data, &lines, known);
	} else {
		add_lines(data, &lines);
		print_json("maui.disable/1", data);
	}
	return is_clean(data) ? EXIT_OK : EXIT_WARNINGS;
}

static int tell_enabled(const struct cli *cli, struct json_object *data)
{
	if (cli->json)
		return print_json("maui.enable/1", data);
	printf("enabled: maui.cfg is in force\n");
	return EXIT_OK;
}

static int run_either(struct cli *cli, int argc, char **argv, const char *request,
		      int (*tell)(const struct cli *cli, struct json_object *data))
{
	int option = next_option(cli, argc, argv, "", NULL), code;
	struct json_object *answer;

	if (option != OPTIONS_END)
		return option == OPTIONS_DONE ? EXIT_OK : EXIT_ERRORS;
	if (optind < argc)
		return fail_usage(cli, "what is %s?", argv[optind]);
	code = engine_query(cli, request, NULL, &answer);
	if (code)
		return code;
	code = tell(cli, member_object(answer, "data"));
	json_object_put(answer);
	return code;
}

int run_disable(struct cli *cli, int argc, char **argv)
{
	return run_either(cli, argc, argv, "disable", tell_disabled);
}

int run_enable(struct cli *cli, int argc, char **argv)
{
	return run_either(cli, argc, argv, "enable", tell_enabled);
}
