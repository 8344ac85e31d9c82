/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of nodes as Slurm's own commands print them. */
#ifndef MAUI_SLURM_HOSTS_H
#define MAUI_SLURM_HOSTS_H

#include <stdbool.h>

#include "common/policy/reservation/sr_hosts.h"

/* Those that are listed: n[0-1,3]. malloc'ed; NULL if out of memory. */
char *slurm_hosts_text(const struct maui_node_names *nodes, const bool *listed);

#endif
