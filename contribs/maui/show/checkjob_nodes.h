/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which nodes a waiting job could have now, as far as their records show: what is free, and what
 * the job asks for. Licenses, GRES and topology are left to Slurm.
 */
#ifndef MAUI_CHECKJOB_NODES_H
#define MAUI_CHECKJOB_NODES_H

#include <stddef.h>
#include <stdint.h>

#include <json-c/json.h>

#include "contribs/maui/queue/job_facts.h"

struct node_verdict {
	const char *name;
	const char *why; /* the original's word for what rules it out; NULL: nothing */
	int64_t idle;    /* processors that the job could have there now */
};

struct node_scan {
	struct node_verdict *nodes; /* of the partition */
	size_t count, usable;       /* usable: nothing rules them out */
	int64_t idle;               /* of the usable ones */
	int64_t feasible;           /* processors on all nodes that are suitable when free */
};

/* admitted: as for reserved_nodes_read(). The caller frees nodes. Names belong to the queue. */
void node_scan(struct json_object *queue, const struct job_facts *facts,
	       struct json_object *admitted, const char *partition, struct node_scan *ret_scan);

#endif
