/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Usage in a stretch of time, without decay, from the files of fairshare windows: also of those that
 * have left FSDEPTH, as long as their files are there.
 */
#ifndef MAUI_FS_PERIOD_H
#define MAUI_FS_PERIOD_H

#include "common/policy/fairshare/fs_span.h"
#include "contribs/maui/fs/fs_site.h"
#include "contribs/maui/fs/fs_usage.h"

/* Where figures lack something. */
struct fs_lack {
	struct maui_fs_span span; /* within the period */
	char *why;                /* a clause */
};

/* A window that reaches over the beginning or end: its usage is shared out by time. */
struct fs_shared {
	struct maui_fs_span window; /* as far as it is counted */
	double usage, counted;      /* all of it, and what belongs to the period */
};

/* Amounts are FSPOLICY's: processor-seconds, or likewise. */
struct fs_period {
	struct maui_fs_span span;
	int64_t until; /* usage up to here is in the files; span.start: none is */
	double total;
	struct maui_intern *names[MAUI_CREDENTIALS]; /* as files have them */
	double *amount[MAUI_CREDENTIALS];            /* by the ids of these */
	struct fs_lack *lacks;                       /* by their beginning */
	size_t lack_count, lack_room;
	struct fs_shared *shared;
	size_t shared_count, shared_room;
	bool failed; /* some file could not be read, or is damaged */
};

/*
 * span ends at now at the latest. 0, or a negative errno if the directory cannot be read: then the
 * error says why, and there is nothing to clear.
 */
int fs_period_read(const struct fs_site *site, const char *directory, struct maui_fs_span span,
		   int64_t now, struct fs_period *ret_period, struct maui_error *error);
void fs_period_clear(struct fs_period *period);

#endif
