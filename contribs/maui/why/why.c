/* SPDX-License-Identifier: GPL-2.0-or-later */
/* maui why: what holds a job back, who is ahead, what would free it, and when. The original has no
 * counterpart. */
#include "contribs/maui/why/why.h"

#include <stdio.h>
#include <string.h>

#include "contribs/maui/lib/job_name.h"
#include "contribs/maui/lib/json.h"
#include "contribs/maui/lib/output.h"

#define COMPLAINT_SIZE 1024

/* Holds come first, what depends on other jobs last: the first is the answer. */
static void explain_waiting(struct why *why)
{
	struct json_object *first;

	why_hold(why);
	why_dependency(why);
	why_begin(why);
	why_limit(why);
	why_partition(why);
	why_slurm(why);
	why_license(why);
	why_reservation(why);
	why_place(why);
	why_plan(why);
	first = json_object_array_get_idx(why->findings, 0);
	for (size_t i = 0; i < array_size(why->findings); i++) {
		first = json_object_array_get_idx(why->findings, i);
		if (!strcmp(member_text(first, "part"), why_part_name(WHY_CAUSE)))
			break;
	}
	snprintf(
		why->summary, sizeof(why->summary), "job %s waits: %s", member_text(why->job, "id"),
		why_has(why, WHY_CAUSE) ? member_text(first, "text") : "the reason cannot be seen");
}

static void explain_ended(struct why *why)
{
	char end[TEXT_DATE_SIZE];

	snprintf(why->summary, sizeof(why->summary),
		 "job %s waits for nothing: it has been %s since %s", member_text(why->job, "id"),
		 member_text(why->job, "state"), why_time(member_integer(why->job, "end"), end));
}

/* Fills in the rest; the caller clears it. */
static void explain(struct why *why)
{
	bool pending = queue_job_is_pending(why->job);

	why->now = member_integer(why->queue, "time");
	why->answers = json_make_array();
	why->findings = json_make_array();
	if (!pending && !queue_job_is_active(why->job)) {
		explain_ended(why);
		return;
	}
	why_ask(why);
	if (pending)
		explain_waiting(why);
	else
		why_running(why);
}

static void clear(struct why *why)
{
	json_object_put(why->answers);
	json_object_put(why->findings);
}

struct json_object *why_explain(const struct engine *engine, struct json_object *queue,
				const struct queue_sorted *sorted, struct json_object *job)
{
	struct why why = {.service = engine,
			  .quiet = true,
			  .last = true,
			  .brief = true,
			  .queue = queue,
			  .sorted = sorted,
			  .job = job};
	struct json_object *data;

	explain(&why);
	data = why_data(&why);
	clear(&why);
	return data;
}

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

static int tell(const struct cli *cli, const char *name, struct json_object *queue)
{
	struct queue_sorted sorted;
	struct why why = {.queue = queue, .sorted = &sorted, .job = queue_job(queue, name)};
	struct engine engine;
	char text[COMPLAINT_SIZE] = "";
	int code = EXIT_OK;

	if (!why.job)
		return fail(EXIT_REFUSED,
			    "Slurm has no job %s, has forgotten it, or it is not yours to see",
			    name);
	complaints_keep(text, sizeof(text));
	if (is_asked_about(why.job) && engine_find(cli, &engine) == EXIT_OK)
		why.service = &engine;
	complaints_keep(NULL, 0);
	if (*text)
		note("%s", text);
	queue_sort(queue, &sorted);
	explain(&why);
	if (cli->json)
		code = show_data(&why);
	else
		why_print(&why);
	clear(&why);
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

static int run_why(struct cli *cli, int argc, char **argv)
{
	int code, option = next_option(cli, argc, argv, "", NULL);
	struct json_object *queue = NULL;
	char **names;

	if (option != OPTIONS_END)
		return option == OPTIONS_DONE ? EXIT_OK : EXIT_ERRORS;
	if (optind + 1 != argc)
		return fail_usage(cli, optind < argc ? "one job at a time, or a list: 17,18"
						     : "which job?");
	names = job_names_split(1, argv + optind);
	code = check_names(cli, names);
	if (!code)
		code = queue_load(cli, QUEUE_ALL, &queue);
	for (char **name = names; !code && *name; name++)
		code = tell(cli, *name, queue);
	json_object_put(queue);
	job_names_clear(names);
	return code;
}

const struct command why_command = {
	.name = "why",
	.synopsis = "[--json] JOB",
	.summary = "Explain why a job waits, who is ahead, and what would free it; or why it has "
		   "its nodes",
	.run = run_why,
};
