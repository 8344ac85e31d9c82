/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A directory of fairshare usage: the files of windows in it, and what else is there. */
#ifndef MAUI_FS_DIRECTORY_H
#define MAUI_FS_DIRECTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/util/error.h"

struct fs_directory {
	const char *path;
	int64_t *starts; /* of FS.<start>, the oldest first */
	size_t count, room;
	char **others; /* names of all other files, sorted */
	size_t other_count, other_room;
};

#define FS_NAME_SIZE 32

/* "FS.1700000000" */
void fs_file_name(int64_t start, char name[FS_NAME_SIZE]);

/* Whether the name is one that fs_file_name() makes: the engine looks for no others. */
bool fs_file_start(const char *name, int64_t *ret_start);

/* Read the directory; path must outlive it. 0 or a negative errno, and the error says why. */
int fs_directory_read(const char *path, struct fs_directory *ret_directory,
		      struct maui_error *error);
void fs_directory_clear(struct fs_directory *directory);

/* A note on the files that are ignored: a few names, or all of them. */
void fs_directory_note_others(const struct fs_directory *directory, bool all);

#endif
