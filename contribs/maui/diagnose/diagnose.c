/* SPDX-License-Identifier: GPL-2.0-or-later */
/* maui diagnose: why the engine decides as it does. One letter per question, as in the original. */
#include "contribs/maui/diagnose/diagnose.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "contribs/maui/diagnose/diagnose_blocked.h"
#include "contribs/maui/diagnose/diagnose_credentials.h"
#include "contribs/maui/diagnose/diagnose_fairshare.h"
#include "contribs/maui/diagnose/diagnose_jobs.h"
#include "contribs/maui/diagnose/diagnose_nodes.h"
#include "contribs/maui/diagnose/diagnose_partitions.h"
#include "contribs/maui/diagnose/diagnose_priority.h"
#include "contribs/maui/diagnose/diagnose_reservations.h"
#include "contribs/maui/lib/credential_known.h"
#include "contribs/maui/lib/job_filter.h"
#include "contribs/maui/lib/job_name.h"
#include "common/report/json.h"
#include "contribs/maui/lib/output.h"
#include "contribs/maui/queue/job_resolve.h"
#include "contribs/maui/queue/queue.h"
#include "contribs/maui/service/engine_request.h"

struct request;

/* Two letters are options, too (t of -p, -j, -n and -q, u of -p, -f, -j and -q): the question must
 * come first. */
struct question {
	char letter;
	const char *subject;
	int (*ask)(const struct cli *cli, const struct request *request,
		   char **words); /* NULL: not supported yet */
	const char *options;      /* options that go with it besides -v */
	const char *type;         /* of credentials */
};

struct request {
	const struct question *question;
	bool verbose;
	const char *partition, *user, *level;
};

static struct json_object *make_arguments(const struct request *request, char **jobs)
{
	struct json_object *arguments = json_make_object(), *array;

	json_set_given(arguments, "partition", request->partition);
	json_set_given(arguments, "user", request->user);
	json_set_given(arguments, "level", request->level);
	if (!*jobs)
		return arguments;
	array = json_make_array();
	/* The engine has arrays only by number: job_filter.h does the rest. */
	for (; *jobs; jobs++)
		json_append_number(array, strtoll(*jobs, NULL, 10));
	json_set(arguments, "jobs", array);
	return arguments;
}

/* Whoever names a job should not have to guess why it is missing. */
static void note_missing(struct json_object *rows, char **jobs, const char *why)
{
	for (; *jobs; jobs++)
		if (!job_is_there(rows, *jobs))
			note("job %s %s, or is not yours to see", *jobs, why);
}

/* Ask about jobs; the caller puts *ret_answer if the exit code is 0. */
static int ask_jobs(const struct cli *cli, const struct request *request, const char *command,
		    char **jobs, struct json_object **ret_answer)
{
	struct json_object *arguments, *rows;
	int code;

	arguments = make_arguments(request, jobs);
	code = engine_query(cli, command, arguments, ret_answer);
	if (code)
		return code;
	rows = member_array(member_object(*ret_answer, "data"), "jobs");
	job_filter(rows, jobs);
	return EXIT_OK;
}

static int diagnose_priority_of(const struct cli *cli, const struct request *request, char **jobs)
{
	struct json_object *answer, *data;
	int code = ask_jobs(cli, request, "diagnose-priority", jobs, &answer);

	if (code)
		return code;
	data = member_object(answer, "data");
	note_missing(member_array(data, "jobs"), jobs, "does not wait");
	code = cli->json ? print_json("maui.diagnose-priority/1", data)
			 : print_priorities(data, request->verbose);
	json_object_put(answer);
	return code;
}

/* ---- blocked jobs -------------------------------------------------------------------------- */

static int diagnose_blocked_of(const struct cli *cli, const struct request *request, char **jobs)
{
	struct json_object *answer, *data;
	int code = ask_jobs(cli, request, "diagnose-blocked", jobs, &answer);

	if (code)
		return code;
	data = member_object(answer, "data");
	note_missing(member_array(data, "jobs"), jobs, "is not blocked");
	code = cli->json ? print_json("maui.diagnose-blocked/1", data)
			 : print_blocked(data, request->verbose);
	json_object_put(answer);
	return code;
}

/* ---- their jobs' names ---------------------------------------------------------------------- */

typedef int (*diagnose_named)(const struct cli *cli, const struct request *request, char **jobs);

static int with_names(const struct cli *cli, const struct request *request, char **lists,
		      diagnose_named diagnose)
{
	char **names = NULL;
	int code, count = 0;

	while (lists[count])
		count++;
	code = job_names_resolve(cli, count, lists, &names);
	if (!code)
		code = diagnose(cli, request, names);
	job_names_clear(names);
	return code;
}

static int diagnose_priority(const struct cli *cli, const struct request *request, char **jobs)
{
	return with_names(cli, request, jobs, diagnose_priority_of);
}

static int diagnose_blocked(const struct cli *cli, const struct request *request, char **jobs)
{
	return with_names(cli, request, jobs, diagnose_blocked_of);
}

/* ---- jobs ---------------------------------------------------------------------------------- */

static int diagnose_jobs(const struct cli *cli, const struct request *request, char **jobs)
{
	return diagnose_jobs_run(cli, request->partition, request->user, jobs);
}

/* ---- partitions ---------------------------------------------------------------------------- */

static int diagnose_partitions(const struct cli *cli, const struct request *request, char **words)
{
	(void)request;
	if (*words && words[1])
		return fail_usage(cli, "one partition at a time");
	return diagnose_partitions_run(cli, *words);
}

/* ---- credentials --------------------------------------------------------------------------- */

/* Leave only the rows of this name; false: there are none. */
static bool keep_named(struct json_object *data, const char *name)
{
	struct json_object *rows = member_array(data, "credentials");

	if (rows)
		json_set(data, "credentials", credential_rows_of(rows, name));
	return array_size(member_array(data, "credentials"));
}

static int diagnose_credentials(const struct cli *cli, const struct request *request, char **words)
{
	const char *type = request->question->type;
	struct json_object *arguments, *answer, *data;
	int code;

	if (*words && words[1])
		return fail_usage(cli, "one %s at a time", type);
	arguments = json_make_object();
	json_set_text(arguments, "type", type);
	json_set_given(arguments, "name", *words);
	code = engine_query(cli, "diagnose-credentials", arguments, &answer);
	if (code)
		return code;
	data = member_object(answer, "data");
	if (*words && !keep_named(data, *words)) {
		if (!credential_is_known(type, *words)) {
			json_object_put(answer);
			return EXIT_ERRORS;
		}
		note("maui.cfg does not name %s %s, who has no jobs, or is not yours to see", type,
		     *words);
	}
	code = cli->json ? print_json("maui.diagnose-credentials/1", data)
			 : print_credentials(data, request->verbose);
	json_object_put(answer);
	return code;
}

/* ---- fairshare ----------------------------------------------------------------------------- */

static int diagnose_fairshare(const struct cli *cli, const struct request *request, char **words)
{
	return diagnose_fairshare_run(cli, request->user, request->verbose, words);
}

/* ---- nodes --------------------------------------------------------------------------------- */

static int diagnose_nodes(const struct cli *cli, const struct request *request, char **words)
{
	struct json_object *arguments, *answer, *data;
	int code;

	if (*words)
		return fail_usage(cli, "diagnose -n takes no %s: checknode shows one node", *words);
	arguments = json_make_object();
	json_set_given(arguments, "partition", request->partition);
	code = engine_query(cli, "diagnose-nodes", arguments, &answer);
	if (code)
		return code;
	data = member_object(answer, "data");
	code = cli->json ? print_json("maui.diagnose-nodes/1", data)
			 : print_nodes(data, request->verbose);
	json_object_put(answer);
	return code;
}

/* ---- reservations -------------------------------------------------------------------------- */

static int diagnose_reservations(const struct cli *cli, const struct request *request, char **words)
{
	struct json_object *arguments, *answer, *data;
	int code;

	(void)request;
	if (*words && words[1])
		return fail_usage(cli, "one reservation at a time");
	arguments = json_make_object();
	json_set_given(arguments, "name", *words);
	code = engine_query(cli, "diagnose-reservations", arguments, &answer);
	if (code)
		return code;
	data = member_object(answer, "data");
	if (*words && !array_size(member_array(data, "reservations")) &&
	    !array_size(member_array(data, "standing")))
		note("there is no reservation %s", *words);
	code = cli->json ? print_json("maui.diagnose-reservations/1", data)
			 : print_reservations(answer);
	json_object_put(answer);
	return code;
}

/* ---- options ------------------------------------------------------------------------------- */

static const struct question questions[] = {
	{'p', "priorities", diagnose_priority, "tu", NULL},
	{'f', "fairshare", diagnose_fairshare, "u", NULL},
	{'n', "nodes", diagnose_nodes, "t", NULL},
	{'q', "blocked jobs", diagnose_blocked, "tul", NULL},
	{'r', "reservations", diagnose_reservations, "", NULL},
	{'u', "users", diagnose_credentials, "", "user"},
	{'g', "groups", diagnose_credentials, "", "group"},
	{'a', "accounts", diagnose_credentials, "", "account"},
	{'c', "classes", diagnose_credentials, "", "class"},
	{'Q', "QOS", diagnose_credentials, "", "qos"},
	{'j', "jobs", diagnose_jobs, "tu", NULL},
	{'m', "frames", NULL, "", NULL},
	{'R', "resource managers", NULL, "", NULL},
	{'S', "the scheduler", NULL, "", NULL},
	{'t', "partitions", diagnose_partitions, "", NULL},
	{'x', "statistics", NULL, "", NULL},
	{0, NULL, NULL, "", NULL},
};

static const struct question *find_question(int letter)
{
	for (size_t i = 0; questions[i].letter; i++)
		if (questions[i].letter == letter)
			return &questions[i];
	return NULL;
}

static int fail_missing(const struct cli *cli, char letter)
{
	const struct question *question = find_question(letter);

	if (!question)
		return fail_usage(cli, "diagnose has no -%c", letter);
	return fail(EXIT_ERRORS,
		    "diagnose -%c (%s) is not available yet; this release has -p, -f, -j, -n, -q, "
		    "-r, -t, -u, -g, -a, -c and -Q",
		    letter, question->subject);
}

/* 0 to go on, otherwise the exit code + 1. */
static int take_question(const struct cli *cli, struct request *request, int letter)
{
	const struct question *question = find_question(letter);

	if (!question || !question->ask)
		return fail_missing(cli, (char)letter) + 1;
	if (request->question && request->question != question)
		return fail_usage(cli, "-%c or -%c, one at a time", request->question->letter,
				  letter) +
		       1;
	request->question = question;
	return 0;
}

static int take_option(const struct cli *cli, struct request *request, int option)
{
	switch (option) {
	case 'v':
		request->verbose = true;
		return 0;
	case 'l':
		request->level = optarg;
		return 0;
	case 'u':
		if (!optarg)
			return take_question(cli, request, option);
		request->user = optarg;
		return 0;
	case 'U':
		request->user = optarg;
		return 0;
	case 't':
		if (!optarg)
			return take_question(cli, request, option);
		request->partition = optarg;
		return 0;
	case 'P':
		request->partition = optarg;
		return 0;
	case OPTIONS_DONE:
		return EXIT_OK + 1;
	case OPTIONS_BAD:
		return EXIT_ERRORS + 1;
	default:
		return take_question(cli, request, option);
	}
}

/* The first question; -u and -t are questions only if no other comes before them. 0: none. */
static char first_question(char **argv)
{
	for (; *argv && strcmp(*argv, "--") != 0; argv++) {
		if (**argv != '-' || (*argv)[1] == '-')
			continue;
		for (const char *letter = *argv + 1; *letter && *letter != 'l'; letter++)
			if (find_question(*letter))
				return *letter;
	}
	return 0;
}

/* "SOFT" and "HARD" in any case, as the service has them. NULL: neither. */
static const char *level_name(const char *level)
{
	if (!strcasecmp(level, "soft"))
		return "soft";
	return strcasecmp(level, "hard") ? NULL : "hard";
}

/* EXIT_OK if the options go with the question. */
static int check_options(const struct cli *cli, struct request *request)
{
	const char *options;

	if (!request->question)
		return fail_usage(
			cli, "diagnose what? -p priorities, -f fairshare, -j jobs, -n nodes, -q "
			     "blocked jobs, -r reservations, -t partitions, or limits of -u users, "
			     "-g groups, "
			     "-a accounts, -c classes, -Q QOS");
	options = request->question->options;
	if (request->partition && !strchr(options, 't'))
		return fail_usage(cli, "--partition goes with -p, -j, -n and -q");
	if (request->user && !strchr(options, 'u'))
		return fail_usage(cli, "--user goes with -p, -f, -j and -q");
	if (request->level && !strchr(options, 'l'))
		return fail_usage(cli, "-l goes with -q");
	if (request->level && !level_name(request->level))
		return fail_usage(cli, "-l %s: the level must be SOFT or HARD", request->level);
	if (request->level)
		request->level = level_name(request->level);
	return EXIT_OK;
}

static int run_diagnose(struct cli *cli, int argc, char **argv)
{
	static const struct option longs[] = {
		{"partition", required_argument, NULL, 'P'},
		{"user", required_argument, NULL, 'U'},
		{0},
	};
	char first = first_question(argv + 1);
	const char *shorts = first == 'u'   ? "pvt:ul:acfgjmnqQrRSx"
			     : first == 't' ? "pvtu:l:acfgjmnqQrRSx"
					    : "pvt:u:l:acfgjmnqQrRSx";
	struct request request = {0};
	int option, code;

	while ((option = next_option(cli, argc, argv, shorts, longs)) != OPTIONS_END) {
		code = take_option(cli, &request, option);
		if (code)
			return code - 1;
	}
	code = check_options(cli, &request);
	return code ? code : request.question->ask(cli, &request, argv + optind);
}

static const char diagnose_help[] =
	"  -p [JOB...]             every term of the priority of waiting jobs\n"
	"    -t PARTITION          only in this partition, with its weights\n"
	"    -u, --user=USER       only jobs of this user\n"
	"    -v                    also credentials, state, and Slurm's own numbers\n"
	"  -f [TYPE]               usage and targets: of a user, group, account, class, or qos\n"
	"    -u, --user=USER       only this user\n"
	"    -v                    also those with neither, and how far usage is counted\n"
	"  -j [JOB...]             what jobs ask for, and how long they have been eligible\n"
	"  -n                      state, resources and load of all nodes\n"
	"    -t PARTITION          only the nodes of this partition\n"
	"    -v                    also Slurm's state, usage, and what NODECFG says\n"
	"  -q [JOB...]             every job that is not eligible, and why not\n"
	"    -l HARD               without those over a soft limit, which may be backfilled\n"
	"    -t PARTITION          only jobs that ask for this partition\n"
	"    -u, --user=USER       only jobs of this user\n"
	"    -v                    also whose job it is, and more of the reason\n"
	"  -r [NAME]               reservations: who gets in, what they lack, and why\n"
	"  -t [NAME]               partitions: how much they have, is up, and in use\n"
	"  -u|-g|-a|-c|-Q [NAME]   users, groups, accounts, classes, or QOS: what maui.cfg says\n"
	"                          about them, their limits, what is in use and left\n"
	"    -v                    also everything in use\n";

const struct command diagnose_command = {
	.name = "diagnose",
	.alias = "mdiag",
	.synopsis = "-p|-f|-j|-n|-q|-r|-t|-u|-g|-a|-c|-Q [OPTION...] [JOB...|TYPE|NAME]",
	.summary = "Explain what the engine decided: priorities, fairshare, nodes, limits, "
		   "reservations",
	.options = diagnose_help,
	.run = run_diagnose,
};
