/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The text that one of Slurm's own commands prints. */
#ifndef MAUI_SLURM_PROGRAM_H
#define MAUI_SLURM_PROGRAM_H

#include <stddef.h>

#include "common/util/error.h"

/*
 * words[0] is searched in PATH; words ends with NULL. As slurm_child(); what it
 * complains of last is the error's reason if it fails.
 */
int slurm_program(char *const *words, int timeout, const char *what, char **ret_text,
		  size_t *ret_size, struct maui_error *error);

#endif
