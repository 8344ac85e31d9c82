/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The names of Slurm's nodes, their features, and its partitions, as slurmctld reports them. */
#ifndef MAUI_SLURM_MACHINE_H
#define MAUI_SLURM_MACHINE_H

#include "common/policy/reservation/sr_unknown.h"

struct slurm_machine {
	struct maui_node_names *nodes;
	struct maui_intern *features, *partitions;
};

/* As slurm_site_load(). */
int slurm_machine_load(int timeout, struct slurm_machine *ret_machine, struct maui_error *error);
void slurm_machine_clear(struct slurm_machine *machine);

#endif
