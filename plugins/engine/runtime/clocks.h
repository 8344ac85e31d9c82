/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Both clocks of the machine, read at one moment. A comparison that shows whether the wall clock was
 * set needs such a pair. */
#ifndef MAUI_ENGINE_CLOCKS_H
#define MAUI_ENGINE_CLOCKS_H

#include <stdint.h>

struct clocks {
	int64_t wall;  /* seconds since 1970 */
	double steady; /* as of monotonic_seconds() */
};

struct clocks clocks_read(void);

#endif
