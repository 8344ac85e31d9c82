/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which plugins slurm.conf names, and where they are: for doctor and disable, with the other lines
 * that disable undoes. */
#ifndef MAUI_SLURM_INSTALL_H
#define MAUI_SLURM_INSTALL_H

#include <limits.h>
#include <stdbool.h>

#include "common/util/error.h"

struct slurm_install {
	char slurm_conf[PATH_MAX];
	char version[32]; /* of the slurmctld that answers; "" none was asked */
	char plugin_dir[PATH_MAX];
	char priority_type[64], select_type[64], preempt_type[64];
	char preempt_mode[64]; /* Slurm's words: "REQUEUE", "GANG,SUSPEND" */
	char priority_parameters[PATH_MAX];
	char scheduler_parameters[PATH_MAX];
	char job_submit_plugins[1024]; /* "" none */
	char gres_types[1024];         /* GresTypes; "" none */
	/* PriorityWeightAge, ... */
	char weight_age[12], weight_assoc[12], weight_fairshare[12], weight_job_size[12],
		weight_partition[12], weight_qos[12];
	char state_directory[PATH_MAX]; /* StateSaveLocation/maui */
	unsigned int slurm_uid;
};

/* From this host's slurm.conf. 0, or a negative errno as for slurm_site_read(). */
int slurm_install_read(int timeout, struct slurm_install *ret_install, struct maui_error *error);

/* The same from another file of that kind. */
int slurm_install_read_file(const char *path, int timeout, struct slurm_install *ret_install,
			    struct maui_error *error);

/* The same as slurmctld has it in force, with its version. */
int slurm_install_load(int timeout, struct slurm_install *ret_install, struct maui_error *error);

/* Whether a list such as JobSubmitPlugins names this plugin, as "maui" or "job_submit/maui". */
bool slurm_list_has(const char *list, const char *name);

#endif
