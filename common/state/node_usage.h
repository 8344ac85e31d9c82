/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * USAGE of PRIORITYF: for what part of its uptime a node ran jobs, since the counters began. The
 * time between two passes over the nodes counts by the state that a node has in the second, so a
 * change is late by one pass at most. No Slurm, no clock, no file, no lock: the caller's lock
 * protects all calls.
 */
#ifndef MAUI_STATE_NODE_USAGE_H
#define MAUI_STATE_NODE_USAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/state/state_file.h"

/*
 * Nodes are kept forever, as they may come back; once there are this many, new ones are not
 * counted.
 */
#define MAUI_NODE_USAGE_MAX_NODES 65536
#define MAUI_NODE_USAGE_MAX_NAME  255      /* bytes; no blanks, no control characters */
#define MAUI_NODE_USAGE_MAX_SIZE  33554432 /* bytes of text; the two above fit */

struct maui_node_usage;

struct maui_node_usage *maui_node_usage_new(void);
struct maui_node_usage *
maui_node_usage_free(struct maui_node_usage *usage); /* accepts NULL, returns NULL */

/*
 * A pass: begin, see for each node, end. elapsed: seconds since the last pass; if it is negative or
 * not finite, it is not known, and nothing is counted. Per pass a node counts once, the first time
 * it is seen up; busy means that it runs jobs. O(1) per node, and no allocation except for new
 * nodes. end: whether anything was counted.
 */
void maui_node_usage_begin(struct maui_node_usage *usage, double elapsed);
void maui_node_usage_see(struct maui_node_usage *usage, const char *name, bool up, bool busy);
bool maui_node_usage_end(struct maui_node_usage *usage);

/*
 * A node's number, assigned now if it has none: from 1 on, for the life of the object, even if its
 * contents are replaced. 0: it is not counted, because no file can hold its name, or there are
 * too many nodes.
 */
uint32_t maui_node_usage_id(struct maui_node_usage *usage, const char *name);

/* The greatest number assigned so far. */
uint32_t maui_node_usage_count(const struct maui_node_usage *usage);

/* Percent, 0 to 100: 0 for unknown nodes, and for number 0. O(1). */
double maui_node_usage_percent(const struct maui_node_usage *usage, const char *name);
double maui_node_usage_percent_of(const struct maui_node_usage *usage, uint32_t id);

/* What the percentage is of, and how much of it was busy. */
struct maui_node_usage_seconds {
	double up, busy;
};
struct maui_node_usage_seconds maui_node_usage_seconds(const struct maui_node_usage *usage,
						       const char *name);

/* Whether any node was left out so far, because there were too many. */
bool maui_node_usage_left_out(const struct maui_node_usage *usage);

/*
 * Replace what was counted by what `from` has counted (NULL: nothing). Numbers stay. Nodes that
 * there is no room for are left out.
 */
void maui_node_usage_take(struct maui_node_usage *usage, const struct maui_node_usage *from);

/* The same in addition to what was counted. */
void maui_node_usage_add(struct maui_node_usage *usage, const struct maui_node_usage *from);

/* Seconds are rounded, and nodes that have been up for less than one have no line. */
MAUI_STATE_FUNCTIONS(maui_node_usage, struct maui_node_usage **, struct maui_node_usage *const *)

#endif
