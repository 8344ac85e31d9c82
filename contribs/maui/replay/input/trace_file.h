/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A trace from a file, which may be compressed. */
#ifndef MAUI_REPLAY_TRACE_FILE_H
#define MAUI_REPLAY_TRACE_FILE_H

#include "contribs/maui/replay/input/machine_options.h"

enum trace_format {
	TRACE_BY_LOOKS,
	TRACE_SWF,
	TRACE_SACCT,
	TRACE_SHREDDER, /* sacct's rows without names, as XDMoD keeps them */
	TRACE_PBS,
	TRACE_WORKLOAD, /* Maui's */
	TRACE_QUEUE,    /* of `maui queue` */
	TRACE_FORMATS
};

/* False: there is none of this name. */
bool trace_format_find(const char *name, enum trace_format *ret_format);

struct trace_form {
	enum trace_format format;
	const char *delimiter; /* of sacct's columns; NULL: "|" */
};

/*
 * Read all jobs of a trace; "-" is standard input. A line that cannot be read is complained about
 * with its place, the first few of them. Without a machine it is what the trace or queue says. An
 * exit code; after EXIT_OK the trace has its jobs, and trace->procs is the machine's.
 */
int trace_file_read(const char *path, const struct trace_form *form, struct replay_machine *machine,
		    struct maui_replay_trace **ret_trace);

/* Says why each of its jobs was left out, and that none is left. Returns EXIT_ERRORS. */
int trace_fail_empty(const char *path, const struct maui_replay_trace *trace);

#endif
