/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writing a state file when what it holds has changed, at a pace that a slow disk can keep: a
 * pause between two writes, of which they take at most one part in twenty. A write that fails is
 * repeated at that pace, and the log says once what is at stake.
 */
#ifndef MAUI_ENGINE_STATESAVE_H
#define MAUI_ENGINE_STATESAVE_H

#include <stdbool.h>
#include <stddef.h>

#include "common/util/error.h"
#include "plugins/engine/runtime/lock.h"

struct statesave {
	const char *name; /* in the state directory */
	double interval;  /* seconds between two writes, at least */
	const char *lost; /* what a restart would forget, for the log */

	/* Copies to state what is to be written. 0 or a negative errno, with why. The mutex is
	 * held. */
	int (*gather)(void *state, struct maui_error *why);
	/* The file's text of it, malloc'ed; the same. Without the mutex. */
	int (*format)(void *state, char **ret_text, size_t *ret_size, struct maui_error *why);

	bool changed;      /* since it was written. The mutex guards it, and not_before */
	double not_before; /* monotonic seconds */
	bool failed;       /* the last time: the engine's thread alone */
};

/* A module's due(): when it is to be written, monotonic seconds; INFINITY: never. The mutex is
 * held. */
ENGINE_LOCKED double statesave_due(const struct statesave *save);

/* What is in memory is what the file says: it may be written at once when it changes. The mutex is
 * held. */
ENGINE_LOCKED void statesave_reset(struct statesave *save);

/* Write it; state is the caller's, and he clears it. The engine's thread, no lock held. */
void statesave(struct statesave *save, void *state);

#endif
