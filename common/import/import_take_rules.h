/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which limits of Slurm are limits of Maui, and when one of them cannot be taken. */
#ifndef MAUI_IMPORT_TAKE_RULES_H
#define MAUI_IMPORT_TAKE_RULES_H

#include "common/import/import_accounting.h"

struct maui_import_site {
	const char *const *partition_qos; /* those that partitions have */
	size_t partition_qos_count;
	const struct maui_import_priority *priority; /* whose GRES are in maui.cfg already */
	bool enforced;                               /* AccountingStorageEnforce has limits */
};

enum maui_import_metric { MAUI_IMPORT_JOBS, MAUI_IMPORT_AMOUNT, MAUI_IMPORT_MINUTES };

struct maui_import_rule {
	const char *setting; /* as sacctmgr prints it */
	const char *modify;  /* as sacctmgr takes it */
	bool of_qos;         /* or of an association */
	enum maui_import_metric metric;
	const char *each; /* USER or ACCOUNT: the limit is each one's; "": of all together */
	/* Of limits with the same, a job's partition, QOS and associations in this order, Slurm
	 * enforces the first alone. */
	const char *rivals;
};

/* NULL: none. */
const struct maui_import_rule *maui_import_rule_of(const struct maui_import_limit *limit);

/* Of one TRES of the limit's value, or "" for a number of jobs: why it stays Slurm's; NULL: it need
 * not. */
const char *maui_import_obstacle(const struct maui_import_accounting *accounting,
				 const struct maui_import_site *site,
				 const struct maui_import_limit *limit, const char *tres,
				 struct maui_import *import);

/* The TRES before the sign of "gres/gpu=4", without which it is a number of jobs. */
struct maui_import_part {
	char *name, *value;
};

/* Whole, and of memory in MB: 4096, 4G. False: it is none, or too great for Maui. */
bool maui_import_amount(const char *text, bool memory, uint64_t *ret_amount);

/* The next of a limit's value, which is split in place. False: there is none. */
bool maui_import_next_part(char **list, struct maui_import_part *ret_part);

#endif
