/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files in memory instead of on disk, so that a run costs no system call. Programs that use them
 * are linked with --wrap=maui_file_read: the commands read everything through that.
 */
#ifndef MAUI_FUZZ_MEMORY_FILES_H
#define MAUI_FUZZ_MEMORY_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MEMORY_DIRECTORY "/memory/"
#define MEMORY_FILES     8
#define MEMORY_NAME_SIZE 64

struct memory_file {
	char name[MEMORY_NAME_SIZE]; /* without the directory */
	const char *text;
	size_t size;
};

struct memory_files {
	struct memory_file list[MEMORY_FILES];
	size_t count;
};

/*
 * What a fuzzer's bytes stand for: the first file is called name; a 0xff begins another one, whose
 * name is its first line. So the bytes of a single file are that file.
 */
void memory_files_split(const char *name, const uint8_t *data, size_t size,
			struct memory_files *ret_files);

/*
 * The files that exist from now on; NULL: those on disk. Others may write to files whose names
 * begin with 'y'.
 */
void memory_files_use(const struct memory_files *files);

/* The n-th file; NULL: there are no more, or none are in memory. */
const struct memory_file *memory_files_at(size_t index);

/* NULL: there is none. path may begin with MEMORY_DIRECTORY. */
const struct memory_file *memory_files_find(const char *path);

#endif
