/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Windows of fairshare that are not empty when a replay begins. */
#include "common/replay/queue/site_usage.h"

#include <errno.h>
#include <string.h>

#include "common/util/principal_text.h"

/* 0: nobody in the replay has this name. */
static uint32_t id_of(const struct site_replay *replay, enum maui_credential type, const char *name)
{
	uint32_t id;

	if (type == MAUI_FS_TOTAL || !strcmp(name, "DEFAULT"))
		return 0;
	id = maui_intern_find(replay->trace->names[type], name);
	return id ? replay->id[type][id] : 0;
}

/* The name of digits that a line has in quotation marks; NULL: it has none. */
static const char *quoted_name(const struct maui_replay_usage_line *line,
			       char name[MAUI_PRINCIPAL_TEXT_SIZE])
{
	const char *quoted;
	size_t size;

	if (line->type != MAUI_USER && line->type != MAUI_GROUP)
		return NULL;
	quoted = maui_principal_quoted(line->name, &size);
	if (!quoted)
		return NULL;
	memcpy(name, quoted, size);
	name[size] = '\0';
	return name;
}

/* A trace does not tell a number without a name from the name of these digits: it has both as one
 * user, whose usage is that of both. */
static void usage_load(struct site_replay *replay, const struct maui_replay_usage_window *window,
		       uint32_t k)
{
	const struct maui_replay_usage_line *lines = &replay->site->usage->lines[window->first];
	char name[MAUI_PRINCIPAL_TEXT_SIZE];

	for (size_t i = 0; i < window->count; i++) {
		const struct maui_replay_usage_line *line = &lines[i];
		uint32_t id = id_of(replay, line->type, line->name);

		if ((id && !quoted_name(line, name)) || line->type == MAUI_FS_TOTAL)
			maui_fairshare_set(replay->windows, line->type, id, k, line->usage);
	}
	for (size_t i = 0; i < window->count; i++) {
		const struct maui_replay_usage_line *line = &lines[i];
		uint32_t id = quoted_name(line, name) ? id_of(replay, line->type, name) : 0;

		if (id)
			maui_fairshare_set(replay->windows, line->type, id, k,
					   line->usage + maui_fairshare_usage(replay->windows,
									      line->type, id, k));
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
		usage_load(replay, &usage->windows[i], (uint32_t)k);
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
