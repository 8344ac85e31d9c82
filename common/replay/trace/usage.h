/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Usage of fairshare from before a replay begins: the FS files of windows. D-RPL-14. */
#ifndef MAUI_REPLAY_USAGE_H
#define MAUI_REPLAY_USAGE_H

#include "common/policy/fairshare/fairshare_file.h"
#include "common/util/arena.h"

struct maui_replay_usage_line {
	enum maui_credential type; /* MAUI_FS_TOTAL: of all, and the name is "" */
	const char *name;
	double usage;
};

struct maui_replay_usage_window {
	int64_t start; /* as its file's name says */
	struct maui_fairshare_file file;
	size_t first, count; /* of ->lines */
};

struct maui_replay_usage {
	struct maui_replay_usage_window *windows;
	struct maui_replay_usage_line *lines;
	size_t count, line_count, room, line_room;
	struct maui_arena *arena; /* made by the first file */
};

/* Add the text of FS.<start>. 0, or as for maui_fairshare_file_read(). */
int maui_replay_usage_add(struct maui_replay_usage *usage, int64_t start, const char *text,
			  size_t size, struct maui_error *error);
void maui_replay_usage_clear(struct maui_replay_usage *usage);

/*
 * Which of the windows a file's usage belongs to, if all of it was used before `begin`, when the
 * replay begins: the number of intervals before the window that contains begin. Less than 0: it
 * does not count. That is so of a later window, of one older than FSDEPTH, of another FSINTERVAL or
 * metric, and of the window that contains begin, unless the file says that it was counted until
 * then or earlier.
 */
int maui_replay_usage_window_of(const struct maui_replay_usage_window *window,
				const struct maui_fairshare_settings *settings, int64_t begin);

#endif
