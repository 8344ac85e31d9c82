/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Scans a directory for FS files that begin after the current window, and adds
 * their usage once the clock reaches them.
 */
#include "plugins/compat/base.h"

#include "plugins/engine/fairshare/fairshare_ahead.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"
#include "plugins/engine/fairshare/fairshare_files.h"
#include "plugins/engine/runtime/runtime.h"

/* When windows that are yet to come begin. The engine's thread alone. */
static struct {
	int64_t *start;
	size_t count, room;
} ahead;

static bool is_ahead(int64_t start)
{
	for (size_t i = 0; i < ahead.count; i++)
		if (ahead.start[i] == start)
			return true;
	return false;
}

void fairshare_ahead_add(int64_t start)
{
	if (is_ahead(start))
		return;
	ahead.start = maui_grow(ahead.start, ahead.count + 1, &ahead.room, sizeof(*ahead.start));
	ahead.start[ahead.count++] = start;
}

void fairshare_ahead_drop(void)
{
	ahead.count = 0;
}

/* INT64_MIN: it is not the name of a window's file. */
static int64_t ahead_start(const char *name)
{
	char *end = NULL;
	int64_t start;

	if (strncmp(name, "FS.", 3) != 0 || name[3] < '0' || name[3] > '9')
		return INT64_MIN;
	start = strtoll(name + 3, &end, 10);
	return *end ? INT64_MIN : start;
}

/* One that is newer than the windows. What was used after these were written may be in it. */
static void find_ahead(const char *directory, int64_t start,
		       const struct maui_fairshare_settings *settings,
		       struct fairshare_files_say *say)
{
	struct maui_fairshare_file file;
	enum state_answer answer = fairshare_file_head(directory, start, &file);

	if (answer != STATE_NOT_NOW &&
	    (answer != STATE_READ || (file.duration && file.duration != settings->interval)))
		return;
	if (answer == STATE_READ && fairshare_clock_see(&say->newest, &file))
		for (uint32_t k = 0; k < settings->depth; k++)
			if (say->counted[k] != INT64_MIN && say->counted[k] < file.counted)
				say->counted[k] = file.counted;
	fairshare_ahead_add(start);
	info("maui: fairshare: the window of %s/FS.%" PRId64
	     " is yet to come by the clock, and counts from then",
	     directory, start);
}

void fairshare_ahead_find(const char *directory, const struct maui_fairshare *windows,
			  struct fairshare_files_say *say)
{
	const struct maui_fairshare_settings *settings = maui_fairshare_settings_of(windows);
	int64_t oldest = maui_fairshare_start(windows, settings->depth - 1), before = INT64_MIN;
	struct maui_fairshare_file file;
	DIR *files = opendir(directory);
	struct dirent *entry;

	while (files && (entry = readdir(files))) {
		int64_t start = ahead_start(entry->d_name);

		if (start > maui_fairshare_start(windows, 0))
			find_ahead(directory, start, settings, say);
		else if (start > before && start < oldest)
			before = start;
	}
	if (files)
		closedir(files);
	if (say->newest.counted == INT64_MIN && before != INT64_MIN &&
	    fairshare_file_head(directory, before, &file) == STATE_READ)
		fairshare_clock_see(&say->newest, &file);
}

static void forget_reached(int64_t until)
{
	size_t kept = 0;

	for (size_t i = 0; i < ahead.count; i++)
		if (ahead.start[i] > until)
			ahead.start[kept++] = ahead.start[i];
	ahead.count = kept;
}

uint32_t fairshare_ahead_take_up(const char *directory, struct maui_fairshare *windows)
{
	struct fairshare_known others = {.count = 0};
	uint32_t depth, found = 0;

	if (!windows || !ahead.count)
		return 0;
	depth = maui_fairshare_settings_of(windows)->depth;
	for (uint32_t k = 0; k < depth; k++) {
		int64_t start = maui_fairshare_start(windows, k);

		if (is_ahead(start))
			found |= UINT32_C(1) << k;
		else
			others.start[others.count++] = start;
	}
	if (found && !fairshare_files_add(directory, windows, &others))
		return found; /* the next time */
	engine_lock();
	for (uint32_t k = 0; k < depth; k++)
		if (found & UINT32_C(1) << k)
			maui_fairshare_soil(windows, k);
	engine_unlock();
	forget_reached(maui_fairshare_start(windows, 0));
	return 0;
}
