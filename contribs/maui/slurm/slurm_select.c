/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compares the release with 25.05: earlier ones get select/cons_tres in
 * select_cons_tres.so, all others select/maui in select_maui.so.
 */
#include "contribs/maui/slurm/slurm_select.h"

#include <stddef.h>
#include <stdio.h>

const struct slurm_select_form *slurm_select_form(const char *release)
{
	static const struct slurm_select_form shadow = {SLURM_SELECT_STOCK, "select_cons_tres.so",
							true},
					      own = {SLURM_SELECT_OURS, "select_maui.so", false};
	unsigned int major, minor;

	if (sscanf(release, "%u.%u", &major, &minor) != 2)
		return NULL;
	return major < 25 || (major == 25 && minor < 5) ? &shadow : &own;
}
