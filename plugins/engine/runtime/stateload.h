/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reading a state file (contribs/doc/state-files.md): a damaged one is set aside, one of a later
 * version is kept (D-SYS-13), and one that cannot be read now is waited for (D-SYS-15). The log says
 * what is lost.
 */
#ifndef MAUI_ENGINE_STATELOAD_H
#define MAUI_ENGINE_STATELOAD_H

#include <stdbool.h>
#include <stddef.h>

#include "common/state/file.h"

enum state_answer {
	STATE_READ,
	STATE_ABSENT,
	STATE_DAMAGED, /* it is set aside, and will be replaced */
	STATE_LATER,   /* a later Slurm-Maui wrote it: it is neither read nor replaced */
	/* It may be sound, and could not be read: it is not replaced until it has been. */
	STATE_NOT_NOW,
};

/* The text of a file. STATE_DAMAGED: too long, or no file at all. why: for all but STATE_READ. */
enum state_answer state_text(const char *path, size_t limit, char **ret_text, size_t *ret_size,
			     struct maui_error *why);

/* Reads the file, as above; what is not well is logged, what cannot be read only once. No lock held
 * but those that the caller itself needs. */
enum state_answer stateload_path(const struct maui_state_file *file, const char *path,
				 void *result);

/* The same by its name. */
enum state_answer stateload(const struct maui_state_file *file, const char *directory,
			    void *result);

#endif
