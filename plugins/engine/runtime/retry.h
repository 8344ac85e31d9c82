/* SPDX-License-Identifier: GPL-2.0-or-later */
/* When something that failed is tried again: after a second, and each time after twice as long. */
#ifndef MAUI_ENGINE_RETRY_H
#define MAUI_ENGINE_RETRY_H

#include <math.h>
#include <stdbool.h>

#include "plugins/engine/runtime/monotonic.h"

#define RETRY_FIRST 1 /* seconds */
#define RETRY_LAST  300

/* All zero: nothing has failed. */
struct retry {
	double pause; /* seconds between the last two tries; 0: nothing has failed */
	double next;  /* the next try, monotonic seconds */
};

static inline double retry_longer(double pause, double least)
{
	return fmin(fmax(pause * 2, least), RETRY_LAST);
}

static inline void retry_note(struct retry *retry, bool failed)
{
	retry->pause = failed ? retry_longer(retry->pause, RETRY_FIRST) : 0;
	retry->next = monotonic_seconds() + retry->pause;
}

static inline bool retry_waits(const struct retry *retry)
{
	return retry->pause > 0;
}

/* Monotonic seconds; INFINITY: nothing has failed. */
static inline double retry_due(const struct retry *retry)
{
	return retry_waits(retry) ? retry->next : INFINITY;
}

#endif
