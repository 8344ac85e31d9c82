/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What NODECFG says of each node: chapters 5.2.2.4 and 6.2.1.
 *
 * A line covers one node, NODECFG[node07], or a range, NODECFG[node[01-16,20]]. For each attribute
 * separately, the node's own name wins over a range, and the last line among several ranges wins;
 * what none of them gives is taken from NODECFG[DEFAULT]. A limit of 0 is not given, as everywhere;
 * -1 is none.
 *
 * Compiled once per maui.cfg; maui_node_settings() is called once per node, when the node table is
 * read. Bad formulas and ranges are problems of the configuration and do not get here.
 */
#ifndef MAUI_POLICY_NODE_SETTINGS_H
#define MAUI_POLICY_NODE_SETTINGS_H

#include "common/config/config.h"
#include "common/config/node_formula.h"

#define MAUI_NODE_SPEED_LIMIT 100.0 /* as in the original: a greater SPEED counts as this */
#define MAUI_NODE_NOT_GIVEN   INT64_C(-1)

/* Two sides of a limit: 0 not given, negative explicitly none. */
struct maui_node_limit {
	int64_t soft, hard;
};

/* MAXPROC[CLASS:batch]=8, or another dimension. name == NULL: MAXPROC[USER]=8, for each user. */
struct maui_node_dimension_limit {
	enum maui_key key; /* MAUI_ATTR_MAXJOB or MAUI_ATTR_MAXPROC */
	enum maui_credential dimension;
	const char *name;
	struct maui_node_limit limit;
};

/* MAXGRES[gpu]=2: its number among maui_node_policy_gres(). */
struct maui_node_gres_limit {
	unsigned int gres;
	const char *name;
	struct maui_node_limit limit;
};

struct maui_node_limits {
	struct maui_node_limit jobs, jobs_per_user;   /* MAXJOB, MAXJOBPERUSER */
	struct maui_node_limit procs, procs_per_user; /* MAXPROC, MAXPROCPERUSER */
	double pe_per_job;                            /* MAXPEPERJOB; 0 or below: none */
	double load;                                  /* MAXLOAD; 0 or below: none */
	const struct maui_node_dimension_limit *dimensions;
	size_t dimension_count;
	const struct maui_node_gres_limit *gres;
	size_t gres_count;
};

/* Texts and arrays live as long as the policy. MAUI_NODE_NOT_GIVEN: nothing is said. */
struct maui_node_settings {
	struct maui_node_formula
		formula;             /* PRIORITYF and the weights, or DEFAULT's, or the default */
	double priority;             /* PRIORITY; 0 if not given */
	double speed;                /* SPEED, 0 to 100; 1.0 if not given */
	double procspeed;            /* PROCSPEED in MHz; 0 not given */
	int64_t frame, slot;         /* FRAME and SLOT */
	int64_t size;                /* SIZE: slots that it occupies, 1 if not given */
	int64_t memory, disk, swap;  /* CFGMEM, CFGDISK, CFGSWAP in MB, in place of Slurm's */
	const char *const *features; /* FEATURES, in addition to Slurm's own */
	size_t feature_count;
	struct maui_node_limits limits;
};

struct maui_node_policy;

/* Keeps a reference to config. */
struct maui_node_policy *maui_node_policy_compile(struct maui_config *config);
struct maui_node_policy *maui_node_policy_free(struct maui_node_policy *policy);

/*
 * The settings of a node by name, DEFAULT's if no line names it. Never NULL. Nodes with the same
 * settings have the same pointer. O(1).
 */
const struct maui_node_settings *maui_node_settings(const struct maui_node_policy *policy,
						    const char *name);

/* The GRES that its formulas and MAXGRES name, whose numbers these have. Lives as long as the policy. */
const struct maui_node_gres *maui_node_policy_gres(const struct maui_node_policy *policy);

/* The settings if there is no configuration. */
extern const struct maui_node_settings maui_node_no_settings;

#endif
