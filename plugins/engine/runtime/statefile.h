/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads, replaces, renames and removes the files of the engine's state, of any format. A file is
 * whole whenever the machine stops (common/util/files/file_put.h). */
#ifndef MAUI_ENGINE_STATEFILE_H
#define MAUI_ENGINE_STATEFILE_H

#include <stdbool.h>
#include <stddef.h>

#include "common/util/error.h"

enum state_answer {
	STATE_READ,
	STATE_ABSENT,
	STATE_DAMAGED, /* it is set aside, and will be replaced */
	STATE_LATER,   /* a later Slurm-Maui wrote it: it is neither read nor replaced */
	/* It may be sound, and could not be read: it is not replaced until it has been. */
	STATE_NOT_NOW,
};

/* The text of a file. STATE_DAMAGED: too long, or not a regular file. why: for
 * all but STATE_READ. */
enum state_answer statefile_read(const char *path, size_t limit, char **ret_text, size_t *ret_size,
				 struct maui_error *why);

/* Forbid, or allow again, all writing and renaming here, whoever asks for it. For shadow mode. */
void statefile_forbid(bool forbid);

/* Replace directory/name, mode 0600; the directory is made (0700) if it is missing. A file
 * that states a later version than the data is kept: -ENOTSUP (D-SYS-13); one that could not be
 * read, or cannot be looked at now, too: -EAGAIN, or why (D-SYS-15). 0 or a negative errno. */
int statefile_replace(const char *directory, const char *name, const void *data, size_t size,
		      struct maui_error *error);

/* Remove directory/name from the disk. 0, even if it was not there, or a negative errno. */
int statefile_remove(const char *directory, const char *name, struct maui_error *error);

/* Move an unusable file out of the way of the next one: it becomes PATH.damaged, replacing an
 * earlier one. 0 or a negative errno. */
int statefile_set_aside(const char *path);

/* Move a file that is not to be replaced out of the way of the next one: it becomes PATH.SUFFIX,
 * replacing an earlier one. Or back, if there is no PATH. 0 or a negative errno. */
int statefile_put_by(const char *path, const char *suffix);
int statefile_take_up(const char *path, const char *suffix);

#endif
