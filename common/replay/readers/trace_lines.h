/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The lines of a trace of one line a record, and complaints about them. */
#ifndef MAUI_REPLAY_TRACE_LINES_H
#define MAUI_REPLAY_TRACE_LINES_H

#include "common/replay/trace/trace.h"

struct maui_trace_line {
	struct maui_replay_trace *trace;
	const struct maui_replay_complaints *complaints;
	const char *begin, *end; /* without the end of the line */
	uint32_t number;         /* from 1 on */
	const char *rest, *text_end;
};

/* Before the first line of a text, which need not end with NUL. */
struct maui_trace_line maui_trace_lines(struct maui_replay_trace *trace, const char *text,
					size_t size,
					const struct maui_replay_complaints *complaints);

/* The next one that is not empty; false: there is none. */
bool maui_trace_line_next(struct maui_trace_line *line);

/* Something is wrong there, which costs the line. Returns false. */
bool maui_trace_line_complain(const struct maui_trace_line *line, const char *where,
			      const char *text);

#endif
