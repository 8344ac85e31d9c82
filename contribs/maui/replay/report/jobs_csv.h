/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A schedule, job by job, for programs that know batsim's jobs.csv. */
#ifndef MAUI_REPLAY_JOBS_CSV_H
#define MAUI_REPLAY_JOBS_CSV_H

#include "common/replay/nodes/nodes.h"
#include "common/replay/schedule/schedule.h"
#include "contribs/maui/lib/command.h"

/* In the order of starts; jobs that never begin have no line. nodes: of a schedule on nodes; may be
 * NULL. An exit code. */
int jobs_csv_write(const char *path, const struct maui_replay_trace *trace,
		   const struct maui_replay_nodes *nodes,
		   const struct maui_replay_schedule *schedule);

#endif
