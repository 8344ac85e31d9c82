/* SPDX-License-Identifier: GPL-2.0-or-later */
/* maui explain-nodes: in which order a job would get nodes, and why. The original has no
 * counterpart. */
#include "contribs/maui/explain/explain.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "contribs/maui/lib/job_filter.h"
#include "contribs/maui/lib/job_name.h"
#include "common/report/json.h"
#include "contribs/maui/lib/node_text.h"
#include "contribs/maui/lib/output.h"
#include "contribs/maui/queue/job_resolve.h"
#include "contribs/maui/service/engine_request.h"

#define TEXT_NODES 20 /* shown unless --limit says otherwise */
#define MAX_LIMIT  1000000

/*
 * ---- what decides besides PRIORITYF, by the policy that is used -------------------------------
 */

static void by_load(struct json_object *node, char *text, size_t size)
{
	double procs = (double)amount_of(node, "configured", "procs");
	double held = (double)amount_of(node, "dedicated", "procs");
	double load = member_number(node, "load");

	snprintf(text, size, "idle %.2f", procs - (load > held ? load : held));
}

static void by_resources(struct json_object *node, char *text, size_t size)
{
	snprintf(text, size, "%" PRId64 "M %" PRId64 " procs %" PRId64 "M disk",
		 amount_of(node, "configured", "memory"), amount_of(node, "configured", "procs"),
		 amount_of(node, "configured", "disk"));
}

static void by_speed(struct json_object *node, char *text, size_t size)
{
	double mhz = member_number(node, "procspeed");
	int length = snprintf(text, size, "speed %.2f", member_number(node, "speed"));

	if (mhz > 0 && length > 0 && (size_t)length < size)
		snprintf(text + length, size - (size_t)length, " %.10g MHz", mhz);
}

static void by_reservation(struct json_object *node, char *text, size_t size)
{
	int64_t from = member_integer(node, "reserved_from");
	time_t seconds = (time_t)from;
	struct tm local;

	snprintf(text, size, "not reserved");
	if (from > 0 && localtime_r(&seconds, &local))
		strftime(text, size, "until %m-%dT%H:%M:%S", &local);
}

static const struct basis {
	const char *policy;
	void (*print)(struct json_object *node, char *text, size_t size);
} bases[] = {
	{"CPULOAD", by_load},
	{"FASTEST", by_speed},
	{"MAXBALANCE", by_speed},
	{"MINRESOURCE", by_resources},
	{"LASTAVAILABLE", by_reservation},
};

/* NULL: PRIORITYF alone, or the list. */
static const struct basis *basis_of(struct json_object *data)
{
	for (size_t i = 0; i < sizeof(bases) / sizeof(bases[0]); i++)
		if (!strcmp(member_text(data, "policy"), bases[i].policy))
			return &bases[i];
	return NULL;
}

/* ---- the table ------------------------------------------------------------------------------ */

static void print_policy(struct json_object *data)
{
	const char *asked = member_text(data, "policy_asked"),
		   *policy = member_text(data, "policy");

	printf("Policy: ");
	print_clean(asked);
	printf(" (%s)", member_flag(data, "policy_by_job") ? "the job's comment names it"
							   : "NODEALLOCATIONPOLICY");
	if (strcmp(asked, policy) != 0) {
		printf("; it cannot be used: ");
		print_clean(policy);
		printf(" is used instead");
	}
	if (strcmp(policy, "PRIORITY") != 0)
		printf("; PRIORITYF does not count");
	putchar('\n');
}

static void print_head(struct json_object *data)
{
	job_print_title("node order", data);
	printf("\n\n");
	print_policy(data);
	printf("Wants:  Nodes: %" PRId64 "  Tasks: %" PRId64, member_integer(data, "wanted_nodes"),
	       member_integer(data, "wanted_tasks"));
	if (*member_text(data, "constraint")) {
		printf("  Features: ");
		print_clean(member_text(data, "constraint"));
		if (!member_flag(data, "constraint_counts"))
			printf(" (left to Slurm)");
	}
	printf("\n\n");
}

static void print_row(struct json_object *node, const struct basis *basis)
{
	char name[256];
	int width = 20;

	printf("%4" PRId64 " ", member_integer(node, "rank"));
	clean_copy(member_text(node, "name"), name, sizeof(name));
	width -= printf("%s%s", name, member_flag(node, "allocated") ? "*" : "");
	printf("%*s %12.2f %5" PRId64 " %4s ", width > 0 ? width : 0, "",
	       member_number(node, "value"), member_integer(node, "tasks"),
	       member_flag(node, "preferred") ? "yes" : "-");
	if (basis) {
		char text[96];

		basis->print(node, text, sizeof(text));
		printf("%-24s ", text);
	}
	print_terms(node);
	printf("%s\n", member_flag(node, "required") ? "  (the job asks for it)" : "");
}

static void print_left_out(struct json_object *left_out)
{
	static const struct {
		const char *name, *words;
	} reasons[] = {
		{"down", "down or drained"},
		{"excluded", "excluded by the job"},
		{"features", "without its features"},
		{"limits", "full by NODECFG's limits"},
	};
	const char *gap = "\nLeft out: ";

	for (size_t i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++) {
		int64_t count = member_integer(left_out, reasons[i].name);

		if (count <= 0)
			continue;
		printf("%s%" PRId64 " %s", gap, count, reasons[i].words);
		gap = ", ";
	}
	if (*gap == ',')
		putchar('\n');
}

static int print_order(struct json_object *data)
{
	struct json_object *nodes = member_array(data, "nodes");
	const struct basis *basis = basis_of(data);
	int64_t omitted = member_integer(data, "omitted");
	bool allocated = false;

	if (!nodes)
		return fail(EXIT_UNTRUSTED, "the engine's answer has no nodes");
	print_head(data);
	printf("%4s %-20s %12s %5s %4s ", "Rank", "Node", "Value", "Tasks", "Pref");
	if (basis)
		printf("%-24s ", "Decides");
	printf("Terms of PRIORITYF\n\n");
	for (size_t i = 0; i < array_size(nodes); i++) {
		struct json_object *node = json_object_array_get_idx(nodes, i);

		print_row(node, basis);
		allocated |= member_flag(node, "allocated");
	}
	if (!array_size(nodes))
		printf("   - no node of its partition is up and open to it\n");
	if (omitted > 0)
		printf("     and %" PRId64 " more: --limit=%" PRIu64 " shows all\n", omitted,
		       (uint64_t)omitted + array_size(nodes));
	if (allocated)
		printf("\n* the job has it\n");
	print_left_out(member_object(data, "left_out"));
	return EXIT_OK;
}

/* ---- the command ---------------------------------------------------------------------------- */

static struct json_object *make_arguments(const char *job, int64_t limit)
{
	struct json_object *arguments = job_arguments(job);

	if (limit)
		json_set_number(arguments, "limit", limit);
	return arguments;
}

static int explain_nodes_query(const struct cli *cli, const char *job, int64_t limit)
{
	struct json_object *arguments, *answer;
	int code;

	arguments = make_arguments(job, limit ? limit : cli->json ? 0 : TEXT_NODES);
	code = engine_query(cli, "explain-nodes", arguments, &answer);
	if (code)
		return code;
	code = cli->json ? print_json("maui.explain-nodes/1", member_object(answer, "data"))
			 : print_order(member_object(answer, "data"));
	json_object_put(answer);
	return code;
}

static int run_explain_nodes(struct cli *cli, int argc, char **argv)
{
	static const struct option longs[] = {
		{"limit", required_argument, NULL, 'l'},
		{0},
	};
	char **names = NULL;
	int64_t limit = 0;
	int option, code;

	while ((option = next_option(cli, argc, argv, "l:", longs)) != OPTIONS_END) {
		if (option != 'l')
			return option == OPTIONS_DONE ? EXIT_OK : EXIT_ERRORS;
		limit = parse_count(optarg, MAX_LIMIT);
		if (!limit)
			return fail_usage(cli, "--limit=%s: nodes are a number from 1 to %d",
					  optarg, MAX_LIMIT);
	}
	if (optind + 1 != argc)
		return fail_usage(cli, optind < argc ? "one job at a time, or a list: 17,18"
						     : "which job?");
	code = job_names_resolve(cli, 1, argv + optind, &names);
	for (char **job = names; !code && *job; job++)
		code = explain_nodes_query(cli, *job, limit);
	job_names_clear(names);
	return code;
}

const struct command explain_nodes_command = {
	.name = "explain-nodes",
	.synopsis = "[--limit=N] [--json] JOB",
	.summary = "Show in which order a job would get nodes now, and why",
	.options = "  -l, --limit=N           the first N nodes (20; with --json all)\n",
	.run = run_explain_nodes,
};
