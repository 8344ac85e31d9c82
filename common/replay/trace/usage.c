/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads FS files into windows and lines, and compares their interval, metric
 * and start with the settings of maui.cfg.
 */
#include "common/replay/trace/usage.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/util/grow.h"

static int add_line(void *context, enum maui_credential type, const char *name, double used)
{
	struct maui_replay_usage *usage = context;

	usage->lines = maui_grow(usage->lines, usage->line_count + 1, &usage->line_room,
				 sizeof(*usage->lines));
	usage->lines[usage->line_count++] = (struct maui_replay_usage_line){
		type, maui_arena_text(usage->arena, name, strlen(name)), used};
	return 0;
}

int maui_replay_usage_add(struct maui_replay_usage *usage, int64_t start, const char *text,
			  size_t size, struct maui_error *error)
{
	struct maui_replay_usage_window window = {.start = start, .first = usage->line_count};
	int rc;

	if (!usage->arena)
		usage->arena = maui_arena_new();
	rc = maui_fairshare_file_read(text, size, add_line, usage, &window.file, error);
	if (rc)
		return rc;
	window.count = usage->line_count - window.first;
	usage->windows =
		maui_grow(usage->windows, usage->count + 1, &usage->room, sizeof(*usage->windows));
	usage->windows[usage->count++] = window;
	return 0;
}

void maui_replay_usage_clear(struct maui_replay_usage *usage)
{
	maui_arena_free(usage->arena);
	free(usage->windows);
	free(usage->lines);
	*usage = (struct maui_replay_usage){0};
}

static bool counts_the_same(const struct maui_fairshare_file *file,
			    const struct maui_fairshare_settings *settings)
{
	char metric[MAUI_FS_METRIC_SIZE];

	if (file->duration && file->duration != settings->interval)
		return false;
	return !*file->metric ||
	       !strcasecmp(file->metric, maui_fairshare_metric_name(settings, metric));
}

int maui_replay_usage_window_of(const struct maui_replay_usage_window *window,
				const struct maui_fairshare_settings *settings, int64_t begin)
{
	int64_t now = maui_fairshare_window(settings->interval, begin);
	int64_t counted = window->file.counted;

	if (!counts_the_same(&window->file, settings) || window->start > now ||
	    (now - window->start) % settings->interval ||
	    (now - window->start) / settings->interval >= settings->depth)
		return -1;
	if (window->start == now && (counted == MAUI_FS_NOT_SAID || counted > begin))
		return -1;
	return (int)((now - window->start) / settings->interval);
}
