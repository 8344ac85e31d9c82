/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From words of slurm.conf to numbers. */
#ifndef MAUI_IMPORT_READ_H
#define MAUI_IMPORT_READ_H

#include "common/import/import_accounting.h"
#include "common/import/import_conf.h"
#include "common/import/import_priority.h"
#include "common/replay/nodes/nodes.h"

/*
 * The priority of a slurm.conf; nodes are its nodes and partitions. What is in *ret_priority lives
 * as long as conf. 0, or -EINVAL if there was something to complain about.
 */
int maui_import_read_priority(struct maui_import_conf *conf, const struct maui_replay_nodes *nodes,
			      const struct maui_import_complaints *complaints,
			      struct maui_import_priority *ret_priority);

/* The kind and name alone of what slurm.conf and slurmdbd call cpu or gres/gpu;
 * the name stays in the text. */
struct maui_import_tres maui_import_tres_named(const char *name);

struct maui_import_weights {
	const struct maui_import_tres *list; /* live as long as the conf */
	size_t count;
};

/*
 * PriorityWeightTRES, TRESBillingWeights: cpu=1000,mem=0.25G,gres/gpu=3000. The units of each
 * partition have the machine's order. False: *ret_at is the first character that is wrong, and
 * *ret_why why.
 */
bool maui_import_read_tres(struct maui_import_conf *conf, const struct maui_replay_nodes *nodes,
			   const char *text, struct maui_import_weights *ret_weights,
			   size_t *ret_at, const char **ret_why);

/* Remarks for all settings that no function translates. */
void maui_import_tell_conf(const struct maui_import_conf *conf, struct maui_import *import);

#endif
