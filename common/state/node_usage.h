/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * USAGE of PRIORITYF: how much of the time in which a node was up it ran jobs, since the counters
 * were made. The time between two passes over the nodes counts as what a node is in the second, so
 * a change is late by one pass at most. No Slurm, no clock, no file, no lock: the caller's lock
 * guards all calls.
 */
#ifndef MAUI_STATE_NODE_USAGE_H
#define MAUI_STATE_NODE_USAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/util/error.h"

/* Nodes are kept for ever, as they may come back; those that come when there are so many are not
 * counted. */
#define MAUI_NODE_USAGE_MAX_NODES 65536
#define MAUI_NODE_USAGE_MAX_NAME  255      /* bytes; no blanks, no control characters */
#define MAUI_NODE_USAGE_MAX_SIZE  33554432 /* bytes of text; the two above fit */

struct maui_node_usage;

/* NULL when memory is short. */
struct maui_node_usage *maui_node_usage_new(void);
struct maui_node_usage *
maui_node_usage_free(struct maui_node_usage *usage); /* accepts NULL, returns NULL */

/*
 * A pass: begin, see for each node, end. elapsed: seconds since the last pass; where it is
 * negative, not finite or not a number it is not known, and nothing is counted. Per pass a node
 * counts once, as it is first seen up; busy says that it runs jobs. O(1) per node, and no memory is
 * asked for but for new nodes. end: whether anything was counted.
 */
void maui_node_usage_begin(struct maui_node_usage *usage, double elapsed);
void maui_node_usage_see(struct maui_node_usage *usage, const char *name, bool up, bool busy);
bool maui_node_usage_end(struct maui_node_usage *usage);

/*
 * A node's number, given now if it has none: from 1, for the life of the object, whatever is taken
 * from a file meanwhile. 0: it is not counted, for its name is none that a file can hold, there are
 * too many nodes, or memory is short.
 */
uint32_t maui_node_usage_id(struct maui_node_usage *usage, const char *name);

/* The greatest number given so far. */
uint32_t maui_node_usage_count(const struct maui_node_usage *usage);

/* Percent, 0 to 100: 0 for nodes that nothing is known of, and for number 0. O(1). */
double maui_node_usage_percent(const struct maui_node_usage *usage, const char *name);
double maui_node_usage_percent_of(const struct maui_node_usage *usage, uint32_t id);

/* What the percent are of, and how much of it they are. */
struct maui_node_usage_seconds {
	double up, busy;
};
struct maui_node_usage_seconds maui_node_usage_seconds(const struct maui_node_usage *usage,
						       const char *name);

/* Whether a node was left out so far: 0, -ENOSPC when there were too many, -ENOMEM when memory was
 * short (it counts from when there is some again). */
int maui_node_usage_left_out(const struct maui_node_usage *usage);

/* Forget all that was counted, and count on from what `from` has counted (NULL: from nothing).
 * Numbers stay. Nodes that there is no room for are left out. */
void maui_node_usage_take(struct maui_node_usage *usage, const struct maui_node_usage *from);

/*
 * As text: contribs/doc/state-files.md. *ret_text is malloc'ed. Seconds are rounded to whole ones,
 * and nodes that have not been up for one have no line. 0 or -ENOMEM.
 */
int maui_node_usage_write(const struct maui_node_usage *usage, char **ret_text, size_t *ret_size,
			  struct maui_error *error);

/* 0; -EINVAL: the text is damaged, cut short or something else; -ENOMEM. The error says what is
 * wrong, and in which line. */
int maui_node_usage_read(const char *text, size_t size, struct maui_node_usage **ret_usage,
			 struct maui_error *error);

#endif
