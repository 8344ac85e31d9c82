/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The policy of the running Slurm, as texts: what slurmctld has in force, and what sacctmgr prints. */
#ifndef MAUI_SLURM_POLICY_H
#define MAUI_SLURM_POLICY_H

#include <stddef.h>

#include "common/util/error.h"

/* Each as slurm_child(): malloc'ed, and -ENOENT with Slurm's own words if it cannot be had. */

/* Settings, nodes and partitions: the lines of common/import/import_running.h. */
int slurm_policy_conf(int timeout, char **ret_text, size_t *ret_size, struct maui_error *error);

/* As `scontrol show reservation` prints them. */
int slurm_policy_reservations(int timeout, char **ret_text, size_t *ret_size,
			      struct maui_error *error);

/*
 * `sacctmgr -P show qos format=COLUMNS`. columns is MAUI_IMPORT_QOS_COLUMNS of
 * common/import/import_accounting.h.
 */
int slurm_policy_qos(const char *columns, int timeout, char **ret_text, size_t *ret_size,
		     struct maui_error *error);

/* `sacctmgr dump`: its file. */
int slurm_policy_associations(const char *cluster, int timeout, char **ret_text, size_t *ret_size,
			      struct maui_error *error);

/*
 * Points of waiting jobs, as `sprio -h -o FORMAT` prints them: "" if there are
 * none. format is MAUI_SPRIO_FORMAT of common/import/import_sprio.h.
 */
int slurm_policy_points(const char *format, int timeout, char **ret_text, size_t *ret_size,
			struct maui_error *error);

#endif
