/* SPDX-License-Identifier: GPL-2.0-or-later */
/* maui disable, maui enable: before a removal, and back. */
#include "contribs/maui/doctor/doctor.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "contribs/maui/doctor/package_owner.h"
#include "contribs/maui/doctor/plugin_dirs.h"
#include "contribs/maui/doctor/removal_lines.h"
#include "contribs/maui/doctor/slurm_conf_before.h"
#include "common/report/json.h"
#include "contribs/maui/lib/output.h"
#include "contribs/maui/service/engine_request.h"
#include "contribs/maui/slurm/slurm_install.h"

#define SLURM_TIMEOUT 5 /* seconds */

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

	printf("The engine has not finished yet: run `maui disable` again. Still there:\n");
	joined(member_array(data, "reservations"), ", ", names, sizeof(names));
	clean_text(names);
	if (reservations)
		printf("  reservations           %" PRId64 ": %s\n", reservations, names);
	printf("  jobs with a reason     %" PRId64 "\n",
	       member_integer(data, "blocked_jobs") + member_integer(data, "rejected_jobs"));
	printf("  jobs with a pass       %" PRId64 "\n", member_integer(data, "passes"));
}

/* What is told beside the engine's answer. */
struct removal {
	struct slurm_install install;
	bool known; /* the install is */
	struct slurm_conf_before before;
	struct removal_lines lines;
	char plugin[PATH_MAX]; /* a plugin's file; "" none is here */
	enum package_answer answer;
	char package[PACKAGE_NAME_SIZE], command[PACKAGE_NAME_SIZE]; /* the plugin's; ours */
};

static void print_before(const struct removal *removal)
{
	const struct removal_lines *lines = &removal->lines;

	if (removal->before.known) {
		printf("These are the values of ");
		print_clean(removal->before.path);
		printf(", from before the switch.\n");
		return;
	}
	printf("What they were before is not known: ");
	print_clean(removal->before.why);
	printf(".\n");
	for (size_t i = 0; i < lines->count; i++)
		if (!strncmp(lines->text[i], "PriorityType=", strlen("PriorityType=")))
			printf("Put back what you had before, PriorityType and PriorityWeight... "
			       "above all: without\nweights all jobs have the same priority under "
			       "priority/multifactor.%s\n",
			       lines->keeps_select ? " SelectType=select/cons_tres\nis Slurm's own "
						     "plugin from then on."
						   : "");
}

static void print_lines(const struct removal *removal, const char *path)
{
	const struct removal_lines *lines = &removal->lines;
	char keys[400];

	printf("Then change these lines of ");
	print_clean(path);
	printf(" and restart slurmctld:\n");
	for (size_t i = 0; i < lines->count; i++) {
		printf("    ");
		print_clean(lines->text[i]);
		putchar('\n');
	}
	removal_lines_keys(keys, sizeof(keys));
	if (!removal->known)
		printf("    %s\n    (what they are is not known here: maui-slurm(8))\n", keys);
	else if (!lines->count)
		printf("    (none: it names none of our plugins)\n");
	if (removal->known && lines->count)
		print_before(removal);
}

/* priority/multifactor adds the site factor, 2,000,000,000 and more: such a job is ahead of all. */
static void print_system_priorities(struct json_object *data)
{
	struct json_object *jobs = member_array(data, "system_priority_jobs");

	if (!member_integer(data, "system_priorities"))
		return;
	printf("%" PRId64
	       " waiting jobs have a system priority of `maui setspri` in their site factor. "
	       "Slurm's own priority\nplugins add it, and so put them before all others. This "
	       "removes it:\n    maui setspri 0",
	       member_integer(data, "system_priorities"));
	for (size_t i = 0; i < array_size(jobs); i++)
		printf(" %" PRId64, json_object_get_int64(json_object_array_get_idx(jobs, i)));
	printf("%s\n", array_size(jobs) ? "" : " JOB...");
}

/* The plugins' package, and the command's, if it has another. */
static void removal_command(const struct removal *removal, char *buffer, size_t size)
{
	bool packaged = removal->answer == PACKAGE_DEBIAN || removal->answer == PACKAGE_RPM;
	bool other = *removal->command && strcmp(removal->command, removal->package) != 0;

	*buffer = '\0';
	if (packaged)
		snprintf(buffer, size, "%s remove %s%s%s",
			 removal->answer == PACKAGE_DEBIAN ? "apt" : "dnf", removal->package,
			 other ? " " : "", other ? removal->command : "");
	else if (removal->answer == PACKAGE_NONE && *removal->plugin)
		snprintf(buffer, size, "ninja -C build uninstall");
}

static void print_removal(const struct removal *removal)
{
	char command[3 * PACKAGE_NAME_SIZE];

	removal_command(removal, command, sizeof(command));
	if (*command && removal->answer == PACKAGE_NONE) {
		printf("Remove the plugins after that. No package has ");
		print_clean(removal->plugin);
		printf(": in the source's directory\n    %s\n", command);
	} else if (*command) {
		printf("Remove the plugins after that:\n    ");
		print_clean(command);
		putchar('\n');
	} else if (removal->answer == PACKAGE_SILENT) {
		printf("Remove the plugins after that. %s does not say which package has\n",
		       removal->package);
		print_clean(removal->plugin);
		printf(": with apt or dnf, or, if none has it, with ninja -C build uninstall.\n");
	} else {
		printf("Remove the plugins after that. None was found on this host: where "
		       "slurmctld runs, with apt or\ndnf, or, if no package has them, with ninja "
		       "-C "
		       "build uninstall.\n");
	}
}

static void print_disabled(struct json_object *data, const struct removal *removal)
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
	print_system_priorities(data);
	print_lines(removal, member_text(data, "slurm_conf"));
	print_removal(removal);
	printf("What remains is\n    ");
	print_clean(member_text(data, "state_directory"));
	printf("\nwith fairshare's files: keep it to come back, or remove it.\n");
}

/* "" is null. */
static void add_text(struct json_object *data, const char *name, const char *text)
{
	if (*text)
		json_set_text(data, name, text);
	else
		json_set(data, name, NULL);
}

static void add_removal(struct json_object *data, const struct removal *removal)
{
	const struct removal_lines *lines = &removal->lines;
	struct json_object *array = json_make_array();
	char command[3 * PACKAGE_NAME_SIZE];

	for (size_t i = 0; i < lines->count; i++)
		json_append_text(array, lines->text[i]);
	json_set(data, "slurm_conf_lines", array);
	add_text(data, "slurm_conf_before", removal->before.known ? removal->before.path : "");
	removal_command(removal, command, sizeof(command));
	add_text(data, "plugin", removal->plugin);
	add_text(data, "removal", command);
}

/* As slurmctld has it in force, otherwise as in this host's slurm.conf. */
static bool load_install(struct slurm_install *ret_install)
{
	struct maui_error error, here;

	if (!slurm_install_load(SLURM_TIMEOUT, ret_install, &error))
		return true;
	if (!slurm_install_read(SLURM_TIMEOUT, ret_install, &here)) {
		note("%s: the lines are those of this host's %s", error.text,
		     ret_install->slurm_conf);
		return true;
	}
	note("slurm.conf is not known here: %s", here.text);
	return false;
}

/* In shadow mode, too, this plugin is there. */
static void find_package(struct removal *removal)
{
	enum package_answer ours;
	struct plugin_file plugin;
	struct maui_error error;
	char self[PATH_MAX];
	ssize_t size = readlink("/proc/self/exe", self, sizeof(self) - 1);

	if (!removal->known || plugin_dirs_find(removal->install.plugin_dir, "priority_maui.so",
						removal->plugin, &plugin, &error) == -ENOENT) {
		*removal->plugin = '\0';
		return;
	}
	removal->answer = package_owner(removal->plugin, removal->package);
	if (removal->answer != PACKAGE_DEBIAN && removal->answer != PACKAGE_RPM)
		return;
	self[size > 0 ? size : 0] = '\0';
	ours = package_owner(self, removal->command);
	if (ours != removal->answer)
		*removal->command = '\0';
}

static void find_removal(struct removal *removal)
{
	removal->known = load_install(&removal->install);
	if (removal->known) {
		slurm_conf_before_read(&removal->install, &removal->before);
		removal_lines_find(&removal->install,
				   removal->before.known ? &removal->before.install : NULL,
				   &removal->lines);
	}
	find_package(removal);
}

static int tell_disabled(const struct cli *cli, struct json_object *data)
{
	struct removal removal = {.answer = PACKAGE_NONE};

	find_removal(&removal);
	if (!cli->json) {
		print_disabled(data, &removal);
	} else {
		add_removal(data, &removal);
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
		return fail_usage(cli, "unexpected argument %s", argv[optind]);
	code = engine_change(cli, request, NULL, &answer);
	if (code)
		return code;
	code = tell(cli, member_object(answer, "data"));
	json_object_put(answer);
	return code;
}

static int run_disable(struct cli *cli, int argc, char **argv)
{
	return run_either(cli, argc, argv, "disable", tell_disabled);
}

const struct command disable_command = {
	.name = "disable",
	.synopsis = "[--json]",
	.summary =
		"Prepare a removal: nothing of Maui's stays in Slurm but priorities, until enable",
	.run = run_disable,
};

static int run_enable(struct cli *cli, int argc, char **argv)
{
	return run_either(cli, argc, argv, "enable", tell_enabled);
}

const struct command enable_command = {
	.name = "enable",
	.synopsis = "[--json]",
	.summary = "Put maui.cfg in force again after disable",
	.run = run_enable,
};
