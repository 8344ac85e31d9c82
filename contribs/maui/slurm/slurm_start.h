/* SPDX-License-Identifier: GPL-2.0-or-later */
/* When Slurm would start a job, as `sbatch --test-only` asks. */
#ifndef MAUI_SLURM_START_H
#define MAUI_SLURM_START_H

#include <stdint.h>

#include "common/util/error.h"

struct slurm_start_request {
	uint32_t job; /* a waiting one; 0: none, a job of the caller's as below */
	uint32_t procs;
	uint32_t minutes; /* 0: the partition's default */
};

struct slurm_start {
	int64_t start;       /* epoch seconds; 0: none, and problem says why */
	char partition[256]; /* that it would start in */
	char problem[256];
};

/* 0, or a negative errno: Slurm could not be asked. */
int slurm_start_ask(const struct slurm_start_request *request, int timeout,
		    struct slurm_start *ret_start, struct maui_error *error);

#endif
