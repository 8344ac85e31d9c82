/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Maui's workload traces, as its stats directory has one a day and its simulator reads them: a line
 * `VERSION 230`, then a job a line, in fields between blanks; `[NONE]` is nothing.
 *
 * Read are the fields, by their numbers in the manual's table of workload traces: 1 job, 2 nodes, 3
 * and 22 tasks asked for and allocated, 4 user, 5 group, 6 wall time limit, 8 class, 9 submission, 11
 * start, 12 completion, 20 features, 21 system queue time (a job can be scheduled from then on), 24
 * QOS (asked for, and behind a colon the one that it got), 26 account, 32 and 33 processors and
 * memory of each task, and 38 the nodes that it had.
 */
#ifndef MAUI_REPLAY_WORKLOAD_H
#define MAUI_REPLAY_WORKLOAD_H

#include "common/replay/trace/trace.h"

/* Whether its first line says the version. */
bool maui_replay_workload_looks(const char *text, size_t size);

/*
 * Add the jobs of a text, which need not end with NUL. A line that cannot be read is complained
 * about and left out; a job that two traces have is counted once.
 */
void maui_replay_workload_read(struct maui_replay_trace *trace, const char *text, size_t size,
			       const struct maui_replay_complaints *complaints);

#endif
