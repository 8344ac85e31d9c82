/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compares the release with 25.05: earlier ones get select/cons_tres in
 * select_cons_tres.so, all others select/cons_tres_maui in a file of that name.
 */
#include "contribs/maui/slurm/slurm_select.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

const struct slurm_select_form *slurm_select_form(const char *release)
{
	static const struct slurm_select_form shadow = {SLURM_SELECT_STOCK, "select_cons_tres.so",
							true},
					      own = {SLURM_SELECT_OURS, "select_cons_tres_maui.so",
						     false};
	unsigned int major, minor;

	if (sscanf(release, "%u.%u", &major, &minor) != 2)
		return NULL;
	return major < 25 || (major == 25 && minor < 5) ? &shadow : &own;
}

static bool select_has_earlier_name(const struct slurm_select_form *form, const char *type)
{
	return !form->shadows && !strcmp(type, SLURM_SELECT_EARLIER);
}

bool slurm_select_is(const struct slurm_select_form *form, const char *type)
{
	return !strcmp(type, form->type) || select_has_earlier_name(form, type);
}

const char *slurm_select_file(const struct slurm_select_form *form, const char *type)
{
	return select_has_earlier_name(form, type) ? "select_maui.so" : form->file;
}
