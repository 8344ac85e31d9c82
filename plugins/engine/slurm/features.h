/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The features of nodes, and which of them jobs want. Node read lock. */
#ifndef MAUI_ENGINE_FEATURES_H
#define MAUI_ENGINE_FEATURES_H

#include <stdbool.h>

#include "plugins/compat/base.h"

/* The nodes on which a feature is active, in whatever case it is written; NULL: there is none of
 * this name, or on no node. The bitmap is Slurm's. */
bitstr_t *features_nodes(const char *name);

/* Clears the nodes that do not have what a job wants of all its nodes (--constraint). False, and
 * none is cleared: counts, alternatives and features that a reboot brings are Slurm's to judge. Job
 * read lock. */
bool features_keep(const job_record_t *job, bitstr_t *nodes);

#endif
