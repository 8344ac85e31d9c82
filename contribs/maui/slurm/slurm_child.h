/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * libslurm in a process of its own: it ends the process where slurm.conf is missing or wrong, and
 * may wait for minutes. What is to be known of Slurm comes back through a pipe.
 */
#ifndef MAUI_SLURM_CHILD_H
#define MAUI_SLURM_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "common/util/error.h"

/* In the child, where slurm_init() was called: writes the facts. False if it could not. */
typedef bool (*slurm_child_work)(FILE *facts);

/* Says on standard error, which the parent reads, what libslurm's last call had to complain
 * about. */
bool slurm_child_failed(void);

/*
 * What the child wrote, malloc'ed and with a 0 behind it; at most limit bytes. what it was to tell
 * is for the texts. 0, or a negative errno (-ENOENT: no Slurm here, -ETIMEDOUT: not within timeout
 * seconds, -EMSGSIZE, ...).
 */
int slurm_child(slurm_child_work work, int timeout, size_t limit, const char *what,
		char **ret_facts, size_t *ret_size, struct maui_error *error);

#endif
