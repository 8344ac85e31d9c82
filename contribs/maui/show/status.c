/* SPDX-License-Identifier: GPL-2.0-or-later */
/* maui status: what the engine says about itself, in words. */
#include "contribs/maui/show/show.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/util/time/duration.h"
#include "contribs/maui/lib/output.h"
#include "contribs/maui/lib/text.h"
#include "contribs/maui/service/engine_request.h"

/* "2023-11-14T22:13:20 (1:00:00 ago)", "never" */
static void print_time(int64_t moment, int64_t now)
{
	char text[TEXT_DATE_SIZE], ago[MAUI_DURATION_SIZE];

	if (moment <= 0 || !*text_date(moment, "", text)) {
		printf("never");
		return;
	}
	maui_duration_format(now > moment ? now - moment : 0, ago);
	printf("%s (%s ago)", text, ago + strspn(ago, " "));
}

static void print_engine(struct json_object *data)
{
	const char *mode = member_text(data, "mode");

	printf("engine      Slurm-Maui ");
	print_clean(member_text(data, "version"));
	printf(" in Slurm ");
	print_clean(member_text(data, "slurm_version"));
	if (member_flag(data, "disabled"))
		printf(", disabled: priorities alone are Maui's (`maui enable`)\n");
	else if (!strcmp(mode, "primary"))
		printf(", primary: its policies act\n");
	else if (!strcmp(mode, "standby"))
		printf(", standby: it watches while another slurmctld acts\n");
	else if (!strcmp(mode, "shadow"))
		printf(", shadow: it computes, and changes nothing\n");
	else
		printf(", mode %s\n", mode);
}

/* What is in force, and where it comes from. */
static void print_source(struct json_object *policy, int64_t now)
{
	const char *source = member_text(policy, "source");
	const char *wanted = member_text(member_object(policy, "refused"), "path");

	printf("policy      ");
	if (!strcmp(source, "neutral")) {
		printf("none: neutral, as ");
		print_clean(*wanted ? wanted : "maui.cfg");
		printf(" cannot be used; slurmctld's log says why, and so does `maui check`\n");
		return;
	}
	print_clean(member_text(policy, "path"));
	printf(", read ");
	print_time(member_integer(policy, "loaded"), now);
	if (!strcmp(source, "last-good-copy"))
		printf(",\n            from the last good copy: the file itself cannot be used; "
		       "slurmctld's log says why, and so does `maui check`");
	putchar('\n');
}

static void print_lines(struct json_object *faults)
{
	struct json_object *lines = member_array(faults, "lines");
	const int64_t more = member_integer(faults, "errors") - (int64_t)array_size(lines);

	for (size_t i = 0; i < array_size(lines); i++) {
		printf("            ");
		print_clean(json_object_get_string(json_object_array_get_idx(lines, i)));
		putchar('\n');
	}
	if (more > 0 && array_size(lines))
		printf("            ... and %" PRId64 " more\n", more);
}

static void print_refused(struct json_object *refused, int64_t now)
{
	printf("refused     ");
	print_clean(member_text(refused, "path"));
	printf(", read ");
	print_time(member_integer(refused, "time"), now);
	printf("; what stands above is in force\n");
	print_lines(refused);
}

static void print_left_out(struct json_object *left_out)
{
	const int64_t errors = member_integer(left_out, "errors");

	printf("left out    what %" PRId64 " error%s of the file %s about; the rest is in force\n",
	       errors, errors == 1 ? "" : "s", errors == 1 ? "is" : "are");
	print_lines(left_out);
}

static void print_unknown(struct json_object *unknown)
{
	const int64_t count = member_integer(unknown, "errors");

	printf("no effect   %" PRId64 " unknown %s of the file\n", count,
	       count == 1 ? "name or word" : "names or words");
	print_lines(unknown);
}

static void print_policy(struct json_object *policy, int64_t now)
{
	struct json_object *unknown = member_object(policy, "unknown");
	struct json_object *refused = member_object(policy, "refused");
	struct json_object *left_out = member_object(policy, "left_out");

	print_source(policy, now);
	if (left_out)
		print_left_out(left_out);
	if (unknown)
		print_unknown(unknown);
	if (refused)
		print_refused(refused, now);
}

static void print_statdir(struct json_object *statdir)
{
	const char *missing = member_text(statdir, "missing");

	if (!*missing)
		return;
	printf("statistics  fairshare is counted in ");
	print_clean(member_text(statdir, "directory"));
	printf(":\n            STATDIR ");
	print_clean(missing);
	printf(" is not a usable directory\n");
}

static void print_files(const char *row, struct json_object *files, const char *state)
{
	for (size_t i = 0; i < array_size(files); i++) {
		struct json_object *one = json_object_array_get_idx(files, i);

		printf("%-12s", row);
		print_clean(member_text(one, "path"));
		printf(" %s:\n            ", state);
		print_clean(member_text(one, "why"));
		putchar('\n');
	}
}

static void print_unanswered(struct json_object *list, const char *what)
{
	for (size_t i = 0; i < array_size(list); i++) {
		struct json_object *one = json_object_array_get_idx(list, i);

		printf("            %s ", what);
		print_clean(member_text(one, "name"));
		printf(member_flag(one, "kept") ? ", with its last number\n"
						: ", never known: who could be it waits\n");
	}
}

static void print_names(struct json_object *names)
{
	int64_t unanswered = member_integer(names, "unanswered");

	if (!unanswered)
		return;
	printf("names       the name service does not answer for %" PRId64
	       " users and groups of maui.cfg\n",
	       unanswered);
	print_unanswered(member_array(names, "users"), "user");
	print_unanswered(member_array(names, "groups"), "group");
}

static int print_status(struct json_object *answer)
{
	struct json_object *data = member_object(answer, "data"), *select;
	int64_t now = member_integer(answer, "time");
	char interval[MAUI_DURATION_SIZE];

	maui_duration_format(member_integer(data, "iteration_interval"), interval);
	print_engine(data);
	printf("started     ");
	print_time(member_integer(data, "started"), now);
	printf("\niterations  %" PRId64 ", every %s, the last ", member_integer(data, "iteration"),
	       interval + strspn(interval, " "));
	print_time(member_integer(data, "last_iteration"), now);
	printf("\njobs        %" PRId64 " in the last snapshot\n", member_integer(data, "jobs"));
	print_policy(member_object(data, "policy"), now);
	print_names(member_object(data, "names"));
	print_statdir(member_object(data, "statdir"));
	print_files("kept", member_array(data, "kept_files"), "is not read, nor written");
	print_files("unread", member_array(data, "unread_files"),
		    "cannot be read now, and is not written");
	print_files("removed", member_array(data, "removed_files"),
		    "was removed while slurmctld ran");
	print_files("unwritten", member_array(data, "unwritten_files"),
		    "cannot be written, and a restart would forget what is new");
	if (json_object_object_get_ex(data, "select", &select) && !json_object_get_boolean(select))
		printf("nodes       Slurm's own choice: slurmctld has not loaded the select plugin "
		       "(PluginDir and SelectType, see maui-slurm(8))\n");
	return EXIT_OK;
}

static int run_status(struct cli *cli, int argc, char **argv)
{
	struct json_object *answer;
	int option = next_option(cli, argc, argv, "", NULL);
	int code;

	if (option != OPTIONS_END)
		return option == OPTIONS_DONE ? EXIT_OK : EXIT_ERRORS;
	if (optind < argc)
		return fail_usage(cli, "unexpected argument %s", argv[optind]);
	code = engine_query(cli, "status", NULL, &answer);
	if (code)
		return code;
	code = cli->json ? print_json("maui.status/1", member_object(answer, "data"))
			 : print_status(answer);
	json_object_put(answer);
	return code;
}

const struct command status_command = {
	.name = "status",
	.synopsis = "[--json]",
	.summary = "Show how the engine is doing",
	.run = run_status,
};
