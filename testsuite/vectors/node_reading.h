/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Node allocation by independent arithmetic, as the original does it and, with rules switched off,
 * as D-NODE-2 to D-NODE-11 require: independent of the core. Written for few nodes.
 */
#ifndef MAUI_VECTORS_NODE_READING_H
#define MAUI_VECTORS_NODE_READING_H

#include "common/config/node_formula.h"
#include "testsuite/vectors/check.h"

#define READING_NODES 64
#define READING_TEXT  512

/* A node as the resource manager reports it. */
struct reading_node {
	const char *name;
	double procs, dprocs, mem, disk, swap, adisk, amem, aswap, load, jobcount, speed, procspeed,
		satime, sutime;
	int tasks;    /* that it can take */
	int affinity; /* the original's codes: 1 required ... 6 none */
	bool preferred;
};

/* An attribute of NODECFG[name]; the last one counts. NULL: none. Copied to text (READING_TEXT). */
const char *reading_attribute(struct json_object *cfg, const char *name, const char *attribute,
			      rule_mask rules, char *text);

struct reading_formula {
	double coefficient[MAUI_NODE_COMPONENTS];
	double constant;
	bool refused; /* D-NODE-8 requires an error */
};
void reading_formula(const char *text, rule_mask rules, struct reading_formula *ret_formula);

double reading_value(struct json_object *cfg, const struct reading_node *node, bool immediate,
		     rule_mask rules);

struct reading_request {
	struct json_object *cfg;
	const char *policy;
	bool immediate;
	int tasks, nodes, tpn;
	struct reading_node node[READING_NODES]; /* feasible ones, in the order of the list */
	int count;
};
struct reading_answer {
	bool ok;
	char text[READING_TEXT]; /* "n3:4 n1:2" */
};
void reading_allocate(const struct reading_request *request, rule_mask rules,
		      struct reading_answer *ret_answer);

#endif
