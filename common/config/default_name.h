/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * DEFAULT, the object that holds for all that have no value of their own. In capitals: names of
 * credentials are case-sensitive, and Slurm may have a user, an account or a partition `default`
 * (D-CFG-20).
 */
#ifndef MAUI_CONFIG_DEFAULT_NAME_H
#define MAUI_CONFIG_DEFAULT_NAME_H

#include <stdbool.h>
#include <string.h>
#include <strings.h>

/* name may be NULL. */
static inline bool maui_is_default(const char *name)
{
	return name && !strcmp(name, "DEFAULT");
}

/* Written otherwise, as `Default`: the name of one credential, which may not have been meant. */
static inline bool maui_is_almost_default(const char *name)
{
	return !maui_is_default(name) && !strcasecmp(name, "DEFAULT");
}

#endif
