/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The machine's steady clock in the windows' files: from it a new process on the same machine gets
 * how long the one before has been gone, whatever the wall clock shows.
 */
#ifndef MAUI_ENGINE_FAIRSHARE_CLOCK_H
#define MAUI_ENGINE_FAIRSHARE_CLOCK_H

#include <stdbool.h>

#include "common/policy/fairshare/fairshare_file.h"

/* The newest of several files: up to when it counts, by both clocks. */
struct fairshare_newest {
	int64_t counted; /* INT64_MIN: no file says so */
	double steady;   /* negative: by another machine, or before it was booted */
};

#define FAIRSHARE_NO_FILE ((struct fairshare_newest){INT64_MIN, -1})

/* What the windows' files say. */
struct fairshare_files_say {
	int64_t counted[MAUI_FS_MAX_DEPTH]; /* INT64_MIN: nothing */
	struct fairshare_newest newest;
};

/* When monotonic_seconds() returned this, for a file; no boot if that is negative or not known. */
void fairshare_clock_at(double steady, struct maui_fairshare_clock *ret_clock);

/* One more file. True: it is the newest so far. */
bool fairshare_clock_see(struct fairshare_newest *newest, const struct maui_fairshare_file *file);

#endif
