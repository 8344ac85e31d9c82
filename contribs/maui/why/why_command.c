/* SPDX-License-Identifier: GPL-2.0-or-later */
/* maui why: its options, and the jobs or the node that it explains. The original has no
 * counterpart. */
#include "contribs/maui/why/why_command.h"

#include "contribs/maui/lib/job_name.h"
#include "contribs/maui/lib/output.h"
#include "contribs/maui/why/why_node.h"

#define NODE_LIMIT 10 /* jobs of a node that are told unless --limit says otherwise */
#define MAX_LIMIT  1000000

static int show_data(const struct why *why)
{
	struct json_object *data = why_data(why);
	int code = print_json("maui.why/1", data);

	json_object_put(data);
	return code;
}

/* An ended job is explained without the engine. */
static bool is_asked_about(struct json_object *job)
{
	return queue_job_is_pending(job) || queue_job_is_active(job);
}

static int why_report(const struct cli *cli, const char *name, struct json_object *queue)
{
	struct queue_sorted sorted;
	struct why why = {.queue = queue,
			  .sorted = &sorted,
			  .job = queue_job(queue, name),
			  .ask_slurm = cli->queue_file ? 0 : cli->timeout};
	struct engine engine;
	int code = EXIT_OK;

	if (!why.job)
		return fail(EXIT_REFUSED,
			    "Slurm has no job %s, has forgotten it, or it is not yours to see",
			    name);
	if (is_asked_about(why.job))
		why.service = why_find_engine(cli, &engine);
	queue_sort(queue, &sorted);
	why_explain_job(&why);
	if (cli->json)
		code = show_data(&why);
	else
		why_print(&why);
	why_clear(&why);
	queue_sorted_clear(&sorted);
	return code;
}

static int check_names(const struct cli *cli, char **names)
{
	struct job_name name;

	for (; *names; names++)
		if (!job_name_read(*names, &name))
			return fail_usage(cli, "%s " JOB_NAME_WANTED, *names);
	return EXIT_OK;
}

static int run_jobs(const struct cli *cli, char *list)
{
	struct json_object *queue = NULL;
	char **names = job_names_split(1, &list);
	int code = check_names(cli, names);

	if (!code)
		code = queue_load(cli, QUEUE_ALL, &queue);
	for (char **name = names; !code && *name; name++)
		code = why_report(cli, *name, queue);
	json_object_put(queue);
	job_names_clear(names);
	return code;
}

static int run_node(const struct cli *cli, const char *node, int64_t limit)
{
	struct json_object *queue = NULL;
	int code = queue_load(cli, QUEUE_ALL, &queue);

	if (!code)
		code = why_node_tell(cli, queue, node, limit);
	json_object_put(queue);
	return code;
}

static int run_why(struct cli *cli, int argc, char **argv)
{
	static const struct option longs[] = {
		{"node", required_argument, NULL, 'n'},
		{"limit", required_argument, NULL, 'l'},
		{0},
	};
	const char *node = NULL;
	int64_t limit = 0;
	int option;

	while ((option = next_option(cli, argc, argv, "n:l:", longs)) != OPTIONS_END) {
		if (option == 'n') {
			node = optarg;
		} else if (option == 'l') {
			limit = parse_count(optarg, MAX_LIMIT);
			if (!limit)
				return fail_usage(cli, "--limit=%s: jobs are a number from 1 to %d",
						  optarg, MAX_LIMIT);
		} else {
			return option == OPTIONS_DONE ? EXIT_OK : EXIT_ERRORS;
		}
	}
	if (node && optind < argc)
		return fail_usage(cli, "--node=%s and job %s: one at a time", node, argv[optind]);
	if (limit && !node)
		return fail_usage(cli, "--limit is for --node alone");
	if (node)
		return run_node(cli, node, limit ? limit : NODE_LIMIT);
	if (optind + 1 != argc)
		return fail_usage(cli, optind < argc ? "one job at a time, or a list: 17,18"
						     : "which job?");
	return run_jobs(cli, argv[optind]);
}

static const char why_help[] =
	"  -n, --node=NODE         why a node is idle, or who has it, and why jobs that wait do "
	"not\n"
	"                          start there\n"
	"  -l, --limit=N           of its jobs, and of those that wait for it, the first N (10)\n";

const struct command why_command = {
	.name = "why",
	.synopsis = "[--json] {JOB|--node=NODE [--limit=N]}",
	.summary = "Explain why a job waits, who is ahead, and what would free it; or why it has "
		   "its nodes, or why a node is idle",
	.options = why_help,
	.run = run_why,
};
