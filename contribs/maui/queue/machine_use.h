/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How much of the machine is up and in use, of the nodes of a maui.queue/1. */
#ifndef MAUI_MACHINE_USE_H
#define MAUI_MACHINE_USE_H

#include <stdbool.h>
#include <stdint.h>

#include <json-c/json.h>

#include "common/util/list.h"
#include "common/util/slurm/node_state.h"
#include "contribs/maui/queue/gres_list.h"

struct machine_use {
	int64_t procs, active_procs; /* of the nodes that are up */
	int64_t nodes, active_nodes;
	int64_t memory, disk; /* MB, of all that is up */
	struct gres_sums gres;
};

/* partition NULL: all nodes. */
struct machine_use machine_use(struct json_object *queue, const char *partition);

/* Whether jobs can be started on it, by its state and flags. */
enum maui_node_use node_use(struct json_object *node);
/* There is a way for a job to start on it now: Slurm boots it if need be, and reservations judge of
 * maintenance. */
bool node_takes_jobs(struct json_object *node);
/* Up means it runs jobs, or may: neither down nor, without jobs, drained. */
bool node_is_up(struct json_object *node);
bool node_has_flag(struct json_object *node, const char *flag);
bool node_is_in(struct json_object *node, const char *partition);

/* Whether an array of texts has this one. */
bool has_text(struct json_object *array, const char *text);
bool has_item(struct json_object *array, struct maui_item item);

/* A member of a record, 0 to 2^40, so that sums do not overflow. */
int64_t count_of(struct json_object *record, const char *name);

#endif
