/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints Maui's lines `job N can run in partition` and `cannot select job N`,
 * the Rejection Reasons of node_scan(), and the same as JSON.
 */
#include "contribs/maui/show/checkjob_partitions.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/report/json.h"
#include "contribs/maui/lib/output.h"
#include "contribs/maui/lib/text.h"
#include "contribs/maui/queue/machine_use.h"
#include "contribs/maui/show/checkjob_nodes.h"

static void scan_nodes(const struct checkjob *view, const char *partition,
		       struct node_scan *ret_scan)
{
	struct json_object *data = member_object(view->list->advice.reservations, "data");

	node_scan(view->list->queue, view->facts, member_array(data, "reservations"), partition,
		  ret_scan);
}

/* Calls a function for each partition of "batch,fast" until it fails. array is for the function. */
typedef int (*visit_partition)(const struct checkjob *view, const char *partition,
			       struct json_object *array);

static int each_partition(const struct checkjob *view, visit_partition visit,
			  struct json_object *array)
{
	char *list = text_copy(member_text(view->job, "partition")), *rest = NULL;
	int code = EXIT_OK;

	for (char *name = strtok_r(list, ",", &rest); name && !code;
	     name = strtok_r(NULL, ",", &rest))
		code = visit(view, name, array);
	free(list);
	return code;
}

/* ---- text ------------------------------------------------------------------------------------ */

static bool is_hold(const char *kind)
{
	const char *dash = strstr(kind, "-hold");

	return (dash && !dash[5]) || !strcmp(kind, "negative-priority");
}

/* Reduces "cannot be selected  (...)" to what is in the parentheses, if the message says that. */
static bool checkjob_partitions_inner(char *message)
{
	static const char prefix[] = "cannot be selected  (";
	size_t length = strlen(message), skip = sizeof(prefix) - 1;

	if (strncmp(message, prefix, skip) != 0 || message[length - 1] != ')')
		return false;
	memmove(message, message + skip, length - skip + 1);
	message[length - skip - 1] = '\0';
	return true;
}

static void print_blocked_line(const struct checkjob *view, const char *partition)
{
	char message[1024];

	printf("cannot select job ");
	print_clean(job_name(view->facts));
	printf(" for partition ");
	print_clean(partition);
	job_message(view->facts, message, sizeof(message));
	if (is_hold(view->facts->kind)) {
		printf(" (job hold active)\n");
	} else if (checkjob_partitions_inner(message)) {
		printf(" (%s)\n", message);
	} else { /* the original's texts of limits end in a newline */
		printf(" (job ");
		print_clean(job_name(view->facts));
		printf(" %s\n)\n", message);
	}
}

static void print_idle_line(const struct checkjob *view, const char *partition,
			    const struct node_scan *scan)
{
	int64_t procs = view->facts->procs, nodes = count_of(view->job, "nodes");

	printf("job %s run in partition ",
	       scan->idle >= procs && (int64_t)scan->usable >= nodes ? "can" : "cannot");
	print_clean(partition);
	if (scan->idle < procs)
		printf(" (insufficient idle procs available: %" PRId64 " < %" PRId64 ")\n",
		       scan->idle, procs);
	else if ((int64_t)scan->usable < nodes)
		printf(" (insufficient idle nodes available: %zu < %" PRId64 ")\n", scan->usable,
		       nodes);
	else
		printf(" (%" PRId64 " procs available.  %" PRId64 " procs required)\n", scan->idle,
		       procs);
}

static size_t count_why(const struct node_scan *scan, const char *why)
{
	size_t count = 0;

	for (size_t i = 0; i < scan->count; i++)
		count += scan->nodes[i].why && !strcmp(scan->nodes[i].why, why);
	return count;
}

static void print_rejections(const struct node_scan *scan)
{
	static const char *const words[] = {"CPU",    "Disk",        "Features", "HostList",
					    "Memory", "ReserveTime", "State"};

	printf("\nidle procs: %3" PRId64 "  feasible procs: %3" PRId64 "\n\nRejection Reasons: ",
	       scan->idle, scan->feasible);
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (count_why(scan, words[i]))
			printf("[%-12s : %4zu]", words[i], count_why(scan, words[i]));
	printf("%s\n\nDetailed Node Availability Information:\n\n",
	       scan->usable == scan->count ? "[NONE]" : "");
	for (size_t i = 0; i < scan->count; i++) {
		char name[256];

		printf("%-24s ", clean_copy(scan->nodes[i].name, name, sizeof(name)));
		if (scan->nodes[i].why)
			printf("rejected : %s\n", scan->nodes[i].why);
		else
			printf("available: %" PRId64 " procs\n", scan->nodes[i].idle);
	}
	putchar('\n');
}

static int explain_in(const struct checkjob *view, const char *partition,
		      struct json_object *unused)
{
	struct node_scan scan;

	(void)unused;
	if (view->facts->phase == JOB_BLOCKED)
		print_blocked_line(view, partition);
	if (view->facts->phase == JOB_BLOCKED && !view->verbose)
		return EXIT_OK;
	scan_nodes(view, partition, &scan);
	if (view->facts->phase == JOB_IDLE)
		print_idle_line(view, partition, &scan);
	if (view->verbose)
		print_rejections(&scan);
	free(scan.nodes);
	return EXIT_OK;
}

int checkjob_print_partitions(const struct checkjob *view)
{
	return each_partition(view, explain_in, NULL);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static struct json_object *node_json(const struct node_verdict *verdict)
{
	struct json_object *node = json_make_object();

	json_set_text(node, "node", verdict->name);
	json_set_text(node, "rejected", verdict->why);
	json_set_number(node, "procs", verdict->idle);
	return node;
}

static struct json_object *scan_json(const struct node_scan *scan, const char *partition)
{
	struct json_object *object = json_make_object(), *nodes = json_make_array();

	json_set_text(object, "partition", partition);
	json_set_number(object, "idle_procs", scan->idle);
	json_set_number(object, "feasible_procs", scan->feasible);
	json_set(object, "nodes", nodes);
	for (size_t i = 0; i < scan->count; i++)
		json_append(nodes, node_json(&scan->nodes[i]));
	return object;
}

/* A partition's object, into the job's array of them. */
static int add_partition(const struct checkjob *view, const char *partition,
			 struct json_object *array)
{
	struct node_scan scan;

	scan_nodes(view, partition, &scan);
	json_append(array, scan_json(&scan, partition));
	free(scan.nodes);
	return EXIT_OK;
}

int checkjob_add_partitions(const struct checkjob *view, struct json_object *data)
{
	struct json_object *array = json_make_array();

	json_set(data, "partitions", array);
	return job_waits(view->facts) ? each_partition(view, add_partition, array) : EXIT_OK;
}
