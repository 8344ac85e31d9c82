/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads both clocks, again if more than AT_ONCE seconds have passed meanwhile,
 * and TRIES times at most.
 */
#include "plugins/engine/runtime/clocks.h"

#include <time.h>

#include "plugins/engine/runtime/monotonic.h"

#define AT_ONCE 0.1 /* seconds */
#define TRIES   10

/* A machine that is busy may run somebody else between the two. */
struct clocks clocks_read(void)
{
	struct clocks clocks;
	double begun;
	int tries = 0;

	do {
		begun = monotonic_seconds();
		clocks.wall = time(NULL);
		clocks.steady = monotonic_seconds();
	} while (clocks.steady - begun > AT_ONCE && ++tries < TRIES);
	return clocks;
}
