/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who answers requests: a thread for each lane, which takes one after the other. So a long what-if
 * delays other what-ifs, and what reads a table in one lane at a time needs no lock for it. Within a
 * lane root and SlurmUser come first, then users take turns.
 */
#ifndef MAUI_ENGINE_LANES_H
#define MAUI_ENGINE_LANES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "plugins/engine/service/service_requests.h"

/* Seconds that a request may wait for its turn. The command waits ten in all, and nothing is changed
 * once nobody waits for that: a change may take eight. */
#define LANE_PATIENCE        10
#define LANE_PATIENCE_CHANGE 2

/* A request on its way. All of it belongs to the lanes until it is done. */
struct lane_task {
	struct request *request;
	bool privileged;
	char *answer; /* when it is done: malloc'ed */
	size_t size;
	bool done;
	double since;
	uint64_t turn;
	struct lane_task *next;
};

/* The lanes write a byte to this descriptor whenever a task is done. */
void lanes_begin(int wake);

/* False: there is no thread for it. */
bool lanes_put(struct lane_task *task);

/* Whether it is done: then it is the caller's again. */
bool lanes_done(struct lane_task *task);

#endif
