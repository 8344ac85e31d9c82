/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The priorities of waiting jobs during a replay: --priorities. */
#ifndef MAUI_REPLAY_PRIORITIES_CSV_H
#define MAUI_REPLAY_PRIORITIES_CSV_H

#include "common/replay/trace/trace.h"

struct priorities_csv;

/* Lines `time,job,priority`, in the order of times. An exit code. */
int priorities_csv_open(const char *path, const struct maui_replay_trace *trace,
			struct priorities_csv **ret_csv);
/* struct maui_replay_site's ranked(): context is what was opened. */
void priorities_csv_add(const void *context, int64_t time, uint32_t job, uint32_t priority);
/* An exit code. */
int priorities_csv_close(struct priorities_csv *csv);

#endif
