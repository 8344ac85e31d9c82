/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A trace that may be shown to others: times from its first submission on, numbers for users,
 * groups and classes in the order in which they appear, and nothing else that names anybody.
 */
#include <inttypes.h>
#include <stdio.h>

#include "contribs/maui/replay/report/replay_sides.h"

/* -1: it has none. */
static int64_t number_of(uint32_t id)
{
	return id ? (int64_t)id : -1;
}

static void print_job(size_t number, int64_t begin, const struct maui_replay_job *job)
{
	bool known = job->started != MAUI_REPLAY_UNKNOWN;

	printf("%zu %" PRId64 " %" PRId64 " %" PRId64 " %u -1 -1 %u %" PRId64 " %" PRId64
	       " 1 %" PRId64 " %" PRId64 " -1 %" PRId64 " -1 -1 -1\n",
	       number, job->submitted - begin, known ? job->started - job->submitted : -1, job->run,
	       job->procs, job->procs, job->estimate,
	       job->memory ? job->memory * 1024 / job->procs : -1,
	       number_of(job->credential[MAUI_USER]), number_of(job->credential[MAUI_GROUP]),
	       number_of(job->credential[MAUI_CLASS]));
}

void replay_print_anonymous(const struct maui_replay_trace *trace)
{
	printf("; Version: 2.2\n; Conversion: maui replay --anonymise: without names, dates, "
	       "accounts and QOS\n; MaxJobs: %zu\n; MaxProcs: %u\n",
	       trace->count, trace->procs);
	for (size_t i = 0; i < trace->count; i++)
		print_job(i + 1, trace->jobs[0].submitted, &trace->jobs[i]);
}
