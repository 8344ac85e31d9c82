/* SPDX-License-Identifier: GPL-2.0-or-later */
/* maui setres: an administrative reservation, with the original's options, times, expressions and
 * reply. */
#include "contribs/maui/reservation/reservation.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "common/policy/reservation/sr_attributes.h"
#include "common/util/time/duration.h"
#include "common/util/memory.h"
#include "common/util/time/when.h"
#include "common/report/json.h"
#include "contribs/maui/lib/output.h"
#include "contribs/maui/service/engine_request.h"

static const struct option long_options[] = {{"account", required_argument, NULL, 'a'},
					     {"chargeaccount", required_argument, NULL, 'A'},
					     {"class", required_argument, NULL, 'c'},
					     {"queue", required_argument, NULL, 'q'},
					     {"qos", required_argument, NULL, 'Q'},
					     {"duration", required_argument, NULL, 'd'},
					     {"end", required_argument, NULL, 'e'},
					     {"exclusive", no_argument, NULL, 'E'},
					     {"features", required_argument, NULL, 'f'},
					     {"group", required_argument, NULL, 'g'},
					     {"jobattr", required_argument, NULL, 'j'},
					     {"name", required_argument, NULL, 'n'},
					     {"owner", required_argument, NULL, 'o'},
					     {"partition", required_argument, NULL, 'p'},
					     {"resources", required_argument, NULL, 'r'},
					     {"start", required_argument, NULL, 's'},
					     {"maint", no_argument, NULL, 'M'},
					     {"maxtasks", required_argument, NULL, 't'},
					     {"user", required_argument, NULL, 'u'},
					     {"flags", required_argument, NULL, 'x'},
					     {0}};

/* The request being built; in the order of the command line, since the last list that names a job
 * sets its affinity. */
struct request {
	const struct cli *cli;
	struct json_object *arguments, *acl;
	const char *start, *end; /* -s, -e */
	const char *flags;       /* -x */
	bool maint;              /* -M */
	int64_t now;
	int64_t begin; /* what -s means; now without it */
	int64_t limit; /* -t; 0: none */
};

/* ---- pieces of the request ----------------------------------------------------------------- */

static void add_text(struct request *request, const char *name, const char *text)
{
	json_set_text(request->arguments, name, text);
}

static void add_number(struct request *request, const char *name, int64_t number)
{
	json_set_number(request->arguments, name, number);
}

static void add_list(struct request *request, const char *list, const char *value)
{
	struct json_object *one = json_make_object();

	json_set_text(one, "list", list);
	json_set_text(one, "value", value);
	json_append(request->acl, one);
}

static void note_two_readings(const char *option, const char *text)
{
	note("%s %s is read as minutes and seconds; the original reads hours and minutes: write "
	     "three fields",
	     option, text);
}

/* A point in time: local time here, or relative to the engine's present. */
static int add_time(struct request *request, char option, const char *at, const char *in,
		    const char *text)
{
	const char name[] = {'-', option, '\0'};
	struct maui_error why = {""};
	struct maui_when when;

	if (maui_when_parse(text, request->now, request->begin, &when, &why))
		return fail_usage(request->cli, "%s: %s", name, why.text);
	if (when.ambiguous)
		note_two_readings(name, text);
	switch (when.kind) {
	case MAUI_WHEN_NOW:
		if (option == 'e')
			return fail(EXIT_ERRORS, "cannot create reservation (invalid timeframe)");
		break;
	case MAUI_WHEN_NEVER:
		if (option == 's')
			return fail(EXIT_ERRORS, "cannot create reservation (invalid timeframe)");
		break;
	case MAUI_WHEN_IN:
		add_number(request, in, when.seconds);
		request->begin = request->now + when.seconds;
		break;
	case MAUI_WHEN_AT:
		add_number(request, at, when.seconds > 0 ? when.seconds : 0);
		request->begin = when.seconds;
		break;
	}
	return EXIT_OK;
}

/* Of a time of day that comes twice, an end is the one that follows the start. */
static int add_times(struct request *request)
{
	int code = EXIT_OK;

	if (request->start)
		code = add_time(request, 's', "start", "start_in", request->start);
	if (!code && request->end)
		code = add_time(request, 'e', "end", "end_in", request->end);
	return code;
}

static int add_duration(struct request *request, const char *text)
{
	bool ambiguous = false;
	const char *rest = "";
	int64_t seconds = 0;

	if (!strcasecmp(text, "INFINITY") || !strcasecmp(text, "OFF"))
		return EXIT_OK;
	if (maui_duration_parse(text, &seconds, &ambiguous, &rest) || *rest || seconds < 0)
		return fail_usage(request->cli,
				  "-d: '%s' is not a duration: write [[[DD:]HH:]MM:]SS or INFINITY",
				  text);
	if (ambiguous)
		note_two_readings("-d", text);
	add_number(request, "duration", seconds);
	return EXIT_OK;
}

/* A whole number above 0; 0 if text is not one. */
static int64_t count_of(const char *text)
{
	char *end;
	long long value;

	if (*text < '0' || *text > '9')
		return 0;
	errno = 0;
	value = strtoll(text, &end, 10);
	return errno || *end || value > UINT32_MAX - 1 ? 0 : value;
}

/* ---- options ------------------------------------------------------------------------------- */

/* Attributes of SRCFG that go into the request as written. */
static const struct {
	char option;
	enum maui_key key;
} texts[] = {
	{'a', MAUI_ATTR_ACCOUNTLIST}, {'c', MAUI_ATTR_CLASSLIST},     {'q', MAUI_ATTR_CLASSLIST},
	{'Q', MAUI_ATTR_QOSLIST},     {'g', MAUI_ATTR_GROUPLIST},     {'u', MAUI_ATTR_USERLIST},
	{'j', MAUI_ATTR_JOBATTRLIST}, {'A', MAUI_ATTR_CHARGEACCOUNT}, {'f', MAUI_ATTR_NODEFEATURES},
	{'o', MAUI_ATTR_OWNER},       {'p', MAUI_ATTR_PARTITION},     {'r', MAUI_ATTR_RESOURCES},
};

static int take_text(struct request *request, int option)
{
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		const struct maui_sr_attribute *row = maui_sr_attribute_of(texts[i].key);

		if (texts[i].option != option)
			continue;
		if (row->setres == MAUI_SR_SETRES_LIST)
			add_list(request, maui_sr_attribute_name(row), optarg);
		else
			add_text(request, row->json, optarg);
		return EXIT_OK;
	}
	return EXIT_OK; /* -E: by default no reservation shares what it has */
}

static int take_option(struct request *request, int option)
{
	switch (option) {
	case 's':
		request->start = optarg;
		return EXIT_OK;
	case 'e':
		request->end = optarg;
		return EXIT_OK;
	case 'd':
		return add_duration(request, optarg);
	case 'n':
		add_text(request, "name", optarg);
		return EXIT_OK;
	case 'M':
		request->maint = true;
		return EXIT_OK;
	case 'x':
		request->flags = optarg;
		return EXIT_OK;
	case 't':
		request->limit = count_of(optarg);
		return request->limit ? EXIT_OK
				      : fail_usage(request->cli,
						   "-t: '%s' is not a number of tasks", optarg);
	default:
		return take_text(request, option);
	}
}

static void add_flags(struct request *request)
{
	const struct maui_sr_attribute *row = maui_sr_attribute_of(MAUI_ATTR_FLAGS);
	const char *between = request->flags && *request->flags ? "," : "";
	char *both;

	if (!request->maint) {
		if (request->flags)
			add_text(request, row->json, request->flags);
		return;
	}
	both = maui_asprintf("MAINT%s%s", between, request->flags ? request->flags : "");
	add_text(request, row->json, both);
	free(both);
}

/* ---- the expression ------------------------------------------------------------------------ */

static int take_tasks(struct request *request, const char *text)
{
	const char *operation = text + strlen("TASKS");
	bool known = !strncmp(operation, "==", 2) || !strncmp(operation, ">=", 2);
	int64_t count = known ? count_of(operation + 2) : 0;

	if (!count)
		return fail_usage(request->cli, "'%s' is neither TASKS==n nor TASKS>=n", text);
	if (request->limit && request->limit < count)
		return fail_usage(request->cli, "-t: these are fewer tasks than %s", text);
	add_number(request, "tasks", count);
	if (request->limit && *operation == '>')
		add_number(request, "task_limit", request->limit);
	return EXIT_OK;
}

/* TASKS and a number, or hosts: names, ranges, expressions, ALL. */
static int take_expression(struct request *request, int count, char **words)
{
	struct json_object *hosts;

	if (!count)
		return fail_usage(request->cli,
				  "what is to be reserved: ALL, TASKS==n, TASKS>=n, or hosts?");
	if (!strncasecmp(words[0], "TASKS=", 6) || !strncasecmp(words[0], "TASKS>", 6))
		return count == 1 ? take_tasks(request, words[0])
				  : fail_usage(request->cli, "either TASKS or hosts, not both");
	hosts = json_make_array();
	for (int i = 0; i < count; i++)
		json_append_text(hosts, strcasecmp(words[i], "ALL") != 0 ? words[i] : "ALL");
	json_set(request->arguments, "hosts", hosts);
	if (request->limit)
		add_number(request, "task_limit", request->limit);
	return EXIT_OK;
}

/* ---- the reply ----------------------------------------------------------------------------- */

static void print_nodes(struct json_object *data)
{
	struct json_object *nodes = member_array(data, "by_node");

	for (size_t i = 0; i < array_size(nodes); i++) {
		struct json_object *node = json_object_array_get_idx(nodes, i);

		print_clean(member_text(node, "node"));
		printf(":%" PRId64 "\n", member_integer(node, "tasks"));
	}
	if (member_integer(data, "omitted_nodes") > 0)
		note("%" PRId64 " more nodes are not shown", member_integer(data, "omitted_nodes"));
}

static int print_reply(struct json_object *data)
{
	int64_t nodes = member_integer(data, "node_count"), tasks = member_integer(data, "tasks");
	struct json_object *notes = member_array(data, "notes");

	if (!*member_text(data, "name"))
		return fail(EXIT_UNTRUSTED, "the engine's answer names no reservation");
	printf("reservation created\n\n\nreservation '");
	print_clean(member_text(data, "name"));
	printf("' created on %" PRId64 " node%s (%" PRId64 " task%s)\n", nodes,
	       nodes == 1 ? "" : "s", tasks, tasks == 1 ? "" : "s");
	print_nodes(data);
	for (size_t i = 0; i < array_size(notes); i++) {
		struct json_object *one = json_object_array_get_idx(notes, i);

		if (json_object_is_type(one, json_type_string))
			note("%s", json_object_get_string(one));
	}
	if (!member_flag(data, "select"))
		note("nobody gets into it: slurmctld has not loaded the select plugin of "
		     "Slurm-Maui");
	return EXIT_OK;
}

/* ---- the command --------------------------------------------------------------------------- */

static int setres_ask(const struct cli *cli, struct json_object *arguments)
{
	struct json_object *answer;
	int code = engine_change(cli, "set-reservation", arguments, &answer);

	if (code)
		return code;
	code = cli->json ? print_json("maui.set-reservation/1", member_object(answer, "data"))
			 : print_reply(member_object(answer, "data"));
	json_object_put(answer);
	return code;
}

static int read_command_line(struct cli *cli, struct request *request, int argc, char **argv,
			     bool *ret_done)
{
	int option, code = EXIT_OK;

	while (!code &&
	       (option = next_option(cli, argc, argv, "a:A:c:d:e:Ef:g:j:Mn:o:p:q:Q:r:s:t:u:x:",
				     long_options)) != OPTIONS_END) {
		*ret_done = option == OPTIONS_DONE;
		if (option == OPTIONS_DONE || option == OPTIONS_BAD)
			return *ret_done ? EXIT_OK : EXIT_ERRORS;
		code = take_option(request, option);
	}
	add_flags(request);
	code = code ? code : add_times(request);
	return code ? code : take_expression(request, argc - optind, argv + optind);
}

static int run_setres(struct cli *cli, int argc, char **argv)
{
	struct request request = {.cli = cli,
				  .arguments = json_make_object(),
				  .acl = json_make_array(),
				  .now = time(NULL)};
	bool done = false;
	int code;

	request.begin = request.now;
	code = read_command_line(cli, &request, argc, argv, &done);
	if (json_object_array_length(request.acl))
		json_set(request.arguments, "acl", json_object_get(request.acl));
	json_object_put(request.acl);
	if (!code && !done)
		return setres_ask(cli, request.arguments);
	json_object_put(request.arguments);
	return code;
}

static const char setres_help[] =
	"  -u, --user=USERS        users who get in: alice:bob-, with the marks of SRCFG's lists\n"
	"  -g, --group=GROUPS      groups\n"
	"  -a, --account=ACCOUNTS  accounts\n"
	"  -c, -q, --class=CLASSES, --queue=CLASSES\n"
	"                          classes, that is partitions\n"
	"  -Q, --qos=QOS           QOS\n"
	"  -j, --jobattr=LIST      attributes of jobs\n"
	"  -s, --start=TIME        [HH[:MM[:SS]]][_MO[/DD[/YY]]], or +[[[DD:]HH:]MM:]SS from now "
	"on\n"
	"                          (now)\n"
	"  -e, --end=TIME          the same, or OFF (it does not end)\n"
	"  -d, --duration=TIME     [[[DD:]HH:]MM:]SS, instead of an end\n"
	"  -n, --name=NAME         NAME.0, NAME.1, ... (the first name in the lists, or SYSTEM)\n"
	"  -r, --resources=LIST    what a task is made of: PROCS=1;MEM=512 (a whole node)\n"
	"  -t, --maxtasks=N        no more tasks than this\n"
	"  -f, --features=LIST     of nodes: fast:big for both, fast|big for either\n"
	"  -p, --partition=PARTITION\n"
	"                          only its nodes\n"
	"  -x, --flags=LIST        BYNAME, SINGLEUSE, SPACEFLEX, ...: those of SRCFG\n"
	"  -M, --maint             for maintenance: Slurm shows the nodes as MAINT (-x MAINT)\n"
	"  -o, --owner=TYPE:NAME   as in SRCFG\n"
	"  -A, --chargeaccount=NAME\n"
	"                          as in SRCFG\n"
	"  -E, --exclusive         accepted: reservations share nothing anyway\n";

const struct command setres_command = {
	.name = "setres",
	.synopsis = "[OPTION...] ALL|TASKS==n|TASKS>=n|HOST...",
	.summary = "Make an administrative reservation; without a list of who gets in, nobody does",
	.options = setres_help,
	.run = run_setres,
};
