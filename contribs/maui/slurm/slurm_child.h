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

/* In the parent: a piece of what the child writes, as it comes. */
typedef void (*slurm_child_take)(void *context, const char *piece, size_t size);

/*
 * At most limit bytes in all. what is the subject, for error messages. 0, or a negative errno
 * (-ENOENT: no Slurm here, -ETIMEDOUT: not within timeout seconds, -EMSGSIZE, ...): then what was
 * taken means nothing.
 */
int slurm_child_pieces(slurm_child_work work, int timeout, size_t limit, const char *what,
		       slurm_child_take take, void *context, struct maui_error *error);

/* The same in one, malloc'ed and NUL-terminated. */
int slurm_child(slurm_child_work work, int timeout, size_t limit, const char *what,
		char **ret_facts, size_t *ret_size, struct maui_error *error);

#endif
