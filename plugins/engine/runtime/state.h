/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A state file in the engine (contribs/doc/state-files.md): common/state has
 * what stands in it, this has when it is read and written. All that are read
 * when the engine begins, and written when what they hold has changed, are in
 * the table of state_files.c.
 *
 * A file is written at a pace that a slow disk can keep: a pause between two
 * writes, of which they take at most one part in twenty. A write that fails is
 * repeated at growing intervals, and the log says once what is at stake. One
 * that cannot be read is read again at growing intervals (D-SYS-15). One that
 * somebody removes while slurmctld runs is written again (D-SYS-16).
 */
#ifndef MAUI_ENGINE_STATE_H
#define MAUI_ENGINE_STATE_H

#include <stdbool.h>

#include "common/state/state_file.h"
#include "plugins/engine/runtime/lock.h"
#include "plugins/engine/runtime/retry.h"
#include "plugins/engine/runtime/stateload.h"

struct state_file {
	const struct maui_state_file *format;
	double interval; /* seconds between two writes, at least */

	/* What the file says, a state, until it is adopted. Only the thread that begins the engine
	 * uses it, and the engine's thread for late(). NULL: nothing reads it here. */
	void *found;
	bool in_shadow; /* a shadow reads it, too */
	bool on_demand; /* its owner reads it, with state_read() */
	/* It could be read only now: takes over or adds what was found, which is empty if the file
	 * is not there or of no use. No lock held. */
	void (*late)(enum state_answer answer);

	/* What is to be written: a state that the mutex guards, ... */
	const void *live;
	/* ... or, if that cannot be written as it is, a copy, which gather() makes. The mutex is
	 * held. */
	void (*gather)(void *copy);
	void *copy;
	bool (*changes)(
		void); /* whether it changes all the time; may be NULL. The mutex is held. */

	/* ---- the mutex guards these ---- */
	bool changed;         /* since it was written */
	double not_before;    /* monotonic seconds: the next write */
	double pause;         /* seconds after a write that failed; 0: it did not */
	struct retry reading; /* it could not be read */

	/* ---- the engine's thread alone ---- */
	enum state_answer answer; /* of the last reading */
	bool there;               /* it was read or written: only somebody else removes it */
	int64_t removed;          /* when it was found to be gone, epoch seconds; 0: never */
};

/* Reads the file into found. The caller owns found; no lock held but those that
 * it needs. Takes the mutex. */
enum state_answer state_read(struct state_file *file, const char *directory);

/* What is in memory is what the file says. The mutex is held. */
ENGINE_LOCKED void state_reset(struct state_file *file);

/* When it is to be read again, and when written, monotonic seconds; INFINITY: never. The mutex is
 * held. */
ENGINE_LOCKED double state_read_due(const struct state_file *file);
ENGINE_LOCKED double state_write_due(const struct state_file *file);

/* Tries again to read what could not be read. The engine's thread, no lock held. */
void state_read_again(struct state_file *file);

/* Writes it. 0 or a negative errno with the reason, which is logged, too, but once. The engine's
 * thread, no lock held. */
int state_write(struct state_file *file, struct maui_error *why);

/* Looks whether somebody has removed it: then it is due to be written. The same. */
void state_look(struct state_file *file);

#endif
