/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The area sr_instances, by independent arithmetic: which instances exist at the start and after
 * the roll, and where they are placed; D-RSV-10 to D-RSV-20, with each departure from the original
 * as a switch. Calls nothing of the core but for times.
 */
#ifndef MAUI_VECTORS_INSTANCE_READING_H
#define MAUI_VECTORS_INSTANCE_READING_H

#include "testsuite/vectors/window_reading.h"

#define INSTANCE_NODES 16
#define INSTANCE_SRS   8
#define INSTANCE_MAX   256
#define INSTANCE_STEPS 2

struct instance_node {
	const char *name, *features;
	double procs, mem;
};

struct instance_case {
	struct json_object *cfg;
	struct instance_node nodes[INSTANCE_NODES];
	size_t node_count;
	char srs[INSTANCE_SRS][24]; /* names */
	size_t sr_count;
	int64_t now[INSTANCE_STEPS];
};

/* An instance. */
struct instance_reading {
	size_t sr;
	char name[48];
	size_t index; /* original: its place; created: made with it rather than moved there */
	bool created;
	char date[12]; /* of its period's beginning; "inf" */
	double start, end, priority;
	char flags[256];
	double tasks[INSTANCE_NODES]; /* by node, as reported */
	double procs, nodes, total;   /* as reported; total is "tasks" */
};

/* All instances after a step, by standing reservation and then by their ends. */
struct step_reading {
	struct instance_reading instances[INSTANCE_MAX];
	size_t count;
};

/* False, with the case failed, if it cannot be read. */
bool instance_case_read(struct check *check, struct json_object *object, struct instance_case *ret);

/* rules: those for which the original's side is taken. */
void instance_read(const struct instance_case *input, rule_mask rules,
		   struct step_reading ret[INSTANCE_STEPS]);

/* Sort into that order. */
void instance_sort(struct step_reading *step);

#endif
