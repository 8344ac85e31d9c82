/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The features of nodes, and which of them jobs want. Node read lock. */
#ifndef MAUI_ENGINE_FEATURES_H
#define MAUI_ENGINE_FEATURES_H

#include <stdbool.h>

#include "plugins/compat/base.h"

/* The nodes on which a feature is active, ignoring case; NULL: there is no feature of this name, or
 * no node has it. The bitmap is Slurm's. */
bitstr_t *features_nodes(const char *name);

/* Clears the nodes that do not have what a job wants of all its nodes (--constraint). False, with
 * none cleared: counts, alternatives and features that need a reboot are left to Slurm. Job read
 * lock. */
bool features_keep(const job_record_t *job, bitstr_t *nodes);

#endif
