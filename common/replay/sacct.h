/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What `sacct -P` prints: a line of column names, then a line for each job, with '|' between
 * columns, which may be in any order; unknown ones are left alone.
 *
 * Read are JobID (steps are left out), Submit, Eligible (a job can be scheduled from the later of
 * the two on), Start, End, ElapsedRaw (what counts as run time, if it is there), TimelimitRaw
 * (minutes), User, Group, Account, QOS, Partition, AllocCPUS, and of ReqTRES the CPUs (for a job that
 * was allocated none), nodes, memory and GRES; ReqMem where ReqTRES has no memory; Constraints.
 * Times are local, as 2026-11-22T05:10:00, or epoch seconds (SLURM_TIME_FORMAT=%s).
 */
#ifndef MAUI_REPLAY_SACCT_H
#define MAUI_REPLAY_SACCT_H

#include "common/replay/trace.h"

/* Whether a text looks like one: its first line has a '|'. */
bool maui_replay_sacct_looks(const char *text, size_t size);

/*
 * Add the jobs of a text, which need not end with NUL. A line with another number of columns than
 * the first, or with a value that cannot be read, is complained about and left out. 0; -EINVAL if
 * the first line lacks a column that is needed, which is complained about.
 */
int maui_replay_sacct_read(struct maui_replay_trace *trace, const char *text, size_t size,
			   const struct maui_replay_complaints *complaints);

#endif
