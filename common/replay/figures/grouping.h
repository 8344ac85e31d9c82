/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The jobs of a trace, divided by who they are of, how large they are, or how long they run. */
#ifndef MAUI_REPLAY_GROUPING_H
#define MAUI_REPLAY_GROUPING_H

#include "common/replay/trace/trace.h"

enum maui_replay_by {
	MAUI_REPLAY_BY_USER,
	MAUI_REPLAY_BY_GROUP,
	MAUI_REPLAY_BY_ACCOUNT,
	MAUI_REPLAY_BY_QOS,
	MAUI_REPLAY_BY_CLASS,
	MAUI_REPLAY_BY_SIZE,   /* processors, by powers of two */
	MAUI_REPLAY_BY_LENGTH, /* run time */
	MAUI_REPLAY_BYS
};

/* "user", ..., "size", "length". */
const char *maui_replay_by_name(enum maui_replay_by by);

struct maui_replay_grouping {
	size_t count;
	const char **names; /* by group; live as long as the trace and this */
	uint32_t *of;       /* by job: its group */
	char *text;         /* what some of the names are made of */
};

/*
 * Sizes and lengths from small to large; users and so on by the processor-seconds of their jobs,
 * the most first, and "(none)" for jobs without one. No groups at all if no job has one. Must be
 * cleared.
 */
void maui_replay_grouping_by(const struct maui_replay_trace *trace, enum maui_replay_by by,
			     struct maui_replay_grouping *ret_grouping);
void maui_replay_grouping_clear(struct maui_replay_grouping *grouping);

#endif
