/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a job asks for, in the original's words. */
#ifndef MAUI_JOB_TEXT_H
#define MAUI_JOB_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <json-c/json.h>

/* "[batch:1][fast:1]", with behind after each partition; "[NONE]". Returns buffer. */
const char *job_classes(struct json_object *job, const char *behind, char *buffer, size_t size);

/* "[fast][big]" for fast&big; any other expression is one word; "[NONE]". Returns buffer. */
const char *job_features(struct json_object *job, char *buffer, size_t size);

/* MB: requested on each node, 0 if requested by processor; and in total for the job, whether
 * requested by node or by processor. */
int64_t job_node_memory(struct json_object *job);
int64_t job_memory(struct json_object *job);
/* 0 if one of them is negative; at most 2^40, as all amounts. */
int64_t job_product(int64_t a, int64_t b);

int64_t job_tasks(struct json_object *job);          /* at least 1 */
int64_t job_procs_per_task(struct json_object *job); /* at least 1 */

/* Tasks, nodes, memory, disk, features as members. */
void job_add_wishes(struct json_object *object, struct json_object *job);

#endif
