/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The version of its format that a state file states in its first bytes (contribs/doc/state-files.md):
 * "slurm-maui jobs 2" in the first line, or "# Version: 2" in the second of a fairshare file. A file of a
 * later version is somebody's only copy: it is neither read nor replaced (D-SYS-13). Text in memory only.
 */
#ifndef MAUI_UTIL_FILE_VERSION_H
#define MAUI_UTIL_FILE_VERSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/util/error.h"

/* So many bytes of a file are enough. */
#define MAUI_FILE_VERSION_HEAD 512

/* 1 to 999,999,999; 0: the text states none. A fairshare file that says nothing has version 1. */
int64_t maui_file_version(const char *text, size_t size);

/*
 * Whether a text is of the same format as what this program writes, and of a later version: then
 * -ENOTSUP, and the error names both versions; otherwise 0. known: the beginning of what it writes.
 */
int maui_file_version_refuse(const char *text, size_t size, const char *known, size_t known_size,
			     struct maui_error *error);

/*
 * Whether a text begins with the first line of the same format, of this version or an earlier one,
 * which this program reads, too. known: one line.
 */
bool maui_file_version_reads(const char *text, size_t size, const char *known, size_t known_size);

#endif
