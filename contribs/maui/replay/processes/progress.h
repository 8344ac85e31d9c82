/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How far a replay is, and the time to go, on standard error. */
#ifndef MAUI_REPLAY_PROGRESS_H
#define MAUI_REPLAY_PROGRESS_H

#include <stddef.h>
#include <time.h>

/*
 * `what: 37 %, 12 s to go`: a line, or on a terminal the same line anew. done is at least 1. One
 * write, so that several processes may.
 */
void progress_tell(const char *what, size_t done, size_t count, time_t begun);
/* All is done: a terminal's line is empty again. */
void progress_end(void);

#endif
