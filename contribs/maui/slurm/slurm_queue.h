/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What slurmctld shows the caller of jobs, nodes, partitions and reservations, as a
 * maui.queue/1. */
#ifndef MAUI_SLURM_QUEUE_H
#define MAUI_SLURM_QUEUE_H

#include <json-c/json.h>

#include "common/util/error.h"

#define QUEUE_SCHEMA "maui.queue/1"

/* What was asked for. */
enum {
	QUEUE_JOBS = 1,
	QUEUE_NODES = 2,
	QUEUE_PARTITIONS = 4,
	QUEUE_RESERVATIONS = 8,
	QUEUE_ALL = 15,
	QUEUE_BRIEF = 16,   /* only what a list of jobs needs: names, states, times, procs, nodes */
	QUEUE_VISIBLE = 32, /* without jobs and nodes of partitions that are hidden from the user */
};

/*
 * what: QUEUE_.... whose: a user; jobs that others wait for are told briefly, since a queue is
 * mostly these: numbers, credentials, state, priority, and how much they ask for (contribs/doc/queue.md).
 * NULL: all of all jobs.
 *
 * *ret_queue: NULL if what came is no JSON; the caller puts it. It is parsed as it comes, so that two
 * processors share the work. As slurm_child().
 */
int slurm_queue_load(unsigned int what, const char *whose, int timeout,
		     struct json_object **ret_queue, struct maui_error *error);

#endif
