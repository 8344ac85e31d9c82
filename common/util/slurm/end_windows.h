/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Jobs that cons_tres takes together when it plans a start: those whose ends are in one window
 * (S-SEL-15). All windows begin at one time. The first is the shortest, and after each look the
 * next is twice as long, or `step` longer, and long enough for the end that follows.
 */
#ifndef MAUI_UTIL_END_WINDOWS_H
#define MAUI_UTIL_END_WINDOWS_H

#include <stdbool.h>
#include <stdint.h>

#define MAUI_FIRST_WINDOW 30 /* seconds */

/* Seconds. Times are positive. */
struct maui_end_windows {
	int64_t window; /* at first the shortest, which is not 0 */
	int64_t step;   /* bf_window_linear; 0: windows double */
	int64_t begin;  /* 0: no end was seen yet */
};

/* The first end decides when the windows begin: at the next multiple of the shortest. */
static inline void maui_end_windows_see(struct maui_end_windows *windows, int64_t end)
{
	if (!windows->begin)
		windows->begin = end + windows->window - end % windows->window;
}

/* Whether a later end is in the same window. */
static inline bool maui_end_windows_hold(const struct maui_end_windows *windows, int64_t end)
{
	return end - windows->window <= windows->begin;
}

/* The next window, for an end that the last one does not hold. */
static inline void maui_end_windows_widen(struct maui_end_windows *windows, int64_t end)
{
	int64_t lacking = end - windows->begin - windows->window;

	if (windows->step) {
		windows->window += windows->step * ((lacking + windows->step - 1) / windows->step);
		return;
	}
	do
		windows->window *= 2;
	while (!maui_end_windows_hold(windows, end));
}

#endif
