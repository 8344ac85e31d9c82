/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What slurmctld says of itself, as the text of a slurm.conf; D-IMP-5. */
#ifndef MAUI_IMPORT_RUNNING_H
#define MAUI_IMPORT_RUNNING_H

#include <stddef.h>

/*
 * A line for each fact, behind a letter:
 *
 *   cNAME=VALUE                  as `scontrol show config` has it
 *   nNAME CPUS MEMORY SYSTEM GRES  MB; of them for the system; GRES may be missing
 *   fNAME                        a node in the state FUTURE
 *   pPartitionName=NAME ...      as `scontrol -o show partition` has it
 *
 * Returns lines of slurm.conf, malloc'ed: policy alone, without what is Slurm's default or not set.
 */
char *maui_import_running_conf(const char *text, size_t size, size_t *ret_size);

#endif
