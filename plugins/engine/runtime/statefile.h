/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files that must be whole whenever the machine stops: written beside, synced, renamed, the
 * directory synced. */
#ifndef MAUI_ENGINE_STATEFILE_H
#define MAUI_ENGINE_STATEFILE_H

#include <stdbool.h>
#include <stddef.h>

#include "common/util/error.h"

/* From now on, or not any more: nothing is written or renamed here, whoever asks for it. For shadow
 * mode. */
void statefile_forbid(bool forbid);

/* Replace directory/name, mode 0600; the directory is made (0700) where it is missing. 0 or a
 * negative errno. */
int statefile_replace(const char *directory, const char *name, const void *data, size_t size,
		      struct maui_error *error);

/* Put a file that cannot be used out of the way of the next one: it becomes PATH.damaged, and the
 * one before is lost. 0 or a negative errno. */
int statefile_set_aside(const char *path);

#endif
