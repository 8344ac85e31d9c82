/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The queue and the machine as Slurm itself shows them to the caller (PrivateData applies), as
 * JSON: contribs/doc/queue.md has the members. Works without the engine; --queue-file=FILE is a
 * saved one.
 */
#ifndef MAUI_QUEUE_H
#define MAUI_QUEUE_H

#include <stdbool.h>

#include <json-c/json.h>

#include "contribs/maui/lib/command.h"
#include "contribs/maui/slurm/slurm_queue.h"

extern const struct command queue_command;

/*
 * what: QUEUE_... of slurm_queue.h, other arrays are empty (from a file: unchanged). EXIT_OK:
 * *ret_queue is an object with the arrays jobs, nodes, partitions, reservations, and the number
 * time; the caller puts it. Otherwise says what is wrong and returns an exit code.
 */
int queue_load(const struct cli *cli, unsigned int what, struct json_object **ret_queue);

/*
 * The same, all of it, for what is about one user's jobs and about the queue as a whole: jobs that
 * others wait for have fewer members (slurm_queue_load()). user: NULL for all jobs.
 */
int queue_load_of(const struct cli *cli, const char *user, struct json_object **ret_queue);

/* What readers of a queue may rely on: its schema, and arrays of objects. Members of another type
 * read as unset. */
bool queue_is_one(struct json_object *queue);

/* Whether a record is of a job by its name (job_name.h): "17" is all of an array, "17_[3,5]" any of
 * these tasks. */
bool queue_job_is(struct json_object *job, const char *name);

/*
 * The record of a job by its name. Of several it is the first that waits and is not held, or else
 * waits, or else runs, or else any. NULL: none, or hidden. It belongs to the queue.
 */
struct json_object *queue_job(struct json_object *queue, const char *name);

bool queue_job_is_active(struct json_object *job); /* it holds nodes */
bool queue_job_is_pending(struct json_object *job);

/* For qsort() and its like, of pointers to objects with two integers of these names: the highest
 * amount first, then the lowest number. */
int queue_compare(const void *first, const void *second, const char *amount, const char *number);

/* The same of jobs. */
int queue_by_priority(const void *first, const void *second);

/*
 * A record of one of the arrays ("nodes", "partitions"; an answer's "credentials") by its name;
 * NULL if there is none.
 */
struct json_object *queue_find(struct json_object *queue, const char *array, const char *name);

#endif
