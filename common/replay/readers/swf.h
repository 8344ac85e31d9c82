/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The Standard Workload Format 2.2 of the Parallel Workloads Archive: 18 numbers a line, -1 for
 * unknown, and comments, which may say how large the machine is (MaxProcs, or MaxNodes) and when
 * the trace begins (UnixStartTime).
 *
 * Read are: 1 job, 2 submission, 3 wait, 4 run time, 8 processors requested (5 allocated, if 8 is
 * not known), 9 time requested, 10 memory requested (KB for each processor), 11 status (2 to 4: one
 * part of a job, left out), 12 user, 13 group, 15 queue, which is the class. Users, groups and
 * queues have the number as their name. The others are only checked to be numbers.
 */
#ifndef MAUI_REPLAY_SWF_H
#define MAUI_REPLAY_SWF_H

#include "common/replay/trace/trace.h"

/*
 * Add the jobs of a text, which need not end with NUL. A line that is not 18 numbers is complained
 * about and left out.
 */
void maui_replay_swf_read(struct maui_replay_trace *trace, const char *text, size_t size,
			  const struct maui_replay_complaints *complaints);

#endif
