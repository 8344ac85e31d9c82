/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which files are left as they are, neither taken nor written: those of a later
 * Slurm-Maui (D-SYS-13), and those that cannot be read now (D-SYS-15). Also
 * which were removed while slurmctld ran (D-SYS-16), or cannot be written. For
 * those who write, and for the engine's status.
 */
#ifndef MAUI_ENGINE_STATEKEPT_H
#define MAUI_ENGINE_STATEKEPT_H

#include <stdbool.h>
#include <stdint.h>

#include "common/util/error.h"

enum statekept {
	STATEKEPT_NOT,
	STATEKEPT_LATER,     /* a later Slurm-Maui wrote it */
	STATEKEPT_UNREAD,    /* it could not be read: its contents are not known yet */
	STATEKEPT_REMOVED,   /* somebody removed it, and it is or was written again */
	STATEKEPT_UNWRITTEN, /* the last write failed: a restart would forget what is new */
};

/* This file has been looked at, with this result; why is NULL for STATEKEPT_NOT. Returns what it
 * was before. Any lock may be held. */
enum statekept statekept_note(const char *path, enum statekept how, const char *why);

/* The same for one that was found to be gone at that time, epoch seconds. */
void statekept_note_removed(const char *path, int64_t when, bool written);

/* Whether it could be written: rc, and why not. A file that is noted for another reason stays so.
 * Any lock may be held. */
void statekept_note_write(const char *path, int rc, const char *why);

/* Whether directory/name must not be written over because its contents are not known: then
 * -EAGAIN, with why; otherwise 0. Any lock may be held. */
int statekept_refuse(const char *directory, const char *name, struct maui_error *why);

/* Calls see for each, in the order of the table; see must take no lock. Any
 * lock may be held. */
void statekept_each(enum statekept how,
		    void (*see)(const char *path, const char *why, void *context), void *context);

#endif
