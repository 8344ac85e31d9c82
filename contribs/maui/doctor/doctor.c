/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * maui doctor: whether everything that Maui needs is there, for the day of an upgrade or a removal.
 */
#include "contribs/maui/doctor/doctor.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "contribs/maui/doctor/plugin_dirs.h"
#include "common/report/json.h"
#include "contribs/maui/lib/output.h"
#include "contribs/maui/lib/terminal.h"
#include "contribs/maui/lib/text.h"

#define SLURM_TIMEOUT 5 /* seconds */

static const struct {
	const char *word;
	enum mark mark;
} states[DOCTOR_STATES] = {
	[DOCTOR_OK] = {"ok", MARK_GOOD},
	[DOCTOR_UNSEEN] = {"unseen", MARK_TITLE},
	[DOCTOR_WARN] = {"warn", MARK_WARN},
	[DOCTOR_WRONG] = {"wrong", MARK_BAD},
};

void doctor_add(struct doctor *doctor, enum doctor_state state, const char *check,
		const char *remedy, const char *format, ...)
{
	struct json_object *row = json_make_object();
	va_list arguments;
	char *text;

	va_start(arguments, format);
	text = text_vprintf(format, arguments);
	va_end(arguments);
	json_set_text(row, "check", check);
	json_set_text(row, "state", states[state].word);
	json_set_text(row, "text", text);
	json_set(row, "remedy", *remedy ? json_make_text(remedy) : NULL);
	json_append(doctor->rows, row);
	doctor->counts[state]++;
	free(text);
}

/* ---- Slurm ---- */

/* Slurm's commands fail if a directory of PluginDir is missing, and do not say which. */
struct missing {
	struct doctor *doctor;
	size_t count;
};

static void look_for(const char *directory, void *context)
{
	struct missing *missing = context;
	char remedy[PATH_MAX + 16];
	struct stat status;
	bool there = !stat(directory, &status);

	if (there && S_ISDIR(status.st_mode))
		return;
	missing->count++;
	snprintf(remedy, sizeof(remedy), "mkdir -p %s", directory);
	doctor_add(missing->doctor, DOCTOR_WRONG, "PluginDir", remedy,
		   "%s %s: no daemon or command of Slurm starts on this host", directory,
		   there ? "is not a directory" : "does not exist");
}

static void look_at_line(struct doctor *doctor, char *line, struct missing *missing)
{
	static const char key[] = "PluginDir=";
	char *value = line + strspn(line, " \t");

	if (strncasecmp(value, key, strlen(key)) != 0)
		return;
	value += strlen(key);
	value[strcspn(value, " \t\r\n#")] = '\0';
	snprintf(doctor->install.plugin_dir, sizeof(doctor->install.plugin_dir), "%s", value);
	plugin_dirs_each(value, look_for, missing);
}

static void look_at_file(struct doctor *doctor, struct missing *missing)
{
	const char *path = getenv("SLURM_CONF");
	char *line = NULL;
	size_t room = 0;
	FILE *file = fopen(path && *path ? path : "/etc/slurm/slurm.conf", "re");

	while (file && getline(&line, &room, file) > 0)
		look_at_line(doctor, line, missing);
	free(line);
	if (file)
		fclose(file);
}

static bool read_slurm_conf(struct doctor *doctor)
{
	struct maui_error error;
	struct missing missing = {.doctor = doctor};

	if (!slurm_install_read(SLURM_TIMEOUT, &doctor->install, &error) &&
	    !slurm_site_read(SLURM_TIMEOUT, &doctor->site, &error)) {
		doctor->ours = !strcmp(doctor->install.priority_type, "priority/maui");
		doctor->shadow = !doctor->ours && doctor->site.shadow &&
				 slurm_list_has(doctor->install.job_submit_plugins, "maui");
		doctor_add(doctor, DOCTOR_OK, "slurm.conf", "", "%s", doctor->install.slurm_conf);
		return true;
	}
	look_at_file(doctor, &missing);
	if (missing.count)
		doctor_add(
			doctor, DOCTOR_UNSEEN, "slurm.conf", "",
			"Slurm does not read it for the reason above: nothing else was looked at");
	else
		doctor_add(doctor, DOCTOR_WRONG, "slurm.conf", "scontrol show config", "%s",
			   error.text);
	return false;
}

static void ask_slurmctld(struct doctor *doctor)
{
	struct slurm_install running;
	struct maui_error error;

	if (slurm_install_load(SLURM_TIMEOUT, &running, &error)) {
		doctor_add(doctor, DOCTOR_WARN, "slurmctld", "systemctl start slurmctld",
			   "does not answer: %s", error.text);
		return;
	}
	doctor->controller = true;
	snprintf(doctor->running, sizeof(doctor->running), "%s", running.version);
	if (strcmp(running.priority_type, doctor->install.priority_type) != 0)
		doctor_add(doctor, DOCTOR_WARN, "slurmctld", "systemctl restart slurmctld",
			   "runs %s with PriorityType=%s, and slurm.conf here says %s",
			   running.version, running.priority_type, doctor->install.priority_type);
	else
		doctor_add(doctor, DOCTOR_OK, "slurmctld", "", "answers, Slurm %s",
			   running.version);
}

/* ---- the command ---- */

static enum exit_code doctor_judge(const struct doctor *doctor)
{
	if (doctor->counts[DOCTOR_WRONG])
		return EXIT_ERRORS;
	return doctor->counts[DOCTOR_WARN] ? EXIT_WARNINGS : EXIT_OK;
}

static enum mark mark_of(const char *word)
{
	for (size_t i = 0; i < DOCTOR_STATES; i++)
		if (!strcmp(states[i].word, word))
			return states[i].mark;
	return MARK_TITLE;
}

static void print_row(struct json_object *row)
{
	const char *state = member_text(row, "state"), *remedy = member_text(row, "remedy");

	printf("%s%-6s%s %s: ", mark(mark_of(state)), state, mark(MARK_END),
	       member_text(row, "check"));
	print_clean(member_text(row, "text"));
	putchar('\n');
	if (*remedy) {
		printf("       -> ");
		print_clean(remedy);
		putchar('\n');
	}
}

static void print_rows(const struct doctor *doctor)
{
	for (size_t i = 0; i < array_size(doctor->rows); i++)
		print_row(json_object_array_get_idx(doctor->rows, i));
	printf("\n%zu ok, %zu with a warning, %zu wrong, %zu not seen%s\n",
	       doctor->counts[DOCTOR_OK], doctor->counts[DOCTOR_WARN], doctor->counts[DOCTOR_WRONG],
	       doctor->counts[DOCTOR_UNSEEN],
	       doctor->counts[DOCTOR_UNSEEN] && geteuid() != 0 ? " (root sees more)" : "");
}

static void print_doctor_json(const struct doctor *doctor)
{
	struct json_object *data = json_make_object();

	for (size_t i = 0; i < DOCTOR_STATES; i++)
		json_set_number(data, states[i].word, (int64_t)doctor->counts[i]);
	json_set(data, "checks", json_object_get(doctor->rows));
	print_json("maui.doctor/1", data);
	json_object_put(data);
}

static int run_doctor(struct cli *cli, int argc, char **argv)
{
	int option = next_option(cli, argc, argv, "", NULL);
	struct doctor doctor = {.cli = cli};

	if (option != OPTIONS_END)
		return option == OPTIONS_DONE ? EXIT_OK : EXIT_ERRORS;
	if (optind < argc)
		return fail_usage(cli, "unexpected argument %s", argv[optind]);
	doctor.rows = json_make_array();
	if (read_slurm_conf(&doctor)) {
		ask_slurmctld(&doctor);
		doctor_files(&doctor);
		doctor_site(&doctor);
		doctor_state_directory(&doctor);
		doctor_engine(&doctor);
	}
	if (cli->json)
		print_doctor_json(&doctor);
	else
		print_rows(&doctor);
	json_object_put(doctor.rows);
	return doctor_judge(&doctor);
}

const struct command doctor_command = {
	.name = "doctor",
	.synopsis = "[--json]",
	.summary = "Check for missing, inactive, or mismatched parts, and say how to fix them",
	.run = run_doctor,
};
