/* SPDX-License-Identifier: GPL-2.0-or-later */
/* maui queue: what the other commands read from Slurm, to be saved for them or for somebody who
 * helps. */
#include "contribs/maui/queue/queue.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/files/file.h"
#include "common/util/slurm/task_list.h"
#include "contribs/maui/lib/job_name.h"
#include "contribs/maui/lib/output.h"
#include "contribs/maui/slurm/slurm_queue.h"

#define FILE_LIMIT ((size_t)512 << 20) /* bytes */
#define TRIMMED    (1 << 30)           /* free bytes at the end of memory that go back */

/* *ret_queue is NULL if what was read is no JSON. */
static int read_file(const struct cli *cli, struct json_object **ret_queue,
		     struct maui_error *error)
{
	char *text;
	size_t size;
	int rc = maui_file_read(cli->queue_file, FILE_LIMIT, NULL, &text, &size, NULL, error);

	if (!rc) {
		*ret_queue = json_tokener_parse(text);
		free(text);
	}
	return rc;
}

bool queue_is_one(struct json_object *queue)
{
	static const char *const arrays[] = {"jobs", "nodes", "partitions", "reservations"};

	if (strcmp(member_text(queue, "schema"), QUEUE_SCHEMA) != 0)
		return false;
	for (size_t i = 0; i < sizeof(arrays) / sizeof(arrays[0]); i++) {
		struct json_object *array = member_array(queue, arrays[i]);

		if (!array)
			return false;
		for (size_t k = 0; k < array_size(array); k++)
			if (!json_object_is_type(json_object_array_get_idx(array, k),
						 json_type_object))
				return false;
	}
	return true;
}

/*
 * A long queue is millions of small pieces. glibc keeps those that are freed apart, and joins all
 * of them at each table that grows and each piece of memory that goes back: more work than to
 * parse.
 */
static void expect_small_pieces(void)
{
	mallopt(M_MXFAST, 0);
	mallopt(M_TRIM_THRESHOLD, TRIMMED);
}

static int queue_load_source(const struct cli *cli, unsigned int what, const char *whose,
			     struct json_object **ret_queue)
{
	const char *source = cli->queue_file ? cli->queue_file : "what Slurm sent";
	struct json_object *queue = NULL;
	struct maui_error error;
	int rc;

	expect_small_pieces();
	rc = cli->queue_file ? read_file(cli, &queue, &error)
			     : slurm_queue_load(what, whose, cli->timeout, &queue, &error);
	if (rc)
		return fail(cli->queue_file ? EXIT_ERRORS : EXIT_UNREACHABLE, "%s", error.text);
	if (!queue_is_one(queue)) {
		json_object_put(queue);
		return fail(EXIT_ERRORS, "%s is not a " QUEUE_SCHEMA, source);
	}
	*ret_queue = queue;
	return EXIT_OK;
}

int queue_load(const struct cli *cli, unsigned int what, struct json_object **ret_queue)
{
	return queue_load_source(cli, what, NULL, ret_queue);
}

int queue_load_of(const struct cli *cli, const char *user, struct json_object **ret_queue)
{
	return queue_load_source(cli, QUEUE_ALL, user, ret_queue);
}

bool queue_job_is_active(struct json_object *job)
{
	const char *state = member_text(job, "state");

	return !strcmp(state, "RUNNING") || !strcmp(state, "SUSPENDED");
}

bool queue_job_is_pending(struct json_object *job)
{
	return !strcmp(member_text(job, "state"), "PENDING");
}

int queue_compare(const void *first, const void *second, const char *amount, const char *number)
{
	struct json_object *a = *(struct json_object *const *)first,
			   *b = *(struct json_object *const *)second;
	int64_t x = member_integer(a, amount), y = member_integer(b, amount);

	if (x != y)
		return x < y ? 1 : -1;
	x = member_integer(a, number);
	y = member_integer(b, number);
	return x > y ? 1 : x < y ? -1 : 0;
}

int queue_by_priority(const void *first, const void *second)
{
	return queue_compare(first, second, "priority", "job");
}

static bool has_number(struct json_object *job, int64_t number)
{
	static const char *const members[] = {"job", "array_job", "het_job"};

	for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++)
		if (member_integer(job, members[i]) == number)
			return true;
	return false;
}

/* A waiting task has no record of its own: it is one of "4-9,12". */
static bool has_tasks(struct json_object *job, const struct job_name *name)
{
	const char *tasks = member_text(job, "array_tasks");

	if (member_integer(job, "array_job") != name->number)
		return false;
	if (*tasks)
		return maui_task_lists_meet(tasks, name->tasks);
	return json_object_object_get_ex(job, "array_task", NULL) &&
	       maui_task_list_has(name->tasks, member_integer(job, "array_task"));
}

bool queue_job_is(struct json_object *job, const char *text)
{
	struct job_name name;

	if (!strcmp(member_text(job, "id"), text))
		return true;
	if (!job_name_read(text, &name))
		return false;
	switch (name.part) {
	case JOB_TASKS:
		return has_tasks(job, &name);
	case JOB_COMPONENT:
		return member_integer(job, "het_job") == name.number &&
		       member_integer(job, "het_offset") == name.offset;
	default:
		return has_number(job, name.number);
	}
}

/* The higher, the more it is what a name of several records means: what waits, and may start. */
static int queue_standing(struct json_object *job)
{
	if (queue_job_is_pending(job))
		return member_integer(job, "priority") > 0 ? 3 : 2;
	return queue_job_is_active(job);
}

struct json_object *queue_job(struct json_object *queue, const char *name)
{
	struct json_object *jobs = member_array(queue, "jobs"), *found = NULL;

	for (size_t i = 0; i < array_size(jobs); i++) {
		struct json_object *job = json_object_array_get_idx(jobs, i);

		if (queue_job_is(job, name) &&
		    (!found || queue_standing(job) > queue_standing(found)))
			found = job;
	}
	return found;
}

struct json_object *queue_find(struct json_object *queue, const char *array, const char *name)
{
	struct json_object *records = member_array(queue, array);

	for (size_t i = 0; i < array_size(records); i++) {
		struct json_object *record = json_object_array_get_idx(records, i);

		if (!strcmp(member_text(record, "name"), name))
			return record;
	}
	return NULL;
}

static int run_queue(struct cli *cli, int argc, char **argv)
{
	struct json_object *queue;
	int code, option = next_option(cli, argc, argv, "", NULL);

	if (option != OPTIONS_END)
		return option == OPTIONS_DONE ? EXIT_OK : EXIT_ERRORS;
	if (optind < argc)
		return fail_usage(cli, "queue takes no argument");
	code = queue_load(cli, QUEUE_ALL, &queue);
	if (code != EXIT_OK)
		return code;
	json_object_object_del(queue, "schema");
	code = print_json(QUEUE_SCHEMA, queue);
	json_object_put(queue);
	return code;
}

const struct command queue_command = {
	.name = "queue",
	.synopsis = "",
	.summary = "Print Slurm's jobs, nodes, partitions and reservations as JSON",
	.run = run_queue,
};
