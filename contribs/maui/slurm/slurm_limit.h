/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A limit of associations or QOS: where it is set, and what is used of it, as `scontrol show
 * assoc_mgr` has both. */
#ifndef MAUI_SLURM_LIMIT_H
#define MAUI_SLURM_LIMIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/util/error.h"

struct slurm_limit_request {
	bool of_qos;
	const char *limit; /* in sacctmgr's words: "GrpTRESMins" */
	/* The TRES that count: "cpu", and "gres" means each "gres/...". "": every TRES that has the
	 * limit; without meaning for a limit that has none. */
	const char *tres;
	/* The job's. */
	const char *user, *account;
	uint32_t uid;
	const char *qos, *partition; /* comma lists */
	const char *partition_qos;   /* "" none; a comma list for several partitions */
};

enum slurm_limit_holder {
	SLURM_LIMIT_ACCOUNT,
	SLURM_LIMIT_USER, /* the user's association in the account `name` */
	SLURM_LIMIT_QOS,
	SLURM_LIMIT_HIDDEN /* slurmctld did not send all associations above the job's: no figures */
};

/* Jobs, or what the TRES is counted in (memory: MB), or minutes of either. */
struct slurm_limit {
	enum slurm_limit_holder holder;
	char name[128], tres[64];
	double allowed;
	double used; /* NAN: slurmctld does not say, or the limit is of each job by itself */
};

/*
 * As slurmctld shows the caller (PrivateData). Of associations the job's own comes before those
 * above it. Where slurmctld looks at one QOS of the job and one of its partition, only the one
 * whose limit counts is there.
 *
 * *ret_limits: malloc'ed, *ret_count 0 if nothing has the limit, or it is one that this does not
 * know. As slurm_child().
 */
int slurm_limit_ask(const struct slurm_limit_request *request, int timeout,
		    struct slurm_limit **ret_limits, size_t *ret_count, struct maui_error *error);

#endif
