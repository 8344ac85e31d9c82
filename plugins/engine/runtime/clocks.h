/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What both clocks of the machine say at one moment. Whoever compares them to find out whether the
 * wall clock was set must have read both at once. */
#ifndef MAUI_ENGINE_CLOCKS_H
#define MAUI_ENGINE_CLOCKS_H

#include <stdint.h>

struct clocks {
	int64_t wall;  /* seconds since 1970 */
	double steady; /* as of monotonic() */
};

struct clocks clocks_read(void);

#endif
