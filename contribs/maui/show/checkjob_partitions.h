/* SPDX-License-Identifier: GPL-2.0-or-later */
/* maui checkjob: whether a waiting job could start now in each of its partitions, or why not. */
#ifndef MAUI_CHECKJOB_PARTITIONS_H
#define MAUI_CHECKJOB_PARTITIONS_H

#include <stdbool.h>

#include <json-c/json.h>

#include "contribs/maui/queue/job_list.h"

/* The job that is shown. */
struct checkjob {
	const struct job_list *list;
	const struct job_facts *facts;
	struct json_object *job;
	bool verbose;
	bool array; /* it stands for all of its array */
};

/* A line for each partition; verbose: also its nodes. Returns an exit code. */
int checkjob_print_partitions(const struct checkjob *view);

/* Adds the member "partitions", empty unless the job waits. Returns an exit code. */
int checkjob_add_partitions(const struct checkjob *view, struct json_object *data);

#endif
