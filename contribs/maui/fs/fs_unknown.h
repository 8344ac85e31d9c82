/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Users and groups in FS files that this machine does not have: their usage has no owner. Out of
 * memory, the command ends.
 */
#ifndef MAUI_FS_UNKNOWN_H
#define MAUI_FS_UNKNOWN_H

#include "contribs/maui/fs/fs_problems.h"
#include "contribs/maui/fs/fs_usage.h"

struct fs_unknown {
	struct maui_intern *users, *groups; /* of all files, each name once */
};

void fs_unknown_begin(struct fs_unknown *ret_unknown);
void fs_unknown_clear(struct fs_unknown *unknown);

/* The users and groups of a file. */
void fs_unknown_add(struct fs_unknown *unknown, const struct fs_usage *usage);

/* Look them up, and warn about their number; listed: about each by name. */
void fs_unknown_warn(const struct fs_unknown *unknown, struct fs_problems *problems,
		     const char *directory, bool listed);

#endif
