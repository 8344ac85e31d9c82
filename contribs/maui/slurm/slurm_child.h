/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * libslurm in a process of its own: it exits if slurm.conf is missing or wrong, and may wait for
 * minutes. The answers come back through a pipe.
 */
#ifndef MAUI_SLURM_CHILD_H
#define MAUI_SLURM_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "common/util/error.h"

/* In the child, where slurm_init() was called: writes the facts. False if it could not. */
typedef bool (*slurm_child_work)(FILE *facts);

/* Prints the error of libslurm's last call on standard error, which the parent reads. */
bool slurm_child_failed(void);

/*
 * What the child wrote, malloc'ed and NUL-terminated; at most limit bytes. what is the subject, for
 * error messages. 0, or a negative errno (-ENOENT: no Slurm here, -ETIMEDOUT: not within timeout
 * seconds, -EMSGSIZE, ...).
 */
int slurm_child(slurm_child_work work, int timeout, size_t limit, const char *what,
		char **ret_facts, size_t *ret_size, struct maui_error *error);

#endif
