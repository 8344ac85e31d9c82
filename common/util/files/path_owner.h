/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who could have put other content where a path leads to (D-CFG-15). */
#ifndef MAUI_UTIL_PATH_OWNER_H
#define MAUI_UTIL_PATH_OWNER_H

#include <stdbool.h>
#include <sys/stat.h>

#include "common/util/error.h"

/*
 * Whether root and *also (may be NULL) alone decide what is read at path: every directory on the
 * way, every symbolic link and the file itself belong to one of them, and neither group nor others
 * may write to them. A directory that others may write to counts as safe if it is sticky, like /tmp,
 * unless what is named in it has hard links. opened: what fstat() says of the file that was opened
 * by this path. If false, why (may be NULL) names the first component that others decide about.
 */
bool maui_path_is_safe(const char *path, const unsigned int *also, const struct stat *opened,
		       struct maui_error *why);

#endif
