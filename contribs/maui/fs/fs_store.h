/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A directory that files are put into as the engine does: whole even if the machine stops, mode
 * 0600, and owned by SlurmUser.
 */
#ifndef MAUI_FS_STORE_H
#define MAUI_FS_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "common/util/error.h"

struct fs_store {
	const char *path;
	int fd; /* -1: there is no such directory yet */
	bool chowns;
	uid_t uid;
	gid_t gid;
};

/* Who will own the files; by default whoever runs this. */
void fs_store_own(struct fs_store *store, uid_t uid);

/* Open store->path, which must outlive it; make: create it (0700) if it is missing. 0 or a negative
 * errno, as below. */
int fs_store_open(struct fs_store *store, bool make, struct maui_error *error);
void fs_store_close(struct fs_store *store);

bool fs_store_has(const struct fs_store *store, const char *name);

/* -EEXIST if the name exists, unless it may be replaced. */
int fs_store_put(const struct fs_store *store, const char *name, const char *text, size_t size,
		 bool replace, struct maui_error *error);

#endif
