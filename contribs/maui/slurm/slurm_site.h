/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What slurm.conf says about the engine: from slurmctld, so that it is right on every host of the
 * cluster; or read here, in case slurmctld is down.
 */
#ifndef MAUI_SLURM_SITE_H
#define MAUI_SLURM_SITE_H

#include <limits.h>
#include <stdbool.h>

#include "common/policy/reservation/sr_owner.h"
#include "common/util/error.h"

struct slurm_site {
	char maui_cfg[PATH_MAX]; /* PriorityParameters=maui_cfg=, or maui.cfg beside slurm.conf */
	char munge_socket[PATH_MAX];    /* AuthInfo=socket=, "" munge's default */
	char state_directory[PATH_MAX]; /* StateSaveLocation/maui, the engine's own */
	char priority_type[64];         /* "priority/maui" */
	char hidden_columns[128]; /* sprio's columns whose PriorityWeight... is 0: "AGE, ASSOC" */
	char socket[256];         /* PriorityParameters=maui_socket=, "" none */
	char address[256];        /* PriorityParameters=maui_address=, "" none */
	unsigned int port;        /* PriorityParameters=maui_port=, 0 none */
	unsigned int slurm_uid;   /* SlurmUser's */
	bool shadow;              /* PriorityParameters=maui_mode=shadow */
	bool unknown_is_error;    /* PriorityParameters=maui_unknown=error */
	bool enforces_accounts;   /* AccountingStorageEnforce has associations */
	bool enforces_qos;        /* ... and qos */
	bool measures_use;        /* JobAcctGatherType is not none: UTILIZEDPS */
	bool hides_steps;         /* SlurmctldParameters=enable_stepmgr: from slurmctld */
	enum maui_sr_preemption preemption; /* what PreemptType and PreemptMode do for owners */
};

/*
 * Ask slurmctld. libslurm exits if slurm.conf is missing or wrong and may wait for minutes, so it
 * runs in a child that gets timeout seconds. 0, or a negative errno (-ENOENT: no Slurm here,
 * -ETIMEDOUT, ...).
 */
int slurm_site_load(int timeout, struct slurm_site *ret_site, struct maui_error *error);

/* The same from this host's slurm.conf, without slurmctld. */
int slurm_site_read(int timeout, struct slurm_site *ret_site, struct maui_error *error);

#endif
