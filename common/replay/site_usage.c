/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Windows of fairshare that are not empty when a replay begins. */
#include <errno.h>
#include <string.h>

#include "common/replay/site_private.h"

/* 0: nobody in the replay has this name. */
static uint32_t id_of(const struct site_replay *replay, const struct maui_replay_usage_line *line)
{
	uint32_t id;

	if (line->type == MAUI_FS_TOTAL || !strcmp(line->name, "DEFAULT"))
		return 0;
	id = maui_intern_find(replay->trace->names[line->type], line->name);
	return id ? replay->id[line->type][id] : 0;
}

static void load(struct site_replay *replay, const struct maui_replay_usage_window *window,
		 uint32_t k)
{
	const struct maui_replay_usage_line *line = &replay->site->usage->lines[window->first];

	for (size_t i = 0; i < window->count; i++, line++) {
		uint32_t id = id_of(replay, line);

		if (id || line->type == MAUI_FS_TOTAL)
			maui_fairshare_set(replay->windows, line->type, id, k, line->usage);
	}
}

int site_usage_load(struct site_replay *replay)
{
	const struct maui_replay_usage *usage = replay->site->usage;
	const struct maui_fairshare_settings *settings;

	if (!usage || !replay->windows)
		return 0;
	settings = maui_fairshare_settings_of(replay->windows);
	for (size_t i = 0; i < usage->count; i++) {
		int k = maui_replay_usage_window_of(&usage->windows[i], settings, replay->now);

		if (k < 0)
			continue;
		load(replay, &usage->windows[i], (uint32_t)k);
		replay->counts->usage_windows++;
	}
	if (replay->counts->usage_windows)
		return 0;
	return maui_error_set(replay->error, ENOENT,
			      "no file of usage is of a window before the first job that counts: "
			      "FSINTERVAL is %lld s and FSDEPTH %u, and that job comes at %lld",
			      (long long)settings->interval, settings->depth,
			      (long long)replay->now);
}
