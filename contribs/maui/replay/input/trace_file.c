/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Recognises maui.queue/1, PBS, Maui's workload trace, sacct and SWF by the
 * file's beginning, and calls the parser of that format.
 */
#include "contribs/maui/replay/input/trace_file.h"

#include <stdlib.h>
#include <string.h>

#include "common/replay/readers/pbs.h"
#include "common/replay/readers/sacct.h"
#include "common/replay/readers/swf.h"
#include "common/replay/readers/table.h"
#include "common/replay/readers/workload.h"
#include "contribs/maui/lib/command.h"
#include "contribs/maui/replay/input/queue_start.h"

int trace_fail_empty(const char *path, const struct maui_replay_trace *trace)
{
	for (int i = 0; i < MAUI_REPLAY_LACKS; i++)
		if (trace->lacking[i])
			note("%s: %zu jobs %s", path, trace->lacking[i],
			     maui_replay_lack_text((enum maui_replay_lack)i));
	return fail(EXIT_ERRORS, "%s: there is no job that could be replayed", path);
}

static int trace_file_finish(const char *path, uint32_t procs, struct maui_replay_trace *trace)
{
	int64_t peak = maui_replay_trace_peak(trace);

	if (procs)
		trace->procs = procs;
	if (!trace->procs && peak)
		return fail(
			EXIT_ERRORS,
			"%s does not say how many processors there are: --processors=N; %" PRId64
			" were in use at once",
			path, peak);
	if (!trace->procs)
		return fail(EXIT_ERRORS,
			    "%s does not say how many processors there are: --processors=N", path);
	if (peak > trace->procs)
		note("%s: %" PRId64 " processors were in use at once, and the machine has %u", path,
		     peak, trace->procs);
	maui_replay_trace_finish(trace, trace->procs);
	return trace->count ? EXIT_OK : trace_fail_empty(path, trace);
}

/* ---- formats ---- */

static int read_sacct(const struct replay_file *file, const struct trace_form *form, bool shredder,
		      const struct maui_replay_complaints *complaints,
		      struct maui_replay_trace *trace)
{
	struct maui_replay_sacct_form sacct = {form->delimiter, shredder};

	if (maui_replay_sacct_looks(file->bytes, file->size, form->delimiter) ==
	    MAUI_REPLAY_SACCT_BLANKS)
		return fail(EXIT_ERRORS,
			    "%s:1:1: names of columns without %s between them: sacct needs -P, and "
			    "another delimiter of its own --delimiter here, too",
			    file->path, form->delimiter ? form->delimiter : "|");
	return maui_replay_sacct_read_form(trace, file->bytes, file->size, &sacct, complaints)
		       ? EXIT_ERRORS
		       : EXIT_OK;
}

/* Whose records have another shape: their names, and how their first line begins. */
static int refuse_others(const struct replay_file *file)
{
	const char *stop = memchr(file->bytes, '\n', file->size);
	size_t line = stop ? (size_t)(stop - file->bytes) : file->size, colons = 0;

	for (size_t i = 0; i < line; i++)
		colons += file->bytes[i] == ':';
	if (line > 10 && !memcmp(file->bytes, "\"JOB_", 5))
		return fail(EXIT_ERRORS, "%s: LSF's lsb.acct cannot be read", file->path);
	if (colons >= 30)
		return fail(EXIT_ERRORS, "%s: Grid Engine's accounting file cannot be read",
			    file->path);
	return EXIT_OK;
}

static const char *const format_names[TRACE_FORMATS] = {
	[TRACE_SWF] = "swf", [TRACE_SACCT] = "sacct",       [TRACE_SHREDDER] = "shredder",
	[TRACE_PBS] = "pbs", [TRACE_WORKLOAD] = "workload", [TRACE_QUEUE] = "queue",
};

bool trace_format_find(const char *name, enum trace_format *ret_format)
{
	for (int i = 1; i < TRACE_FORMATS; i++)
		if (!strcmp(name, format_names[i])) {
			*ret_format = (enum trace_format)i;
			return true;
		}
	return false;
}

static enum trace_format trace_file_recognise(const struct replay_file *file,
					      const struct trace_form *form)
{
	if (form->format)
		return form->format;
	if (queue_start_looks(file))
		return TRACE_QUEUE;
	if (maui_replay_pbs_looks(file->bytes, file->size))
		return TRACE_PBS;
	if (maui_replay_workload_looks(file->bytes, file->size))
		return TRACE_WORKLOAD;
	switch (maui_replay_sacct_looks(file->bytes, file->size, form->delimiter)) {
	case MAUI_REPLAY_SACCT_NO:
		return TRACE_SWF;
	case MAUI_REPLAY_SACCT_SHREDDER:
		return TRACE_SHREDDER;
	default:
		return TRACE_SACCT;
	}
}

/* What editors and spreadsheets put before a text. */
static void drop_byte_order_mark(struct replay_file *file)
{
	const char *begin = maui_table_begin(file->bytes, file->size);
	size_t size = (size_t)(begin - file->bytes);

	if (size)
		memmove(file->bytes, begin, file->size -= size);
}

static int trace_file_parse(struct replay_file *file, const struct trace_form *form,
			    struct replay_machine *machine, struct maui_replay_trace *trace)
{
	struct maui_replay_complaints complaints = {replay_file_bad_line, file};
	enum trace_format format;
	int code = EXIT_OK;

	drop_byte_order_mark(file);
	format = trace_file_recognise(file, form);

	switch (format) {
	case TRACE_QUEUE:
		code = queue_start_read(file, machine, trace);
		break;
	case TRACE_PBS:
		maui_replay_pbs_read(trace, file->bytes, file->size, &complaints);
		break;
	case TRACE_WORKLOAD:
		maui_replay_workload_read(trace, file->bytes, file->size, &complaints);
		break;
	case TRACE_SACCT:
	case TRACE_SHREDDER:
		code = read_sacct(file, form, format == TRACE_SHREDDER, &complaints, trace);
		break;
	default:
		code = form->format ? EXIT_OK : refuse_others(file);
		if (code == EXIT_OK)
			maui_replay_swf_read(trace, file->bytes, file->size, &complaints);
	}
	return code == EXIT_OK ? trace_file_finish(file->path, machine->procs, trace) : code;
}

int trace_file_read(const char *path, const struct trace_form *form, struct replay_machine *machine,
		    struct maui_replay_trace **ret_trace)
{
	struct maui_replay_trace *trace = NULL;
	struct replay_file file;
	int code = replay_file_read(path, machine->inputs, &file);

	if (code == EXIT_OK) {
		trace = maui_replay_trace_new();
		code = trace_file_parse(&file, form, machine, trace);
	}
	free(file.bytes);
	if (code == EXIT_OK)
		*ret_trace = trace;
	else
		maui_replay_trace_free(trace);
	return code;
}
