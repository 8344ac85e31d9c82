/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Users and groups in FS files whom this machine does not know: their usage belongs to nobody. Out
 * of memory, the command ends.
 */
#ifndef MAUI_FS_STRANGERS_H
#define MAUI_FS_STRANGERS_H

#include "contribs/maui/fs/fs_problems.h"
#include "contribs/maui/fs/fs_usage.h"

struct fs_strangers {
	struct maui_intern *users, *groups; /* of all files, each name once */
};

void fs_strangers_begin(struct fs_strangers *ret_strangers);
void fs_strangers_clear(struct fs_strangers *strangers);

/* The users and groups of a file. */
void fs_strangers_add(struct fs_strangers *strangers, const struct fs_usage *usage);

/* Look them up, and warn about their number; listed: about each by name. */
void fs_strangers_warn(const struct fs_strangers *strangers, struct fs_problems *problems,
		       const char *directory, bool listed);

#endif
