/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "testsuite/fuzz/memory_files.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/files/file.h"

#define NEXT_FILE 0xff

static const struct memory_files *present;

static void add(struct memory_files *files, const char *name, size_t name_size, const uint8_t *text,
		size_t size)
{
	struct memory_file *file = &files->list[files->count++];

	if (name_size >= sizeof(file->name))
		name_size = sizeof(file->name) - 1;
	memcpy(file->name, name, name_size);
	file->name[name_size] = '\0';
	file->text = (const char *)text;
	file->size = size;
}

void memory_files_split(const char *name, const uint8_t *data, size_t size,
			struct memory_files *ret_files)
{
	const uint8_t *end = data + size, *next = size ? memchr(data, NEXT_FILE, size) : NULL;

	ret_files->count = 0;
	add(ret_files, name, strlen(name), data, next ? (size_t)(next - data) : size);
	while (next && ret_files->count < MEMORY_FILES) {
		const uint8_t *begin = next + 1, *newline;

		next = memchr(begin, NEXT_FILE, (size_t)(end - begin));
		size = (size_t)((next ? next : end) - begin);
		newline = memchr(begin, '\n', size);
		if (newline)
			add(ret_files, (const char *)begin, (size_t)(newline - begin), newline + 1,
			    size - (size_t)(newline + 1 - begin));
	}
}

void memory_files_use(const struct memory_files *files)
{
	present = files;
}

const struct memory_file *memory_files_at(size_t index)
{
	return present && index < present->count ? &present->list[index] : NULL;
}

const struct memory_file *memory_files_find(const char *path)
{
	const size_t directory = strlen(MEMORY_DIRECTORY);

	if (!strncmp(path, MEMORY_DIRECTORY, directory))
		path += directory;
	path += strspn(path, "/");
	for (size_t i = 0; present && i < present->count; i++)
		if (!strcmp(present->list[i].name, path))
			return &present->list[i];
	return NULL;
}

/* The linker defines the names. */
/* NOLINTBEGIN(bugprone-reserved-identifier) */
int __real_maui_file_read(const char *path, size_t limit, const unsigned int *also, char **ret_text,
			  size_t *ret_size, bool *ret_trusted, struct maui_error *error);
int __wrap_maui_file_read(const char *path, size_t limit, const unsigned int *also, char **ret_text,
			  size_t *ret_size, bool *ret_trusted, struct maui_error *error);

int __wrap_maui_file_read(const char *path, size_t limit, const unsigned int *also, char **ret_text,
			  size_t *ret_size, bool *ret_trusted, struct maui_error *error)
{
	const struct memory_file *file;
	char *text;

	if (!present)
		return __real_maui_file_read(path, limit, also, ret_text, ret_size, ret_trusted,
					     error);
	file = memory_files_find(path);
	if (!file)
		return maui_error_set(error, ENOENT, "%s: cannot be read: %s", path,
				      strerror(ENOENT));
	if (file->size > limit)
		return maui_error_set(error, EFBIG, "%s: is larger than %zu bytes", path, limit);
	text = malloc(file->size + 1);
	if (!text)
		return maui_error_set(error, ENOMEM, "%s: out of memory", path);
	memcpy(text, file->text, file->size);
	text[file->size] = '\0';
	*ret_text = text;
	*ret_size = file->size;
	if (ret_trusted)
		*ret_trusted = file->name[0] != 'y';
	if (file->name[0] == 'y')
		maui_error_set(error, EPERM, "%s belongs to uid 7", path);
	return 0;
}
/* NOLINTEND(bugprone-reserved-identifier) */
