/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * maui setspri: the system priority. It is kept in Slurm's site factor, so that Slurm decides who
 * may set one, saves it, and keeps it across restarts: -r sets the site factor itself, a number
 * that is added; an absolute one is above MAUI_MAX_PRIORITY, where the engine recognizes it
 * (plugins/engine/slurm/records.c).
 */
#include "contribs/maui/change/change.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/policy/priority/system_priority.h"
#include "common/util/memory.h"
#include "contribs/maui/lib/job_name.h"
#include "common/report/json.h"
#include "contribs/maui/lib/output.h"
#include "contribs/maui/slurm/slurm_change.h"

#define GREATEST_ABSOLUTE MAUI_SYSTEM_PRIORITY_LIMIT
#define GREATEST_RELATIVE INT64_C(1000000000)
#define JOBS_LIMIT        1000

struct wish {
	bool relative;
	int64_t priority;
	char **jobs;
	size_t count;
};

static int read_priority(const struct cli *cli, const char *text, struct wish *wish)
{
	int64_t least = wish->relative ? -GREATEST_RELATIVE : 0;
	int64_t greatest = wish->relative ? GREATEST_RELATIVE : GREATEST_ABSOLUTE;
	char *end;

	errno = 0;
	wish->priority = strtoll(text, &end, 10);
	if (errno || end == text || *end || wish->priority < least || wish->priority > greatest)
		return fail_usage(cli,
				  "%s is not a system priority: %s%" PRId64 " to %" PRId64
				  ", 0 for none",
				  text + strspn(text, " "), wish->relative ? "with -r " : "", least,
				  greatest);
	return EXIT_OK;
}

static int read_jobs(const struct cli *cli, int count, char **names, struct wish *wish)
{
	struct job_name name;

	if (count < 1)
		return fail_usage(cli, "which job?");
	wish->jobs = job_names_split(count, names);
	for (; wish->jobs[wish->count]; wish->count++) {
		if (wish->count == JOBS_LIMIT)
			return fail_usage(cli, "at most %d jobs at a time", JOBS_LIMIT);
		if (!job_name_read(wish->jobs[wish->count], &name))
			return fail_usage(cli, "%s " JOB_NAME_WANTED, wish->jobs[wish->count]);
	}
	return EXIT_OK;
}

static int print_replies(const struct wish *wish, const struct slurm_change *changes)
{
	int code = EXIT_OK;
	size_t done = 0;

	for (size_t i = 0; i < wish->count; i++) {
		if (!*changes[i].text) {
			done++;
			continue;
		}
		complain("cannot set system priority of job %s: %s", wish->jobs[i],
			 changes[i].text);
		code = EXIT_REFUSED;
	}
	if (done)
		printf("\njob system priority adjusted\n");
	return code;
}

static void add_reply(struct json_object *rows, const char *job, const struct slurm_change *change)
{
	struct json_object *row = json_make_object();
	bool done = !*change->text;

	json_set_text(row, "job", job);
	json_set_flag(row, "adjusted", done);
	json_set_text(row, "text", done ? NULL : change->text);
	json_append(rows, row);
}

static int print_replies_json(const struct wish *wish, const struct slurm_change *changes)
{
	struct json_object *data = json_make_object(), *rows = json_make_array();
	int code = EXIT_OK, printed;

	for (size_t i = 0; i < wish->count; i++) {
		add_reply(rows, wish->jobs[i], &changes[i]);
		if (*changes[i].text)
			code = EXIT_REFUSED;
	}
	json_set_flag(data, "relative", wish->relative);
	json_set_number(data, "priority", wish->priority);
	json_set(data, "jobs", rows);
	printed = print_json("maui.setspri/1", data);
	json_object_put(data);
	return printed ? printed : code;
}

static int setspri_set(const struct cli *cli, const struct wish *wish)
{
	struct slurm_change *changes = maui_calloc(wish->count, sizeof(*changes));
	struct maui_error why = {""};
	int code;

	if (slurm_set_site_factor(wish->jobs, wish->count,
				  maui_system_priority_stored(wish->relative, wish->priority),
				  cli->timeout, changes, &why))
		code = fail(EXIT_UNREACHABLE, "%s", why.text);
	else
		code = cli->json ? print_replies_json(wish, changes) : print_replies(wish, changes);
	free(changes);
	return code;
}

/* A negative number is not an option: a leading blank, which numbers may have, hides it from
 * getopt. */
static void hide_negative(int argc, char **argv, char *buffer, size_t size)
{
	for (int i = 1; i < argc; i++) {
		const char *text = argv[i];

		if (text[0] != '-' || !text[1] || text[1 + strspn(text + 1, "0123456789")])
			continue;
		snprintf(buffer, size, " %s", text);
		argv[i] = buffer;
		return;
	}
}

static int run_setspri(struct cli *cli, int argc, char **argv)
{
	struct wish wish = {0};
	char negative[64];
	int option, code;

	hide_negative(argc, argv, negative, sizeof(negative));
	while ((option = next_option(cli, argc, argv, "r", NULL)) != OPTIONS_END) {
		if (option != 'r')
			return option == OPTIONS_DONE ? EXIT_OK : EXIT_ERRORS;
		wish.relative = true;
	}
	if (optind >= argc)
		return fail_usage(cli, "which priority, of which job?");
	code = read_priority(cli, argv[optind], &wish);
	if (!code)
		code = read_jobs(cli, argc - optind - 1, argv + optind + 1, &wish);
	if (!code)
		code = setspri_set(cli, &wish);
	job_names_clear(wish.jobs);
	return code;
}

static const char setspri_help[] =
	"  -r                      add PRIORITY, which may be negative, to Maui's own\n";

const struct command setspri_command = {
	.name = "setspri",
	.synopsis = "[-r] [--json] PRIORITY JOB...",
	.summary = "Set the system priority of jobs: 1 to 1000 go before all others, 0 removes it",
	.options = setspri_help,
	.run = run_setspri,
};
