/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Deadlines in milliseconds of CLOCK_MONOTONIC; the rest is cut to an int for
 * poll().
 */
#include "contribs/maui/lib/deadline.h"

#include <limits.h>
#include <time.h>

int64_t milliseconds_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

struct deadline deadline_in(int seconds)
{
	return (struct deadline){.end = milliseconds_now() + (int64_t)seconds * 1000};
}

int deadline_left(const struct deadline *deadline)
{
	int64_t left = deadline->end - milliseconds_now();

	return left < 0 ? 0 : left > INT_MAX ? INT_MAX : (int)left;
}
