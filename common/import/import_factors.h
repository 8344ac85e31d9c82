/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How priority/multifactor, or priority/basic, gives priorities at a site, as numbers. */
#ifndef MAUI_IMPORT_FACTORS_H
#define MAUI_IMPORT_FACTORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/policy/fairshare/usage_decay.h"

enum maui_import_factor {
	MAUI_IMPORT_AGE,
	MAUI_IMPORT_ASSOC,
	MAUI_IMPORT_FAIRSHARE,
	MAUI_IMPORT_SIZE,
	MAUI_IMPORT_PARTITION,
	MAUI_IMPORT_QOS,
	MAUI_IMPORT_FACTORS
};

enum maui_import_tres_kind {
	MAUI_IMPORT_CPU,
	MAUI_IMPORT_MEM, /* MB */
	MAUI_IMPORT_NODE,
	MAUI_IMPORT_GRES,
	MAUI_IMPORT_NO_RESOURCE, /* none that Maui counts */
};

/* One of PriorityWeightTRES. */
struct maui_import_tres {
	enum maui_import_tres_kind kind;
	const char *written;   /* mem=0.25G */
	const char *name;      /* mem; of GRES what follows gres/ */
	double weight;         /* of a unit, or of all units together */
	const uint64_t *units; /* of each partition; 0: it has none */
	uint64_t all;          /* of the machine */
};

struct maui_import_partition {
	const char *name;
	uint32_t factor; /* PriorityJobFactor */
};

struct maui_import_qos {
	const char *name;
	uint32_t priority;
};

#define MAUI_IMPORT_PARENT_SHARES UINT32_C(0x7fffffff)

struct maui_import_assoc {
	const char *account;
	const char *user;      /* NULL: the account's own */
	const char *partition; /* NULL: all */
	uint32_t priority;     /* its parent's, if it has none itself */
	const char *parent;    /* the account above; NULL: there is none */
	uint32_t shares;       /* Fairshare; MAUI_IMPORT_PARENT_SHARES: its parent's */
	bool by_default;       /* of a user whose DefaultAccount this is */
};

struct maui_import_priority {
	const char *type; /* as it is written; NULL: it is not */
	bool basic;       /* priority/basic */
	bool slurmdbd;    /* without it slurmctld takes the weights of age and fairshare for 0 */
	bool accrue_always, relative, favor_small;
	bool no_normal_assoc, no_normal_part, no_normal_qos, no_normal_tres;
	const char *fairshare; /* the algorithm's name */
	bool oblivious;        /* it is "depth oblivious" */
	bool classic;          /* it is not Fair Tree */
	bool max_tres;         /* a job is billed for the greatest of its TRES */
	uint32_t dampening;    /* FairShareDampeningFactor */
	/* How usage decays, seconds; a half-life of 0: not. */
	uint64_t half_life, calc_period;
	enum maui_usage_reset reset;
	uint32_t weight[MAUI_IMPORT_FACTORS];
	uint64_t max_age; /* seconds */
	uint32_t nodes;   /* of the machine */
	uint64_t cpus;
	const struct maui_import_tres *tres;
	const struct maui_import_partition *partitions;
	const struct maui_import_qos *qos;      /* NULL: not known */
	const struct maui_import_assoc *assocs; /* NULL: not known */
	size_t tres_count, partition_count, qos_count, assoc_count;
};

#endif
