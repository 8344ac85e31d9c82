/* SPDX-License-Identifier: GPL-2.0-or-later */
/* maui diagnose: why the engine decides as it does. One letter a question, as in the original. */
#include "contribs/maui/command.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/credential.h"
#include "contribs/maui/diagnose_fairshare.h"
#include "contribs/maui/diagnose_nodes.h"
#include "contribs/maui/diagnose_priority.h"
#include "contribs/maui/engine.h"
#include "contribs/maui/job_filter.h"
#include "contribs/maui/output.h"

/*
 * The original's other questions. Where two letters are options here (t of -p and -n, u of -p and -f), the
 * question must come first.
 */
static const struct {
	char letter;
	const char *subject;
} questions[] = {
	{'a', "accounts"},
	{'c', "classes"},
	{'g', "groups"},
	{'j', "jobs"},
	{'m', "frames"},
	{'q', "blocked jobs"},
	{'Q', "QOS"},
	{'r', "reservations"},
	{'R', "resource managers"},
	{'S', "the scheduler"},
	{'t', "partitions"},
	{'u', "users"},
	{'x', "statistics"},
	{0, NULL},
};

struct request {
	bool priority, fairshare, nodes, verbose;
	const char *partition, *user;
};

static int fail_missing(const struct cli *cli, char letter)
{
	for (size_t i = 0; questions[i].letter; i++)
		if (questions[i].letter == letter)
			return fail(EXIT_ERRORS,
				    "diagnose -%c (%s) is not there yet; this release has -p, -f "
				    "and -n",
				    letter, questions[i].subject);
	return fail_usage(cli, "diagnose has no -%c", letter);
}

static bool add_text(struct json_object *object, const char *name, const char *text)
{
	struct json_object *value;

	if (!text)
		return true;
	value = json_object_new_string(text);
	return value && json_object_object_add(object, name, value) == 0;
}

/* NULL when memory is short. */
static struct json_object *make_arguments(const struct request *request, char **jobs)
{
	struct json_object *arguments = json_object_new_object();
	struct json_object *array;

	if (!arguments || !add_text(arguments, "partition", request->partition) ||
	    !add_text(arguments, "user", request->user)) {
		json_object_put(arguments);
		return NULL;
	}
	if (!*jobs)
		return arguments;
	array = json_object_new_array();
	if (!array || json_object_object_add(arguments, "jobs", array)) {
		json_object_put(arguments);
		return NULL;
	}
	for (; *jobs;
	     jobs++) { /* the engine knows arrays by their number: job_filter.h does the rest */
		struct json_object *id = json_object_new_int64(strtoll(*jobs, NULL, 10));

		if (!id || json_object_array_add(array, id)) {
			json_object_put(arguments);
			return NULL;
		}
	}
	return arguments;
}

/* Who asks for a job by name should not have to guess why it is not there. */
static void note_missing(struct json_object *rows, char **jobs)
{
	for (; *jobs; jobs++)
		if (!job_is_there(rows, *jobs))
			note("job %s does not wait, or is not yours to see", *jobs);
}

static int diagnose_priority(const struct cli *cli, const struct request *request, char **jobs)
{
	struct json_object *arguments, *answer, *data;
	int code;

	for (char **job = jobs; *job; job++)
		if (!job_is_valid(*job))
			return fail_usage(cli, "%s is no job: 17, or 17_3 for a task of an array",
					  *job);
	arguments = make_arguments(request, jobs);
	if (!arguments)
		return fail_memory();
	code = engine_query(cli, "diagnose-priority", arguments, &answer);
	if (code)
		return code;
	data = member_object(answer, "data");
	job_filter(member_array(data, "jobs"), jobs);
	note_missing(member_array(data, "jobs"), jobs);
	code = cli->json ? print_json("maui.diagnose-priority/1", data)
			 : print_priorities(data, request->verbose);
	json_object_put(answer);
	return code;
}

/* ---- fairshare ----------------------------------------------------------------------------- */

/* The service's name of a type, or of the word that the original has for it; NULL. */
static const char *type_name(const char *word)
{
	if (!strcasecmp(word, "acct"))
		word = "account";
	for (enum maui_credential type = 0; type < MAUI_CREDENTIALS; type++)
		if (!strcasecmp(word, maui_credential_name(type)))
			return maui_credential_name(type);
	return NULL;
}

/* NULL when memory is short. */
static struct json_object *fairshare_arguments(const char *type)
{
	struct json_object *arguments = json_object_new_object();

	if (arguments && add_text(arguments, "type", type))
		return arguments;
	json_object_put(arguments);
	return NULL;
}

static int show_fairshare(const struct cli *cli, const struct request *request,
			  struct json_object *data)
{
	if (request->user && !fairshare_is_off(data) && !fairshare_keep_user(data, request->user))
		return fail_memory();
	if (cli->json)
		return print_json("maui.diagnose-fairshare/1", data);
	if (!fairshare_is_off(data))
		return print_fairshare(data, request->verbose);
	note("FSPOLICY is not set: no usage is counted, and fairshare changes no priority");
	return EXIT_OK;
}

static int diagnose_fairshare(const struct cli *cli, const struct request *request, char **words)
{
	const char *type = request->user ? "user" : NULL;
	struct json_object *arguments, *answer;
	int code;

	if (*words && words[1])
		return fail_usage(cli, "one of user, group, account, class, qos at a time");
	if (*words) {
		type = type_name(*words);
		if (!type)
			return fail_usage(cli, "%s is none of user, group, account, class, qos",
					  *words);
		if (request->user && strcmp(type, "user") != 0)
			return fail_usage(cli, "a user is none of the %ss", type);
	}
	arguments = fairshare_arguments(type);
	if (!arguments)
		return fail_memory();
	code = engine_query(cli, "diagnose-fairshare", arguments, &answer);
	if (code)
		return code;
	code = show_fairshare(cli, request, member_object(answer, "data"));
	json_object_put(answer);
	return code;
}

/* ---- nodes --------------------------------------------------------------------------------- */

static int diagnose_nodes(const struct cli *cli, const struct request *request, char **words)
{
	struct json_object *arguments, *answer, *data;
	int code;

	if (*words)
		return fail_usage(cli, "diagnose -n takes no %s: checknode shows one node", *words);
	arguments = json_object_new_object();
	if (!arguments || !add_text(arguments, "partition", request->partition)) {
		json_object_put(arguments);
		return fail_memory();
	}
	code = engine_query(cli, "diagnose-nodes", arguments, &answer);
	if (code)
		return code;
	data = member_object(answer, "data");
	code = cli->json ? print_json("maui.diagnose-nodes/1", data)
			 : print_nodes(data, request->verbose);
	json_object_put(answer);
	return code;
}

/* ---- options ------------------------------------------------------------------------------- */

/* 0 to go on, else the exit code + 1. */
static int take_option(const struct cli *cli, struct request *request, int option)
{
	switch (option) {
	case 'p':
		request->priority = true;
		return 0;
	case 'f':
		request->fairshare = true;
		return 0;
	case 'n':
		request->nodes = true;
		return 0;
	case 'v':
		request->verbose = true;
		return 0;
	case 'U':
		request->user = optarg;
		return 0;
	case 'u':
		if (!request->priority && !request->fairshare)
			return fail_missing(cli, (char)option) + 1;
		request->user = optarg;
		return 0;
	case 't':
		if (!request->priority && !request->nodes)
			return fail_missing(cli, (char)option) + 1;
		request->partition = optarg;
		return 0;
	case OPTIONS_DONE:
		return EXIT_OK + 1;
	case OPTIONS_BAD:
		return EXIT_ERRORS + 1;
	default:
		return fail_missing(cli, (char)option) + 1;
	}
}

int run_diagnose(struct cli *cli, int argc, char **argv)
{
	static const struct option longs[] = {
		{"partition", required_argument, NULL, 't'},
		{"user", required_argument, NULL, 'U'},
		{0},
	};
	struct request request = {0};
	int option;

	while ((option = next_option(cli, argc, argv, "pvt:u:acfgjmnqQrRSx", longs)) !=
	       OPTIONS_END) {
		int code = take_option(cli, &request, option);

		if (code)
			return code - 1;
	}
	if (request.priority + request.fairshare + request.nodes > 1)
		return fail_usage(cli, "-p, -f or -n, one at a time");
	if (request.fairshare && request.partition)
		return fail_usage(cli, "--partition goes with -p and -n");
	if (request.nodes && request.user)
		return fail_usage(cli, "--user goes with -p and -f");
	if (request.fairshare)
		return diagnose_fairshare(cli, &request, argv + optind);
	if (request.nodes)
		return diagnose_nodes(cli, &request, argv + optind);
	if (!request.priority)
		return fail_usage(cli, "diagnose what? This release has -p, priorities, -f, "
				       "fairshare, and -n, nodes");
	return diagnose_priority(cli, &request, argv + optind);
}
