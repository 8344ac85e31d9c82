/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The schedules that a report compares. */
#ifndef MAUI_REPLAY_SIDES_H
#define MAUI_REPLAY_SIDES_H

#include "common/replay/measures.h"
#include "common/replay/schedule.h"

#define MAX_SIDES 8

struct replay_side {
	const char *name; /* the scheduler's, or the file's */
	enum maui_replay_preset preset;
	struct maui_replay_schedule schedule;
	struct maui_replay_measures measures;
	struct maui_replay_nearness near;
};

struct replay_report {
	const char *path; /* of the trace */
	const struct maui_replay_trace *trace;
	bool perfect;
	struct maui_replay_measures recorded; /* .jobs is 0: the trace has no starts */
	struct replay_side side[MAX_SIDES];
	size_t count;
};

/* What the report does not know of, each a sentence's part; ends with NULL. */
const char *const *replay_not_modelled(void);

void replay_print(const struct replay_report *report);
int replay_print_json(const struct replay_report *report);

#endif
