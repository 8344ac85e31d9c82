/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Texts for the readers of traces, and what these complain of. */
#ifndef MAUI_UNIT_READER_FIXTURE_H
#define MAUI_UNIT_READER_FIXTURE_H

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "common/replay/trace/trace.h"

/* By the last text that was read: "LINE:COLUMN: what is wrong" and a newline for each line. */
static char said[512];

static void bad_line(void *context, uint32_t line, uint32_t column, const char *text)
{
	size_t used = strlen(said);

	(void)context;
	snprintf(said + used, sizeof(said) - used, "%u:%u: %s\n", line, column, text);
}

static const struct maui_replay_complaints complaints = {bad_line, NULL};

typedef int (*reader_t)(struct maui_replay_trace *trace, const char *text, size_t size,
			const struct maui_replay_complaints *complaints);

static inline struct maui_replay_trace *read_with(reader_t reader, const char *text)
{
	struct maui_replay_trace *trace = maui_replay_trace_new();

	said[0] = '\0';
	cr_assert_eq(reader(trace, text, strlen(text), &complaints), 0, "%s", said);
	return trace;
}

/* "-" for none. */
static inline const char *name_in(const struct maui_intern *table, uint32_t id)
{
	const char *text = maui_intern_name(table, id);

	return text ? text : "-";
}

#endif
