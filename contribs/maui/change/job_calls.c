/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * maui canceljob, sethold and releasehold: each is one call of Slurm's own command. Slurm has one
 * hold per job, a user's or an administrator's depending on who sets it, and scontrol release
 * removes either.
 */
#include "contribs/maui/change/change.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/memory.h"
#include "contribs/maui/lib/job_name.h"
#include "common/report/json.h"
#include "contribs/maui/lib/output.h"
#include "contribs/maui/slurm/slurm_run.h"

#define WORDS 2 /* at most in a call, before its jobs */

/* The Slurm equivalent of a command, with or without an option. */
struct call {
	const char *command;
	int option;               /* 0: none */
	const char *words[WORDS]; /* first NULL: no call does just this, and why says so */
	const char *why;
};

static const struct call calls[] = {
	{"canceljob", 0, {"scancel"}, NULL},
	{"sethold", 0, {"scontrol", "hold"}, NULL},
	{"sethold", 'a', {"scontrol", "hold"}, NULL},
	{"sethold", 'b', {"scontrol", "hold"}, NULL},
	{"sethold", 's', {"scontrol", "hold"}, NULL},
	{"sethold", 'u', {"scontrol", "uhold"}, NULL},
	{"releasehold", 0, {"scontrol", "release"}, NULL},
	{"releasehold", 'a', {"scontrol", "release"}, NULL},
	{"releasehold", 'b', {NULL}, "batch"},
	{"releasehold", 's', {NULL}, "system"},
	{"releasehold", 'u', {NULL}, "user"},
};

static const struct call *job_calls_find(const char *command, int option)
{
	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
		if (!strcmp(calls[i].command, command) && calls[i].option == option)
			return &calls[i];
	return NULL;
}

static int job_calls_refuse(const struct call *call, char **jobs)
{
	char names[400] = "";
	size_t used = 0;

	for (; *jobs && used < sizeof(names); jobs++)
		used += (size_t)snprintf(names + used, sizeof(names) - used, " %s", *jobs);
	return fail(EXIT_ERRORS,
		    "nothing was done: `scontrol release%s` releases the jobs, whether the hold is "
		    "the %s's or another",
		    names, call->why);
}

static int print_data(const char *const *argv)
{
	struct json_object *data = json_make_object(), *words = json_make_array();
	int code;

	for (; *argv; argv++)
		json_append_text(words, *argv);
	json_set(data, "call", words);
	code = print_json("maui.job-call/1", data);
	json_object_put(data);
	return code;
}

/* In the original's words. */
static void print_answer(const struct call *call, char **jobs, size_t count)
{
	if (strcmp(call->command, "canceljob") != 0) {
		printf("\njob holds adjusted\n");
		return;
	}
	for (size_t i = 0; i < count; i++)
		printf("\njob '%s' cancelled\n", jobs[i]);
}

static int do_call(const struct cli *cli, const struct call *call, char **jobs, size_t count)
{
	const char **argv = maui_calloc(WORDS + count + 1, sizeof(*argv));
	size_t used = 0;
	int code;

	for (size_t i = 0; i < WORDS && call->words[i]; i++)
		argv[used++] = call->words[i];
	memcpy(argv + used, jobs, count * sizeof(*argv));
	code = slurm_run((char *const *)argv);
	if (!code && cli->json)
		code = print_data(argv);
	else if (!code)
		print_answer(call, jobs, count);
	free(argv);
	return code;
}

static int job_calls_run(struct cli *cli, int argc, char **argv, const char *options)
{
	const struct call *call;
	struct job_name name;
	int option, chosen = 0, code = EXIT_OK;
	size_t count = 0;
	char **jobs;

	while ((option = next_option(cli, argc, argv, options, NULL)) != OPTIONS_END) {
		if (option == OPTIONS_DONE || option == OPTIONS_BAD)
			return option == OPTIONS_DONE ? EXIT_OK : EXIT_ERRORS;
		if (chosen && chosen != option)
			return fail_usage(cli, "-%c or -%c, one at a time", chosen, option);
		chosen = option;
	}
	if (optind >= argc)
		return fail_usage(cli, "which job?");
	jobs = job_names_split(argc - optind, argv + optind);
	for (; !code && jobs[count]; count++)
		if (!job_name_read(jobs[count], &name))
			code = fail_usage(cli, "%s " JOB_NAME_WANTED, jobs[count]);
	call = job_calls_find(cli->command->name, chosen);
	if (!code)
		code = call->words[0] ? do_call(cli, call, jobs, count)
				      : job_calls_refuse(call, jobs);
	job_names_clear(jobs);
	return code;
}

static int run_canceljob(struct cli *cli, int argc, char **argv)
{
	return job_calls_run(cli, argc, argv, "");
}

const struct command canceljob_command = {
	.name = "canceljob",
	.synopsis = "JOB...",
	.summary = "Cancel jobs: scancel",
	.run = run_canceljob,
};

static int run_sethold(struct cli *cli, int argc, char **argv)
{
	return job_calls_run(cli, argc, argv, "absu");
}

static const char sethold_help[] =
	"  -u                      a user hold, which their user may release: scontrol uhold\n"
	"  -a, -b, -s              accepted: Slurm has one hold for all of these\n";

const struct command sethold_command = {
	.name = "sethold",
	.synopsis = "[-a|-b|-s|-u] JOB...",
	.summary = "Hold jobs: scontrol hold",
	.options = sethold_help,
	.run = run_sethold,
};

static int run_releasehold(struct cli *cli, int argc, char **argv)
{
	return job_calls_run(cli, argc, argv, "absu");
}

static const char releasehold_help[] =
	"  -a                      accepted: any hold is released\n"
	"  -b, -s, -u              refused: Slurm cannot release one kind of hold alone\n";

const struct command releasehold_command = {
	.name = "releasehold",
	.synopsis = "[-a] JOB...",
	.summary = "Release held jobs: scontrol release",
	.options = releasehold_help,
	.run = run_releasehold,
};
