/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lines of standing reservations and the windows of their periods, by independent arithmetic:
 * D-RSV-9 to D-RSV-13, with each departure from the original as a switch. Calls nothing of the core
 * but for times.
 */
#ifndef MAUI_VECTORS_WINDOW_READING_H
#define MAUI_VECTORS_WINDOW_READING_H

#include "testsuite/vectors/check.h"

/* What one reservation's lines say, in the vectors' terms. */
struct srcfg_reading {
	double days, depth, period, start, end, wstart, wend;
	double task_count, tasks_per_node, priority, procs, mem, disk, swap;
	char flags[256], hosts[512], partition[64], features[128];
};

/* rules: those for which the original's side is taken. */
void srcfg_read(struct json_object *cfg, const char *name, rule_mask rules,
		struct srcfg_reading *ret);

/* The window of a period; all but needed are 0 if it is not needed. */
struct window_reading {
	double needed, created, start, duration, rsvstart, rsvend;
};
#define WINDOW_FIELDS 6

/* In the local time zone. */
void window_read(const struct srcfg_reading *sr, int64_t index, int64_t now, rule_mask rules,
		 struct window_reading *ret);

#endif
