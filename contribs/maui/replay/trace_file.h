/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A trace from a file, which may be compressed with gzip. */
#ifndef MAUI_REPLAY_TRACE_FILE_H
#define MAUI_REPLAY_TRACE_FILE_H

#include "contribs/maui/replay/machine_options.h"

/*
 * Read all jobs of a trace; "-" is standard input. A line that cannot be read is complained about
 * with its place, the first few of them. Without a machine it is what the trace or queue says. An
 * exit code; after EXIT_OK the trace has its jobs, and trace->procs is the machine's.
 */
int trace_file_read(const char *path, struct replay_machine *machine,
		    struct maui_replay_trace **ret_trace);

#endif
