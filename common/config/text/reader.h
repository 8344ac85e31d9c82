/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How the texts of a configuration are read: real files, or a function of the caller's. */
#ifndef MAUI_CONFIG_READER_H
#define MAUI_CONFIG_READER_H

#include <stdbool.h>
#include <stddef.h>

#include "common/util/error.h"

#define MAUI_FILE_LIMIT 16777216u /* bytes of one file: 16 MB */

/*
 * Where texts come from. read() stores the whole of a file (malloc'ed, *ret_text[*ret_size] ==
 * '\0') or returns a negative errno with the reason; path is as written, including is the file that
 * includes it or NULL.
 * trusted: whether the file may name commands to run, which the reader decides by owners and modes
 * (D-CFG-15); if not, the error says why.
 */
struct maui_reader {
	int (*read)(void *context, const char *path, const char *including, char **ret_text,
		    size_t *ret_size, bool *ret_trusted, struct maui_error *error);
	void *context;
	bool record;           /* keep every line's contents, and all problems: record.h */
	bool unknown_is_error; /* else an unknown name is a warning */
};

/*
 * The reader for real files: regular files up to 16 MB; relative includes are taken relative to the
 * including file. slurm_uid: the uid besides root that may own a trusted file and what leads to it.
 */
struct maui_reader maui_file_reader(const unsigned int *slurm_uid);

/* path relative to the file `including`, or unchanged if that is NULL or path is absolute.
 * malloc'ed. */
char *maui_source_name(const char *path, const char *including);

#endif
