/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The table of replacements for mjobctl, mrsvctl, mshow, runjob and others by
 * option, where {1|JOB} becomes a word of the call.
 */
#include "contribs/maui/old_names.h"

#include <stdio.h>
#include <string.h>

#include "contribs/maui/lib/output.h"

#define WORDS     64
#define TEXT_SIZE 2000

/*
 * The call as it was made: its first option's letter (0: none) and all words that are not options.
 */
struct call {
	char option;
	const char *words[WORDS];
	size_t count;
};

/*
 * What to use instead, by command and option. {1|JOB} is the call's first word, or JOB if it has
 * none; {1+|JOB...} that and all that follow; {1,|JOB} the same separated by commas.
 */
static const struct remedy {
	const char *command;
	char option; /* 0: without an option, or with one that has no row */
	const char *text;
} remedies[] = {
	{"changeparam", 0,
	 "write the line `{1+|PARAMETER VALUE}` into maui.cfg, `maui check` it, and have it read: "
	 "`scontrol reconfigure`"},
	{"mjobctl", 'c', "`scancel {1+|JOB...}`"},
	{"mjobctl", 'C', "`scontrol checkpoint` is gone from Slurm: `scontrol requeue {1,|JOB}`"},
	{"mjobctl", 'F', "`scancel {1+|JOB...}`"},
	{"mjobctl", 'h', "`scontrol hold {1+|JOB...}`, of a user `scontrol uhold {1+|JOB...}`"},
	{"mjobctl", 'm',
	 "`scontrol update JobId={1|JOB} {2+|FIELD=VALUE...}`, with Slurm's fields"},
	{"mjobctl", 'N', "`scancel --signal={1|SIGNAL} {2+|JOB...}`"},
	{"mjobctl", 'p', "`maui setspri {1|PRIORITY} {2+|JOB...}`"},
	{"mjobctl", 'q',
	 "`maui checkjob -v {2|JOB}`, `maui showstart {2|JOB}`, `maui why {2|JOB}`"},
	{"mjobctl", 'r', "`scontrol resume {1,|JOB}`"},
	{"mjobctl", 'R', "`scontrol requeue {1,|JOB}`"},
	{"mjobctl", 's', "`scontrol suspend {1,|JOB}`"},
	{"mjobctl", 'u', "`scontrol release {1+|JOB...}`"},
	{"mjobctl", 'x',
	 "`maui setspri 1000 {1+|JOB...}` puts it before all others, `scontrol top {1,|JOB}` "
	 "before "
	 "its user's: it starts when nodes are free"},
	{"mjobctl", 0,
	 "scancel, scontrol hold, release, suspend, resume, requeue and update, `maui setspri`"},
	{"mrsvctl", 'c',
	 "`maui setres -u USER -d DURATION HOST...`, with -s START, -e END, -n NAME: {1+|its "
	 "words} "
	 "are to be written as `maui setres --help` has them"},
	{"mrsvctl", 'l', "`maui showres {1|}`"},
	{"mrsvctl", 'm',
	 "`maui releaseres {1|NAME}`, and `maui setres` with what is to be otherwise"},
	{"mrsvctl", 'q', "`maui diagnose -r {1|NAME}`"},
	{"mrsvctl", 'r', "`maui releaseres {1+|NAME...}`"},
	{"mrsvctl", 0, "`maui setres`, `maui releaseres`, `maui showres` and `maui diagnose -r`"},
	{"mshow", 'a', "`maui showbf {1+|}`"},
	{"mshow", 'q', "`maui showq {1+|}`"},
	{"mshow", 0, "`maui showbf`, `maui showq` and `maui showres`"},
	{"profiler", 0,
	 "`sacct` has the jobs that have ended, `sreport job SizesByAccount` and `sreport cluster "
	 "Utilization` sum them up"},
	{"resetstats", 0,
	 "`sdiag --reset` sets slurmctld's counters to 0; usage is in the files of STATDIR, which "
	 "`maui fs show` reads, and nothing removes"},
	{"runjob", 0,
	 "`maui setspri 1000 {1+|JOB...}` puts it before all others, `scontrol top {1,|JOB}` "
	 "before "
	 "its user's: it starts when nodes are free, and `maui why {1|JOB}` says what it lacks"},
	{"setqos", 0, "`scontrol update JobId={2,|JOB} QOS={1|QOS}`"},
	{"showgrid", 0,
	 "nobody keeps {1|statistics} by size and time: `sreport job SizesByAccount` counts jobs "
	 "by "
	 "size"},
};

static void old_names_append(char *text, const char *more, size_t size)
{
	size_t used = strlen(text);

	snprintf(text + used, TEXT_SIZE - used, "%.*s", (int)size, more);
}

/* One {...}; returns the position after it. */
static const char *old_names_fill(char *text, const char *at, const struct call *call)
{
	const char *bar = strchr(at, '|'), *end = strchr(at, '}');
	size_t first = (size_t)(at[1] - '1');
	const char *between = at[2] == ',' ? "," : " ";
	bool all = at[2] != '|';

	if (first >= call->count)
		old_names_append(text, bar + 1, (size_t)(end - bar - 1));
	for (size_t i = first; i < call->count && (all || i == first); i++) {
		if (i > first)
			old_names_append(text, between, 1);
		old_names_append(text, call->words[i], strlen(call->words[i]));
	}
	return end + 1;
}

static const struct remedy *old_names_find(const char *command, char option)
{
	const struct remedy *any = NULL;

	for (size_t i = 0; i < sizeof(remedies) / sizeof(remedies[0]); i++) {
		if (strcmp(remedies[i].command, command) != 0)
			continue;
		if (remedies[i].option == option)
			return &remedies[i];
		if (!remedies[i].option)
			any = &remedies[i];
	}
	return any;
}

static void read_call(int argc, char **argv, struct call *ret_call)
{
	struct call call = {0};

	for (int i = 1; i < argc && call.count < WORDS; i++) {
		const char *word = argv[i];

		if (*word != '-' || !word[1]) {
			call.words[call.count++] = word;
			continue;
		}
		if (!call.option && word[1] != '-')
			call.option = word[1];
		if (word[1] != '-' && word[2]) /* -c17 */
			call.words[call.count++] = word + 2;
	}
	*ret_call = call;
}

static int old_names_report(struct cli *cli, int argc, char **argv)
{
	const char *name = cli->command->name, *at;
	char text[TEXT_SIZE] = "";
	struct call call;

	for (int i = 1; i < argc; i++)
		if (!strcmp(argv[i], "--help")) {
			print_help(cli->command);
			return EXIT_OK;
		}
	read_call(argc, argv, &call);
	at = old_names_find(name, call.option)->text;
	while (*at) {
		size_t plain = strcspn(at, "{");

		old_names_append(text, at, plain);
		at = at[plain] ? old_names_fill(text, at + plain, &call) : at + plain;
	}
	return fail(EXIT_ERRORS, "%s is another command here, and nothing was done: %s", name,
		    text);
}

#define OLD(old_name, words)                                                                       \
	&(const struct command)                                                                    \
	{                                                                                          \
		.name = (old_name), .synopsis = (words),                                           \
		.summary = "Say what to use instead, with the arguments of this call",             \
		.run = old_names_report,                                                           \
	}

static const struct command *const list[] = {
	OLD("changeparam", "PARAMETER VALUE"),
	OLD("mjobctl", "[-c|-h|-m|-N|-p|-q|-r|-R|-s|-u|-x] JOB..."),
	OLD("mrsvctl", "[-c|-l|-m|-q|-r] NAME..."),
	OLD("mshow", "-a|-q"),
	OLD("profiler", ""),
	OLD("resetstats", ""),
	OLD("runjob", "JOB..."),
	OLD("setqos", "QOS JOB..."),
	OLD("showgrid", "STATISTIC"),
	NULL,
};

const struct command *const *old_name_list(void)
{
	return list;
}
