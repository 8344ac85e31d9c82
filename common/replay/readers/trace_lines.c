/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How readers of traces come from one line to the next. */
#include "common/replay/readers/trace_lines.h"

#include <string.h>

struct maui_trace_line maui_trace_lines(struct maui_replay_trace *trace, const char *text,
					size_t size,
					const struct maui_replay_complaints *complaints)
{
	return (struct maui_trace_line){
		.trace = trace, .complaints = complaints, .rest = text, .text_end = text + size};
}

bool maui_trace_line_next(struct maui_trace_line *line)
{
	while (line->rest < line->text_end) {
		const char *stop = memchr(line->rest, '\n', (size_t)(line->text_end - line->rest));

		line->number++;
		line->begin = line->rest;
		line->end = stop ? stop : line->text_end;
		line->rest = stop ? stop + 1 : line->text_end;
		if (line->end > line->begin && line->end[-1] == '\r')
			line->end--;
		if (line->end > line->begin)
			return true;
	}
	return false;
}

bool maui_trace_line_complain(const struct maui_trace_line *line, const char *where,
			      const char *text)
{
	line->trace->bad_lines++;
	line->complaints->bad_line(line->complaints->context, line->number,
				   (uint32_t)(where - line->begin) + 1, text);
	return false;
}
