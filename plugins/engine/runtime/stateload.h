/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reading a state file (contribs/doc/state-files.md): an unusable one is set aside, one of a later
 * version is kept (D-SYS-13), and the log says what is lost.
 */
#ifndef MAUI_ENGINE_STATELOAD_H
#define MAUI_ENGINE_STATELOAD_H

#include <stddef.h>

#include "common/util/error.h"

struct stateload {
	const char *name; /* in the state directory */
	size_t limit;     /* bytes at most */

	/* Parse a file's text into result. 0, or a negative errno with the reason: then nothing is
	 * set. -ENOTSUP: it is of a later version. */
	int (*parse)(const char *text, size_t size, void *result, struct maui_error *why);

	/* For the log, as in "usage counts from 0 again". */
	const char *lost; /* if the file is set aside */
	const char *kept; /* what goes on without it if it is kept */
};

/*
 * 0; -ENOENT: there is no such file, or no directory (NULL); another negative errno, which is
 * logged. No lock held but those that the caller itself needs.
 */
int stateload(const struct stateload *file, const char *directory, void *result);

#endif
