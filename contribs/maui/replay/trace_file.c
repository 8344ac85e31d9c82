/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contribs/maui/replay/trace_file.h"

#include <stdlib.h>

#include "common/replay/sacct.h"
#include "common/replay/swf.h"
#include "contribs/maui/lib/command.h"
#include "contribs/maui/replay/queue_start.h"

static int finish(const char *path, uint32_t procs, struct maui_replay_trace *trace)
{
	if (procs)
		trace->procs = procs;
	if (!trace->procs)
		return fail(EXIT_ERRORS,
			    "%s does not say how many processors there are: --processors=N", path);
	maui_replay_trace_finish(trace, trace->procs);
	if (!trace->count)
		return fail(EXIT_ERRORS, "%s: there is no job that could be replayed", path);
	return EXIT_OK;
}

static int parse(struct replay_file *file, struct replay_machine *machine,
		 struct maui_replay_trace *trace)
{
	struct maui_replay_complaints complaints = {replay_file_bad_line, file};
	int code = EXIT_OK;

	if (queue_start_looks(file))
		code = queue_start_read(file, machine, trace);
	else if (!maui_replay_sacct_looks(file->bytes, file->size))
		maui_replay_swf_read(trace, file->bytes, file->size, &complaints);
	else if (maui_replay_sacct_read(trace, file->bytes, file->size, &complaints))
		code = EXIT_ERRORS;
	return code == EXIT_OK ? finish(file->path, machine->procs, trace) : code;
}

int trace_file_read(const char *path, struct replay_machine *machine,
		    struct maui_replay_trace **ret_trace)
{
	struct maui_replay_trace *trace = maui_replay_trace_new();
	struct replay_file file;
	int code = replay_file_read(path, machine->inputs, &file);

	if (code == EXIT_OK)
		code = parse(&file, machine, trace);
	free(file.bytes);
	if (code == EXIT_OK)
		*ret_trace = trace;
	else
		maui_replay_trace_free(trace);
	return code;
}
