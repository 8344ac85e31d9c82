/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Accounting logs of PBS, OpenPBS and Torque, as their server writes one a day: a line for each
 * event, `11/28/2026 09:00:00;E;17.server;user=bob group=staff ...`. A job is its E record, written
 * when it ended; the others tell nothing that this does not have.
 *
 * Read are ctime, qtime and etime (a job can be scheduled from the latest on), start, end,
 * resources_used.walltime where there is no end, exec_host (processors and nodes; `a/7+a/6`,
 * `a/0*8+b/0*8`, `a/0-7`), Resource_List.walltime, .mem, .nodes or .select (the GPUs), .qos, user,
 * group, account and queue, which is the class. Of an array's task `17[4].server` the number is 17.
 */
#ifndef MAUI_REPLAY_PBS_H
#define MAUI_REPLAY_PBS_H

#include "common/replay/trace/trace.h"

/* Whether its first line is a record. */
bool maui_replay_pbs_looks(const char *text, size_t size);

/*
 * Add the jobs of a text, which need not end with NUL. A line that cannot be read is complained
 * about and left out; a job that two logs have is counted once.
 */
void maui_replay_pbs_read(struct maui_replay_trace *trace, const char *text, size_t size,
			  const struct maui_replay_complaints *complaints);

#endif
