/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reading a state file (contribs/doc/state-files.md): an unusable one is set aside, and the log
 * says what is lost.
 */
#ifndef MAUI_ENGINE_STATELOAD_H
#define MAUI_ENGINE_STATELOAD_H

#include <stddef.h>

#include "common/util/error.h"

/* Parse a file's text into result. 0, or a negative errno with the reason: then nothing is set. */
typedef int (*stateload_parse)(const char *text, size_t size, void *result, struct maui_error *why);

/*
 * directory/name, of at most limit bytes. 0; -ENOENT: there is none, or no directory (NULL);
 * another negative errno, which is logged with what is lost, as in "usage counts from 0 again". No
 * lock held but those that the caller itself needs.
 */
int stateload(const char *directory, const char *name, size_t limit, stateload_parse parse,
	      void *result, const char *lost);

#endif
