/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Users and groups in FS files whom this machine does not know: their usage is nobody's. */
#ifndef MAUI_FS_STRANGERS_H
#define MAUI_FS_STRANGERS_H

#include "contribs/maui/fs/fs_problems.h"
#include "contribs/maui/fs/fs_usage.h"

struct fs_strangers {
	struct maui_intern *users, *groups; /* of all files, each name once */
};

/* False when memory is short, here and below. */
bool fs_strangers_new(struct fs_strangers *ret_strangers);
void fs_strangers_clear(struct fs_strangers *strangers);

/* Whom a file speaks of. */
bool fs_strangers_add(struct fs_strangers *strangers, const struct fs_usage *usage);

/* Ask the machine, and warn of their number; listed: of each by name. */
void fs_strangers_warn(const struct fs_strangers *strangers, struct fs_problems *problems,
		       const char *directory, bool listed);

#endif
