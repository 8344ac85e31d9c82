/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The lines of slurm.conf that came with Maui, as they should be without it. */
#ifndef MAUI_REMOVAL_LINES_H
#define MAUI_REMOVAL_LINES_H

#include <stdbool.h>
#include <stddef.h>

#include "contribs/maui/slurm/slurm_install.h"

#define REMOVAL_LINES 16

struct removal_lines {
	char text[REMOVAL_LINES][2 * PATH_MAX]; /* "Key=value"; "#Key=value": to be removed */
	size_t count;
	bool keeps_select; /* SelectType names ours, and then Slurm's own without a change */
};

/*
 * before: slurm.conf as it was; NULL: that is not known, and where Slurm needs a value it gets Slurm's
 * default. Of a list, today's other items stay in either case.
 */
void removal_lines_find(const struct slurm_install *install, const struct slurm_install *before,
			struct removal_lines *ret_lines);

/* Which lines these may be, for those who have to look themselves: "PriorityType, ...". */
void removal_lines_keys(char *buffer, size_t size);

#endif
