/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Processor equivalents: the job's largest share of any resource of the machine, in processors.
 * Chapter 5.1.2; of GRES, D-GRES-13.
 */
#ifndef MAUI_POLICY_PE_H
#define MAUI_POLICY_PE_H

#include "common/config/config.h"
#include "common/config/node_formula.h"
#include "common/util/slurm/gres_table.h"

/* Processors and MB; for a whole job, or for a machine. */
struct maui_resources {
	double procs, memory, swap, disk;
	/* What a job asks for or has; of a machine, what it has of those that PEGRES names. NULL: none. */
	const struct maui_gres_amounts *gres;
};

/* For maui_resources.gres. Amounts that are not known are none. */
static inline const struct maui_gres_amounts *maui_pe_gres(const struct maui_gres *gres)
{
	return gres && gres != &maui_gres_most ? &gres->amounts : NULL;
}

/*
 * Memory, swap, disk and GRES count only if the job asks for some and the machine has some; 0
 * without processors.
 */
double maui_pe(const struct maui_resources *request, const struct maui_resources *machine);

/* The GRES that PEGRES names, and for each the index of its amount in those of jobs. */
struct maui_pe_names {
	struct maui_node_gres gres;
	unsigned int number[MAUI_GRES_NAMES];
};

void maui_pe_names(const struct maui_config *config, struct maui_pe_names *ret_names);

#endif
