/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Slurm's lists of GRES, as maui.queue/1 has them: "gpu:a100:2(IDX:0,3),tape:1", "gres:gpu:4K". */
#ifndef MAUI_GRES_LIST_H
#define MAUI_GRES_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <json-c/json.h>

#include "common/util/slurm/gres.h"

struct gres_item {
	char name[MAUI_GRES_NAME_SIZE];      /* gpu */
	char typed[2 * MAUI_GRES_NAME_SIZE]; /* gpu:a100; "": of no type */
	int64_t count;                       /* 0 to MAUI_GRES_MOST; 1 if the list does not say */
};

/* The next one that has a name; advances *list. False: there is none. */
bool gres_next(const char **list, struct gres_item *ret_item);

/* How many the list has; gpu counts all types of it. */
int64_t gres_count(const char *list, const char *name);

/* What there is of each GRES, types added up; of more than MAUI_GRES_NAMES of them, the first. */
struct gres_sums {
	struct gres_sum {
		char name[MAUI_GRES_NAME_SIZE];
		int64_t up, active;
	} gres[MAUI_GRES_NAMES];
	size_t count;
};

/* Those of a node: what it has, and what jobs have of it. They may be taken off again. */
void gres_add_node(struct gres_sums *sums, struct json_object *node);
void gres_take_node(struct gres_sums *sums, struct json_object *node);

#endif
