/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Time for waiting and for measuring: a clock that nobody sets. */
#ifndef MAUI_ENGINE_MONOTONIC_H
#define MAUI_ENGINE_MONOTONIC_H

#include <time.h>

/* Seconds since an arbitrary moment. */
static inline double monotonic_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

#endif
