/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What commands change in Slurm, as the caller: Slurm decides whether it is allowed. */
#ifndef MAUI_SLURM_CHANGE_H
#define MAUI_SLURM_CHANGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/util/error.h"

#define SLURM_CHANGE_TEXT 256

struct slurm_change {
	char text[SLURM_CHANGE_TEXT]; /* why not; "": it is done */
};

/*
 * Sets the site factor of count jobs, named as squeue shows them. 0, and a result for each in
 * ret_changes; or a negative errno: Slurm was not asked, or it is unknown what it did.
 */
int slurm_set_site_factor(char *const *jobs, size_t count, int64_t factor, int timeout,
			  struct slurm_change *ret_changes, struct maui_error *error);

/* scontrol reconfigure. */
int slurm_read_configuration(int timeout, struct slurm_change *ret_change,
			     struct maui_error *error);

#endif
