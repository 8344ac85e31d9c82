/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What `maui check` compares a maui.cfg with: words of slurm.conf, partitions and nodes, as
 * slurmctld reports them; accounts and QOS, as slurmdbd does.
 */
#ifndef MAUI_SLURM_FACTS_H
#define MAUI_SLURM_FACTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/util/error.h"
#include "common/util/intern.h"

enum slurm_word {
	SLURM_SCHEDULER,    /* SchedulerType */
	SLURM_PARAMETERS,   /* SchedulerParameters */
	SLURM_SELECT,       /* SelectType */
	SLURM_PLUGINS,      /* PluginDir */
	SLURM_STORAGE,      /* AccountingStorageType */
	SLURM_LEAST_LOADED, /* "CR_LLN" of SelectTypeParameters, "" without */
	SLURM_PART_LIMITS,  /* EnforcePartLimits */
	SLURM_RELEASE,      /* slurmctld's, "22.05.8" */
	SLURM_WORDS
};

struct slurm_partition {
	const char *name;
	int64_t longest; /* MaxTime in seconds, INT64_MAX none */
};

struct slurm_facts {
	char *text; /* holds the words and names */
	const char *words[SLURM_WORDS];
	struct maui_intern *nodes, *partition_names;
	struct maui_intern *gres;           /* gpu, gpu:a100, license:matlab */
	struct slurm_partition *partitions; /* by the number of the name, from 1 */
	size_t partition_room;
	int64_t node_count, procs, memory; /* of all nodes; MB */
	int64_t pending;                   /* waiting jobs */
};

/* As slurm_site_load(). */
int slurm_facts_load(int timeout, struct slurm_facts *ret_facts, struct maui_error *error);
void slurm_facts_clear(struct slurm_facts *facts);

struct slurm_accounts {
	struct maui_intern *accounts, *qos;
};

int slurm_accounts_load(int timeout, struct slurm_accounts *ret_accounts, struct maui_error *error);
void slurm_accounts_clear(struct slurm_accounts *accounts);

#endif
