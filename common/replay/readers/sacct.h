/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What `sacct -P` prints: a line of column names, then a line for each job, with '|' between
 * columns, which may be in any order; unknown ones are left alone.
 *
 * Read are JobID or JobIDRaw (steps and components of heterogeneous jobs are left out), Submit,
 * Eligible (a job can be scheduled from the later of the two on), Start, End, ElapsedRaw or
 * Elapsed (what counts as run time, if it is there), TimelimitRaw (minutes) or Timelimit, User,
 * Group, Account, QOS, Partition, AllocCPUS or NCPUS, NNodes or of AllocTRES the nodes (how many
 * the job had), and of ReqTRES the CPUs (for a job that was allocated none), nodes (the least),
 * memory and GRES; ReqMem where ReqTRES has no memory; Constraints.
 * Times are local, as 2026-11-22T05:10:00, or epoch seconds (SLURM_TIME_FORMAT=%s).
 */
#ifndef MAUI_REPLAY_SACCT_H
#define MAUI_REPLAY_SACCT_H

#include "common/replay/trace/trace.h"

struct maui_replay_sacct_form {
	const char *delimiter; /* NULL: "|" */
	/* There are no names of columns: the 26 are those that XDMoD's shredder asks sacct for. */
	bool shredder;
};

enum maui_replay_sacct_looks {
	MAUI_REPLAY_SACCT_NO,
	MAUI_REPLAY_SACCT_NAMES,    /* the first line is names of columns */
	MAUI_REPLAY_SACCT_SHREDDER, /* or a row of those 26 */
	MAUI_REPLAY_SACCT_BLANKS, /* or names without the delimiter: sacct without -P prints these */
};

/* What a text is by its first line; delimiter may be NULL. */
enum maui_replay_sacct_looks maui_replay_sacct_looks(const char *text, size_t size,
						     const char *delimiter);

/*
 * Add the jobs of a text, which need not end with NUL; of those that are there more than once one
 * counts. A line with another number of columns than there are names, or with a value that cannot
 * be read, is complained about and left out. form may be NULL. 0; -EINVAL if the names lack a column
 * that is needed, which is complained about.
 */
int maui_replay_sacct_read_form(struct maui_replay_trace *trace, const char *text, size_t size,
				const struct maui_replay_sacct_form *form,
				const struct maui_replay_complaints *complaints);
int maui_replay_sacct_read(struct maui_replay_trace *trace, const char *text, size_t size,
			   const struct maui_replay_complaints *complaints);

#endif
