/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Computes the time to go from the share that is done, and writes the line to
 * standard error by one dprintf().
 */
#include "contribs/maui/replay/processes/progress.h"

#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

#include "contribs/maui/lib/output.h"

void progress_tell(const char *what, size_t done, size_t count, time_t begun)
{
	bool terminal = isatty(STDERR_FILENO);
	double left = (double)(time(NULL) - begun) * (double)(count - done) / (double)done;
	char clean[128];

	dprintf(STDERR_FILENO, "%s%s: %zu %%, %.0f s to go%s", terminal ? "\r\033[K" : "",
		clean_copy(what, clean, sizeof(clean)), done * 100 / count, left,
		terminal ? "" : "\n");
}

void progress_end(void)
{
	if (isatty(STDERR_FILENO))
		dprintf(STDERR_FILENO, "\r\033[K");
}
