/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Usage from before the engine counted it: what `sacct -P` lists, in windows (D-FS-31). */
#ifndef MAUI_FS_SACCT_H
#define MAUI_FS_SACCT_H

#include "contribs/maui/fs/fs_usage.h"

struct fs_sacct {
	struct fs_usage usage;
	int64_t until;    /* the last second that a job of the list used, epoch seconds */
	size_t jobs;      /* how many had run, or ran */
	size_t bad_lines; /* each was complained about */
};

/*
 * Read a list into windows of the interval and depth of these settings, of which the current one
 * contains `until`; each job counts its processors from its start, for as long as it ran. Says what
 * is wrong and returns an exit code.
 */
int fs_sacct_read(const char *path, const struct maui_fairshare_settings *settings,
		  struct fs_sacct *ret_sacct);
void fs_sacct_clear(struct fs_sacct *sacct);

#endif
