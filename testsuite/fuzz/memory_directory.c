/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The names of the files in memory as a directory: for programs linked with --wrap of opendir and
 * its kin.
 */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "testsuite/fuzz/memory_files.h"

struct listing {
	size_t next;
	struct dirent entry;
};

/* The linker defines the names. */
/* NOLINTBEGIN(bugprone-reserved-identifier) */
DIR *__real_opendir(const char *path);
struct dirent *__real_readdir64(DIR *stream);
int __real_closedir(DIR *stream);
DIR *__wrap_opendir(const char *path);
struct dirent *__wrap_readdir64(DIR *stream);
int __wrap_closedir(DIR *stream);

DIR *__wrap_opendir(const char *path)
{
	if (!memory_files_at(0))
		return __real_opendir(path);
	if (strcmp(path, MEMORY_DIRECTORY) != 0) {
		errno = ENOENT;
		return NULL;
	}
	return calloc(1, sizeof(struct listing));
}

struct dirent *__wrap_readdir64(DIR *stream)
{
	struct listing *listing = (struct listing *)(void *)stream;
	const struct memory_file *file;

	if (!memory_files_at(0))
		return __real_readdir64(stream);
	file = memory_files_at(listing->next++);
	if (!file)
		return NULL;
	memcpy(listing->entry.d_name, file->name, sizeof(file->name));
	return &listing->entry;
}

int __wrap_closedir(DIR *stream)
{
	if (!memory_files_at(0))
		return __real_closedir(stream);
	free(stream);
	return 0;
}
/* NOLINTEND(bugprone-reserved-identifier) */
