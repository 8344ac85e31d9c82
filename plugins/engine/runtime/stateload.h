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

#include "common/util/error.h"
#include "plugins/engine/runtime/module.h"

enum state_answer {
	STATE_READ,
	STATE_ABSENT,
	STATE_DAMAGED, /* it is set aside, and will be replaced */
	STATE_LATER,   /* a later Slurm-Maui wrote it: it is neither read nor replaced */
	/* It may be sound, and could not be read: it is not replaced until it has been. */
	STATE_NOT_NOW,
};

struct stateload {
	const char *name; /* in the state directory */
	size_t limit;     /* bytes at most */

	/* Parse a file's text into result. 0, or a negative errno with the reason: then nothing is
	 * set. -ENOTSUP: it is of a later version; -ENOMEM: try again. */
	int (*parse)(const char *text, size_t size, void *result, struct maui_error *why);

	/* For the log, as in "usage counts from 0 again". */
	const char *lost;  /* if the file is set aside */
	const char *kept;  /* what goes on without it if it is kept */
	const char *waits; /* until it can be read */

	/* Tries it again after a while; NULL: its owner does so himself. */
	void (*again)(void);
};

/* The text of a file. STATE_DAMAGED: too long, or no file at all. why: for all but STATE_READ. */
enum state_answer state_text(const char *path, size_t limit, char **ret_text, size_t *ret_size,
			     struct maui_error *why);

/* Reads the file, as above; what is not well is logged, what cannot be read only once. No lock held
 * but those that the caller itself needs. */
enum state_answer stateload_path(const struct stateload *file, const char *path, void *result);

/* The same by its name; NULL: memory was too short for the directory's name. */
enum state_answer stateload(const struct stateload *file, const char *directory, void *result);

/* The same in the state directory of slurm.conf, for again(). Takes the mutex. */
enum state_answer stateload_again(const struct stateload *file, void *result);

/* The engine's thread calls again() of what waits, at intervals that grow, and once more before the
 * engine ends. */
extern const struct module stateload_module;

#endif
