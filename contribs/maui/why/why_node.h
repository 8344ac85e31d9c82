/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * maui why --node: why a node is idle, or who has it, and why jobs that wait do not start there.
 * Built on what is known of each of these jobs (why.h).
 */
#ifndef MAUI_WHY_NODE_H
#define MAUI_WHY_NODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <json-c/json.h>

#include "contribs/maui/lib/command.h"
#include "contribs/maui/why/why.h"

struct why_node {
	struct why why; /* its findings; it has no job */
	struct json_object *node;
	const char *name;
	size_t at;                  /* in the queue's nodes */
	struct json_object *detail; /* the data of check-node; NULL: not asked, or refused */
	int64_t limit;              /* jobs that are listed */
	int64_t free_procs;         /* not allocated */
	bool usable;                /* it takes jobs, and has a processor and memory left */
	char state[600];            /* in words, as in "node n5 is ..." */
	/* The waiting job that backfill has planned there for the earliest time; NULL: none seen.
	 */
	struct json_object *planned;
	int64_t plan;    /* this time */
	int64_t holders; /* jobs that have it, as far as they are seen */
	int64_t waiting; /* jobs that ask for one of its partitions */
	/* The first of them that nothing visible keeps from starting there; NULL: none. */
	struct json_object *next;
};

/* Prints all of it, as text or JSON; EXIT_REFUSED if the queue has no such node. */
int why_node_tell(const struct cli *cli, struct json_object *queue, const char *name,
		  int64_t limit);

/* ---- ideas; each fills its members ---------------------------------------------------------- */

/* why_node_state.c */
void why_node_state(struct why_node *node);
void why_node_jobs(struct why_node *node);     /* that hold it */
void why_node_reserved(struct why_node *node); /* reservations, now and later */
void why_node_plan(struct why_node *node);     /* waiting jobs that backfill has planned there */

/* Those that ask for one of its partitions (why_node_waiting.c). */
void why_node_waiting(struct why_node *node);

#endif
