/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The build id that the linker gives each program: it differs between two builds of one version. */
#ifndef MAUI_BUILD_ID_H
#define MAUI_BUILD_ID_H

#include <stddef.h>

#include "common/util/error.h"

#define BUILD_ID_BYTES 64                       /* at most; the linker's own has 20 */
#define BUILD_ID_SIZE  (2 * BUILD_ID_BYTES + 1) /* as text, in hexadecimal digits */

/* 0; -ENODATA: the program has none; -EINVAL: it is no program for this machine; -ENOENT, -EACCES, ...
 */
int build_id_read(const char *path, char ret_id[BUILD_ID_SIZE], struct maui_error *error);

/* The same for the file's content, which is not trusted. 0, -ENODATA or -EINVAL. */
int build_id_parse(const char *content, size_t size, char ret_id[BUILD_ID_SIZE]);

#endif
