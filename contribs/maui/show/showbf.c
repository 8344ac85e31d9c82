/* SPDX-License-Identifier: GPL-2.0-or-later */
/* maui showbf: the backfill window, in the original's lines: what could start now, and for how
 * long. */
#include "contribs/maui/show/show.h"

#include <errno.h>
#include <grp.h>
#include <inttypes.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/util/time/duration.h"
#include "contribs/maui/lib/credential_known.h"
#include "contribs/maui/lib/duration_option.h"
#include "contribs/maui/lib/name_service.h"
#include "common/report/json.h"
#include "contribs/maui/lib/output.h"
#include "contribs/maui/lib/rsv_text.h"
#include "contribs/maui/queue/queue.h"
#include "contribs/maui/service/engine_request.h"
#include "contribs/maui/show/window.h"

#define NAME_SIZE 256

struct question {
	struct window_request request;
	char user[NAME_SIZE], group[NAME_SIZE];
	bool verbose;
};

/* ---- options --------------------------------------------------------------------------------- */

static int read_number(const struct cli *cli, const char *what, const char *text,
		       int64_t *ret_number)
{
	char *end;

	errno = 0;
	*ret_number = strtoll(text, &end, 10);
	if (errno || end == text || *end || *ret_number < 0)
		return fail_usage(cli, "%s is not a valid %s", text, what);
	return EXIT_OK;
}

static int read_memory(const struct cli *cli, const char *text, struct window_request *request)
{
	static const struct {
		const char *text;
		char meaning;
	} comparisons[] = {{"<=", 'l'}, {">=", 'g'}, {"==", '='},
			   {"<", '<'},  {">", '>'},  {"=", '='}};

	request->memory_comparison = 'g';
	for (size_t i = 0; i < sizeof(comparisons) / sizeof(comparisons[0]); i++)
		if (!strncmp(text, comparisons[i].text, strlen(comparisons[i].text))) {
			request->memory_comparison = comparisons[i].meaning;
			text += strlen(comparisons[i].text);
			break;
		}
	return read_number(cli, "amount of memory (MB)", text, &request->memory);
}

static int read_gres(const struct cli *cli, const char *text, struct window_request *request)
{
	const char *list = text;
	struct gres_item item;

	if (!gres_next(&list, &item))
		return fail_usage(cli, "%s names no GRES, as in gpu:2 or gpu:a100:1", text);
	request->gres = text;
	return EXIT_OK;
}

static int read_option(const struct cli *cli, int option, struct question *question)
{
	struct window_request *request = &question->request;

	switch (option) {
	case 'A':
		request->all = true;
		return EXIT_OK;
	case 'a':
		request->account = optarg;
		return EXIT_OK;
	case 'c':
	case 'p':
		request->partition = strcmp(optarg, "ALL") != 0 ? optarg : NULL;
		return EXIT_OK;
	case 'd':
		return duration_read(cli, "-d ", optarg, 0, &request->duration);
	case 'f':
		request->features = optarg;
		return EXIT_OK;
	case 'g':
		request->group = optarg;
		return EXIT_OK;
	case 'G':
		return read_gres(cli, optarg, request);
	case 'm':
		return read_memory(cli, optarg, request);
	case 'n':
		return read_number(cli, "number of nodes", optarg, &request->nodes);
	case 'q':
		request->qos = optarg;
		return EXIT_OK;
	case 'u':
		request->user = optarg;
		return EXIT_OK;
	default:
		question->verbose |= option == 'v';
		return EXIT_OK;
	}
}

static void ask_caller(struct question *question, gid_t *gid)
{
	const struct passwd *user = getpwuid(getuid());

	snprintf(question->user, NAME_SIZE, "%s", user ? user->pw_name : "");
	question->request.user = question->user;
	if (user)
		*gid = user->pw_gid;
}

static void ask_group(struct question *question, gid_t gid)
{
	const struct group *group = getgrgid(gid);

	snprintf(question->group, NAME_SIZE, "%s", group ? group->gr_name : "");
	question->request.group = question->group;
}

/* Users and groups that are asked for. A saved queue may come from another machine: then all are
 * known. */
static bool are_known(const struct window_request *request, enum name_answer answer, bool saved)
{
	if (saved)
		return true;
	if ((request->user && !credential_was_known("user", request->user, answer)) ||
	    (request->group && !credential_is_known("group", request->group)))
		return false;
	/* His group opens or shuts partitions. */
	if (request->user && !request->group && answer == NAME_NOT_ANSWERED) {
		complain("the name service does not answer for user %s: give a group, too (-g)",
			 request->user);
		return false;
	}
	return true;
}

/* The defaults: the caller, and the user's group. False: somebody is not known, as it says. */
static bool showbf_complete(struct question *question, bool saved)
{
	struct window_request *request = &question->request;
	enum name_answer answer = NAME_IS_THERE;
	gid_t gid = getgid();

	if (request->user)
		answer = name_service_user_group(request->user, &gid);
	if (!are_known(request, answer, saved))
		return false;
	if (request->all) {
		request->user = NULL;
		request->group = NULL;
		return true;
	}
	if (!request->user)
		ask_caller(question, &gid);
	if (!request->group)
		ask_group(question, gid);
	return true;
}

/* ---- telling --------------------------------------------------------------------------------- */

static void print_head(const struct window_request *request, int64_t now)
{
	char date[RSV_DATE_SIZE];

	printf("backfill window (user: '");
	print_clean(request->all ? "[ALL]" : request->user);
	printf("' group: '");
	print_clean(request->all ? "[ALL]" : request->group);
	printf("' partition: ");
	print_clean(request->partition ? request->partition : "ALL");
	printf(") %s\n\n", rsv_date(now, date));
}

static void print_gres(const struct gres_sums *sums)
{
	const char *before = "  (";

	for (size_t i = 0; i < sums->count; i++) {
		if (!sums->gres[i].up)
			continue;
		printf("%s", before);
		print_clean(sums->gres[i].name);
		printf(": %" PRId64, sums->gres[i].up - sums->gres[i].active);
		before = ", ";
	}
	printf("%s\n", *before == ',' ? ")" : "");
}

static void print_windows(const struct windows *windows)
{
	char duration[MAUI_DURATION_SIZE];

	for (size_t i = 0; i < windows->count; i++) {
		const struct window *window = &windows->window[i];
		const char *plural = window->procs == 1 ? "" : "s";

		if (window->seconds >= WINDOW_FOREVER)
			printf("%3" PRId64 " proc%s available with no timelimit", window->procs,
			       plural);
		else
			printf("%3" PRId64 " proc%s available for   %11s", window->procs, plural,
			       maui_duration_format(window->seconds, duration));
		print_gres(&window->gres);
	}
	if (!windows->count)
		printf("no procs available\n");
}

static void print_node(const struct window_node *node)
{
	char in[MAUI_DURATION_SIZE];

	if (node->state == WINDOW_FREE && !node->next)
		return;
	printf("node ");
	print_clean(node->name);
	switch (node->state) {
	case WINDOW_FREE:
		printf(" is blocked by reservation ");
		print_clean(node->next);
		maui_duration_format(node->until, in);
		printf(" in %s\n", in + strspn(in, " "));
		break;
	case WINDOW_BUSY:
		printf(" is unavailable (state '%s')\n", node->reason);
		break;
	case WINDOW_UNSUITABLE:
		printf(" does not meet requirements (%s)\n", node->reason);
		break;
	default:
		printf(" does not meet requirements (ReserveTime): ");
		print_clean(node->reason ? node->reason : "");
		putchar('\n');
	}
}

static void print_text(const struct question *question, const struct windows *windows, int64_t now)
{
	print_head(&question->request, now);
	print_windows(windows);
	printf("\n\n");
	for (size_t i = 0; question->verbose && i < windows->nodes; i++)
		print_node(&windows->node[i]);
	printf(question->verbose ? "\n\n\n" : "\n");
}

/* ---- telling, as JSON ------------------------------------------------------------------------ */

static void set_seconds(struct json_object *object, const char *name, int64_t seconds)
{
	json_set(object, name, seconds < WINDOW_FOREVER ? json_make_number(seconds) : NULL);
}

static struct json_object *gres_array(const struct gres_sums *sums)
{
	struct json_object *array = json_make_array();

	for (size_t i = 0; i < sums->count; i++) {
		struct json_object *one = json_make_object();

		json_set_text(one, "name", sums->gres[i].name);
		json_set_number(one, "free", sums->gres[i].up - sums->gres[i].active);
		json_append(array, one);
	}
	return array;
}

static struct json_object *windows_array(const struct windows *windows)
{
	struct json_object *array = json_make_array();

	for (size_t i = 0; i < windows->count; i++) {
		struct json_object *one = json_make_object();

		json_set(one, "procs", json_make_number(windows->window[i].procs));
		json_set(one, "nodes", json_make_number(windows->window[i].nodes));
		set_seconds(one, "seconds", windows->window[i].seconds);
		json_set(one, "gres", gres_array(&windows->window[i].gres));
		json_append(array, one);
	}
	return array;
}

static struct json_object *nodes_array(const struct windows *windows)
{
	static const char *const states[] = {"free", "busy", "unsuitable", "reserved"};
	struct json_object *array = json_make_array();

	for (size_t i = 0; i < windows->nodes; i++) {
		const struct window_node *node = &windows->node[i];
		struct json_object *one = json_make_object();

		json_set_text(one, "node", node->name);
		json_set_text(one, "state", states[node->state]);
		json_set_text(one, "reason", node->reason);
		json_set(one, "procs", json_make_number(node->procs));
		set_seconds(one, "seconds",
			    node->state == WINDOW_FREE ? node->until : WINDOW_FOREVER);
		json_set_text(one, "next", node->state == WINDOW_FREE ? node->next : NULL);
		json_append(array, one);
	}
	return array;
}

static int print_windows_json(const struct window_request *request, const struct windows *windows,
			      int64_t now)
{
	struct json_object *data = json_make_object();
	int code;

	json_set(data, "time", json_make_number(now));
	json_set(data, "all", json_make_flag(request->all));
	json_set_text(data, "user", request->user);
	json_set_text(data, "group", request->group);
	json_set_text(data, "account", request->account);
	json_set_text(data, "qos", request->qos);
	json_set_text(data, "partition", request->partition);
	json_set(data, "windows", windows_array(windows));
	json_set(data, "nodes", nodes_array(windows));
	code = print_json("maui.showbf/1", data);
	json_object_put(data);
	return code;
}

/* ---- asking ---------------------------------------------------------------------------------- */

/* Without reservations there is no need to ask the engine. */
static void ask_access(const struct cli *cli, struct json_object *queue,
		       struct json_object **ret_answer)
{
	*ret_answer = NULL;
	if (!array_size(member_array(queue, "reservations")))
		return;
	if (engine_query(cli, "diagnose-reservations", NULL, ret_answer))
		note("no reservation is counted as open: only the engine has the access lists");
}

static const char *default_partition(struct json_object *queue)
{
	struct json_object *partitions = member_array(queue, "partitions");

	for (size_t i = 0; i < array_size(partitions); i++) {
		struct json_object *one = json_object_array_get_idx(partitions, i);

		if (member_flag(one, "default"))
			return member_text(one, "name");
	}
	return NULL;
}

static int showbf_show(const struct cli *cli, struct question *question)
{
	struct json_object *queue, *answer;
	struct windows windows;
	int64_t now;
	/* As sinfo -p shows a hidden partition that is named. */
	int code = queue_load(cli, QUEUE_ALL | (question->request.partition ? 0 : QUEUE_VISIBLE),
			      &queue);

	if (code)
		return code;
	if (question->request.partition &&
	    !queue_find(queue, "partitions", question->request.partition)) {
		json_object_put(queue);
		return fail(EXIT_ERRORS, "there is no partition %s", question->request.partition);
	}
	now = member_integer(queue, "time");
	question->request.class = default_partition(queue);
	ask_access(cli, queue, &answer);
	windows_find(queue, member_object(answer, "data"), &question->request, &windows);
	if (cli->json)
		code = print_windows_json(&question->request, &windows, now);
	else
		print_text(question, &windows, now);
	windows_clear(&windows);
	json_object_put(answer);
	json_object_put(queue);
	return code;
}

static int run_showbf(struct cli *cli, int argc, char **argv)
{
	static const struct option longs[] = {{"gres", required_argument, NULL, 'G'}, {0}};
	struct question question = {.request = {.memory = -1}};
	int option, code;

	while ((option = next_option(cli, argc, argv, "Aa:c:d:f:g:m:n:p:q:Su:v", longs)) !=
	       OPTIONS_END) {
		if (option == OPTIONS_DONE || option == OPTIONS_BAD)
			return option == OPTIONS_DONE ? EXIT_OK : EXIT_ERRORS;
		code = read_option(cli, option, &question);
		if (code)
			return code;
	}
	if (optind < argc)
		return fail_usage(cli, "unexpected argument %s", argv[optind]);
	if (!showbf_complete(&question, cli->queue_file != NULL))
		return EXIT_ERRORS;
	return showbf_show(cli, &question);
}

const struct command showbf_command = {
	.name = "showbf",
	.synopsis = "[OPTION...]",
	.summary = "Show what could start now, and for how long",
	.options = "  -A                      for anybody, not only for the caller\n"
		   "  -a ACCOUNT, -g GROUP, -q QOS, -u USER\n"
		   "                          for their jobs, as far as access is concerned\n"
		   "  -c, -p PARTITION        in this partition\n"
		   "  -d TIME                 only what is free for this long: [[[DD:]HH:]MM:]SS\n"
		   "  -f FEATURE[:FEATURE...] only on nodes that have all of these\n"
		   "  --gres=NAME[:TYPE][:COUNT]\n"
		   "                          only on nodes with as many of this GRES free\n"
		   "  -m [<|<=|==|>=|>]MB     only on nodes with this much memory free (>=)\n"
		   "  -n NODES                only what is free on this many nodes\n"
		   "  -S                      accepted: nothing is left out\n"
		   "  -v                      also what is in the way, node by node\n",
	.run = run_showbf,
};
