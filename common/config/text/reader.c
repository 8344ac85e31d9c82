/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Resolves the path of a file relative to the including one, and reads it. */
#include "common/config/text/reader.h"

#include <stdlib.h>
#include <string.h>

#include "common/util/files/file.h"
#include "common/util/memory.h"

char *maui_source_name(const char *path, const char *including)
{
	const char *slash = including && *path != '/' ? strrchr(including, '/') : NULL;
	size_t directory = slash ? (size_t)(slash + 1 - including) : 0, used = directory;
	char *name = maui_malloc(directory + strlen(path) + 1, 1);

	if (directory)
		memcpy(name, including, directory);
	/* Drop "./" and "//", so that a loop is recognized. */
	for (const char *at = path; *at;) {
		bool begins = !used || name[used - 1] == '/';

		if (begins && at[0] == '.' && at[1] == '/')
			at += 2;
		else if (begins && used && at[0] == '/')
			at++;
		else
			name[used++] = *at++;
	}
	name[used] = '\0';
	return name;
}

static int read_file(void *context, const char *path, const char *including, char **ret_text,
		     size_t *ret_size, bool *ret_trusted, struct maui_error *error)
{
	char *name = maui_source_name(path, including);
	int rc = maui_file_read(name, MAUI_FILE_LIMIT, context, ret_text, ret_size, ret_trusted,
				error);

	free(name);
	return rc;
}

struct maui_reader maui_file_reader(const unsigned int *slurm_uid)
{
	return (struct maui_reader){.read = read_file, .context = (void *)slurm_uid};
}
