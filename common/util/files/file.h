/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A whole file in memory, with every way in which reading can fail told apart. */
#ifndef MAUI_UTIL_FILE_H
#define MAUI_UTIL_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "common/util/error.h"

/*
 * Read a regular file of at most limit bytes: *ret_text is malloc'ed, with a NUL after its
 * *ret_size bytes. *ret_trusted (may be NULL): root and *also (may be NULL) alone decide what is read
 * here (path_owner.h); if false, the error says who else does. Never blocks on a FIFO, never opens a
 * device.
 * -ENOENT, -EACCES, -EISDIR, -EFBIG, -EINVAL (not a regular file), ...; the error names
 * the path and says why.
 */
int maui_file_read(const char *path, size_t limit, const unsigned int *also, char **ret_text,
		   size_t *ret_size, bool *ret_trusted, struct maui_error *error);

#endif
