/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The jobs of a maui.queue/1, sorted out once: members of JSON are looked up by their names, which
 * is much for those who go over a long queue again and again.
 */
#ifndef MAUI_QUEUE_SORTED_H
#define MAUI_QUEUE_SORTED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <json-c/json.h>

/* What jobs have in common, of which there are few different ones. */
struct queue_kind {
	const char *partitions; /* the list that they ask for */
	const char *reason;     /* why they wait, in Slurm's word */
	size_t count;           /* of waiting jobs */
};

struct queue_waiting {
	struct json_object *job;
	const char *user;
	int64_t priority, number;
	size_t kind;
};

/* Processors that an active job holds on a node. */
struct queue_use {
	size_t job, node; /* as in active, and in the queue's nodes */
	int64_t procs;    /* 0 to 2^40 */
};

/* Jobs, nodes and texts belong to the queue, which must outlive this. */
struct queue_sorted {
	struct json_object *queue;
	struct json_object *active;   /* like the queue, with active jobs alone: "jobs", "time" */
	struct json_object *users;    /* name: the same, with the jobs of this user */
	struct json_object *nodes_at; /* name of a node: its place in the queue's nodes */
	struct queue_use *uses;       /* on nodes that the queue has, those of a job together */
	size_t use_count, use_room;
	struct queue_waiting *waiting; /* the highest priority first, then the lowest number */
	size_t waiting_count;
	struct queue_kind *kinds;
	size_t kind_count, kind_room;
};

/* queue: NULL is one without jobs. The caller clears it. */
void queue_sort(struct json_object *queue, struct queue_sorted *ret_sorted);
/* False: the queue has no node of this name. */
bool queue_sorted_node(const struct queue_sorted *sorted, const char *name, size_t *ret_at);
void queue_sorted_clear(struct queue_sorted *sorted);

#endif
