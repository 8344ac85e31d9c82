/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lists a directory by readdir(): names FS.<start> become window starts, sorted
 * by time, and all others a list of names.
 */
#include "contribs/maui/fs/fs_directory.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"
#include "common/util/memory.h"
#include "contribs/maui/lib/command.h"

#define NAMES_SHOWN 5

void fs_file_name(int64_t start, char name[FS_NAME_SIZE])
{
	snprintf(name, FS_NAME_SIZE, "FS.%" PRId64, start);
}

bool fs_file_start(const char *name, int64_t *ret_start)
{
	char again[FS_NAME_SIZE];

	if (strncmp(name, "FS.", 3) != 0 || name[3] < '0' || name[3] > '9')
		return false;
	errno = 0;
	*ret_start = strtoll(name + 3, NULL, 10);
	fs_file_name(*ret_start, again);
	return !errno && !strcmp(name, again); /* no leading zero, nothing after it */
}

static void add_start(struct fs_directory *directory, int64_t start)
{
	directory->starts = maui_grow(directory->starts, directory->count + 1, &directory->room,
				      sizeof(*directory->starts));
	directory->starts[directory->count++] = start;
}

static void add_other(struct fs_directory *directory, const char *name)
{
	directory->others = maui_grow(directory->others, directory->other_count + 1,
				      &directory->other_room, sizeof(*directory->others));
	directory->others[directory->other_count++] = maui_strdup(name);
}

static void add_name(struct fs_directory *directory, const char *name)
{
	int64_t start;

	if (!strcmp(name, ".") || !strcmp(name, ".."))
		return;
	if (fs_file_start(name, &start))
		add_start(directory, start);
	else
		add_other(directory, name);
}

static int compare_starts(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* 0 or a positive errno. */
static int read_names(DIR *stream, struct fs_directory *directory)
{
	const struct dirent *entry;

	for (errno = 0; (entry = readdir(stream)); errno = 0)
		add_name(directory, entry->d_name);
	return errno;
}

int fs_directory_read(const char *path, struct fs_directory *ret_directory,
		      struct maui_error *error)
{
	struct fs_directory directory = {.path = path};
	DIR *stream = opendir(path);
	int code = stream ? read_names(stream, &directory) : errno;

	if (stream)
		closedir(stream);
	if (code) {
		fs_directory_clear(&directory);
		return maui_error_set(error, code, "%s: the directory cannot be read: %s", path,
				      strerror(code));
	}
	if (directory.count)
		qsort(directory.starts, directory.count, sizeof(int64_t), compare_starts);
	if (directory.other_count)
		qsort(directory.others, directory.other_count, sizeof(char *), compare_names);
	*ret_directory = directory;
	return 0;
}

void fs_directory_clear(struct fs_directory *directory)
{
	for (size_t i = 0; i < directory->other_count; i++)
		free(directory->others[i]);
	free(directory->others);
	free(directory->starts);
	*directory = (struct fs_directory){0};
}

void fs_directory_note_others(const struct fs_directory *directory, bool all)
{
	size_t shown =
		all || directory->other_count <= NAMES_SHOWN ? directory->other_count : NAMES_SHOWN;
	char *text = NULL, more[48] = "";
	size_t size;
	FILE *file;

	if (!directory->other_count)
		return;
	file = open_memstream(&text, &size);
	if (!file)
		maui_memory_short(0);
	for (size_t i = 0; i < shown; i++)
		fprintf(file, "%s%s", i ? ", " : "", directory->others[i]);
	if (shown < directory->other_count)
		snprintf(more, sizeof(more), " and %zu more", directory->other_count - shown);
	if (fclose(file))
		maui_memory_short(0);
	note("passed over, as no FS.<time> file of a window: %s%s", text, more);
	free(text);
}
