/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A site's policy in Slurm without Maui: what priority/multifactor and the limits of slurmdbd would
 * do. D-RPL-41.
 */
#ifndef MAUI_REPLAY_STOCK_H
#define MAUI_REPLAY_STOCK_H

#include "common/import/import_accounting.h"
#include "common/import/import_points.h"
#include "common/import/import_read.h"
#include "common/replay/nodes/nodes.h"

struct maui_stock {
	const struct maui_import_accounting *accounting;
	const struct maui_replay_nodes *nodes;
	struct maui_import_priority priority; /* with the QOS and associations */
	struct maui_import_greatest greatest;
	struct maui_import_weights
		*billing;           /* by partition, TRESBillingWeights; none: processors */
	const char **partition_qos; /* by partition; NULL: none */
	bool limits, safe;          /* AccountingStorageEnforce has them */
	/* What Slurm heeds and a replay does not, each a sentence's subject: "MaxSubmit (2 times)". */
	const char **ignored;
	size_t ignored_count, ignored_room;
	struct maui_arena *arena;
};

/*
 * What slurm.conf, whose nodes these are, and slurmdbd say; all must stay. 0; -EINVAL if there was
 * something to complain about. Must be cleared in either case.
 */
int maui_stock_open(struct maui_import_conf *conf, const struct maui_replay_nodes *nodes,
		    const struct maui_import_accounting *accounting,
		    const struct maui_import_complaints *complaints, struct maui_stock *ret_stock);
void maui_stock_clear(struct maui_stock *stock);

/* The account above an association; MAUI_IMPORT_NONE: it is the root. */
size_t maui_stock_parent(const struct maui_stock *stock, size_t assoc);

/* What a QOS says under a name of sacctmgr's; NULL: nothing. */
const char *maui_stock_qos_setting(const struct maui_stock *stock, const char *qos,
				   const char *setting);

#endif
