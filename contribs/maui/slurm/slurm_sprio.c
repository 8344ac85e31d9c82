/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs sprio, since the record of points differs between releases of libslurm. */
#include <stdio.h>

#include "contribs/maui/slurm/slurm_policy.h"
#include "contribs/maui/slurm/slurm_program.h"

int slurm_policy_points(const char *format, int timeout, char **ret_text, size_t *ret_size,
			struct maui_error *error)
{
	static char program[] = "sprio", no_header[] = "-h", option[] = "-o";
	char columns[256];
	char *const words[] = {program, no_header, option, columns, NULL};

	snprintf(columns, sizeof(columns), "%s", format);
	return slurm_program(words, timeout, "priorities", ret_text, ret_size, error);
}
