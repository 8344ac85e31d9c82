/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Times at which a plan changes, ascending, each once. */
#ifndef MAUI_REPLAY_SITE_TIMES_H
#define MAUI_REPLAY_SITE_TIMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct site_times {
	int64_t *times;
	size_t count, room;
};

/* Returns whether it was not there yet. */
bool site_times_add(struct site_times *times, int64_t time);
void site_times_clear(struct site_times *times);

#endif
