/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads, writes, adds up and copies FS.<epoch> files. A file of another
 * FSPOLICY is renamed to FS.<epoch>.<metric>, and its usage is not mixed in.
 */
#include "plugins/compat/base.h"

#include "plugins/engine/fairshare/fairshare_files.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "common/util/arena.h"
#include "common/util/grow.h"
#include "common/util/memory.h"
#include "plugins/engine/policy/in_force.h"
#include "plugins/engine/runtime/runtime.h"
#include "plugins/engine/runtime/statefile.h"
#include "plugins/engine/runtime/statekept.h"

/* ---- reading ---- */

struct line {
	enum maui_credential type;
	const char *name;
	double usage;
};

/* A file's lines, kept until the mutex is held. */
struct lines {
	struct maui_arena *names;
	struct line *line;
	size_t count, room;
};

static int keep_line(void *context, enum maui_credential type, const char *name, double usage)
{
	struct lines *lines = context;
	const char *copy = maui_arena_text(lines->names, name, strlen(name));

	lines->line = maui_grow(lines->line, lines->count + 1, &lines->room, sizeof(*lines->line));
	lines->line[lines->count++] = (struct line){type, copy, usage};
	return 0;
}

/* The mutex is held. */
ENGINE_LOCKED static void adopt_lines(const struct lines *lines, struct maui_fairshare *windows,
				      uint32_t k)
{
	for (size_t i = 0; i < lines->count; i++) {
		const struct line *line = &lines->line[i];
		uint32_t id = 0;

		if (line->type != MAUI_FS_TOTAL) {
			id = maui_names_of_written(in_force.names, line->type, line->name);
			maui_fairshare_reserve(windows, line->type,
					       maui_names_count(in_force.names, line->type));
		}
		maui_fairshare_set(windows, line->type, id, k, line->usage);
	}
}

struct reading {
	struct lines lines;
	struct maui_fairshare_file file;
};

static int fsfiles_parse(const char *text, size_t size, void *result, struct maui_error *why)
{
	struct reading *reading = result;

	reading->lines.count = 0;
	return maui_fairshare_file_read(text, size, keep_line, &reading->lines, &reading->file,
					why);
}

static const struct maui_state_file stored = {
	.name = "FS",
	.limit = FAIRSHARE_FILE_MAX_SIZE,
	.parse = fsfiles_parse,
	.lost = "of its window only the jobs that Slurm still has count",
	.kept = "of its window only the jobs that Slurm still has count, and does not outlive a "
		"restart",
	.waits = "of its window only what is counted from now on counts, and does not outlive a "
		 "restart; the file's is added then",
};

/* A window of another length may have begun at the same time: with FSINTERVAL 24:00:00 before and
 * 12:00:00 now, for example. */
static bool is_of_this_length(const struct maui_fairshare_file *file,
			      const struct maui_fairshare *windows, int64_t start)
{
	int64_t interval = maui_fairshare_settings_of(windows)->interval;

	if (!file->duration || file->duration == interval)
		return true;
	info("maui: fairshare: FS.%" PRId64 " has a window of %" PRId64
	     " seconds, but FSINTERVAL is %" PRId64
	     ": of this one only the jobs that Slurm still has count",
	     start, file->duration, interval);
	return false;
}

static void tell_change(const char *path, const struct maui_fairshare_file *file,
			const char *metric, int rc)
{
	const char *done = !rc            ? "it is kept as"
			   : rc == -EROFS ? "it is left, and would be kept as"
					  : "it cannot be kept as";

	info("maui: fairshare: %s counts %s, and FSPOLICY is %s: %s %s.%s", path, file->metric,
	     metric, done, path, file->metric);
	if (rc && rc != -EROFS)
		error("maui: fairshare: %s: %s", path, strerror(-rc));
}

/* It is in the way, or another may take its place once it can be renamed. */
static enum state_answer not_renamed(const char *path, int rc)
{
	char why[128];

	if (engine_is_shadow())
		return STATE_ABSENT;
	snprintf(why, sizeof(why), "it cannot be renamed: %s", strerror(-rc));
	statekept_note(path, STATEKEPT_UNREAD, why);
	return STATE_NOT_NOW;
}

/*
 * Usage in one metric is never added to that in another, D-FS-13: a file of another one makes room
 * for that of this one, which may have been put by before. STATE_READ: there is one to read now.
 */
static enum state_answer change_files(const char *path, const struct maui_fairshare_file *file,
				      const char *metric)
{
	int rc = 0;

	if (*file->metric) {
		rc = statefile_put_by(path, file->metric);
		tell_change(path, file, metric, rc);
	}
	if (!rc)
		rc = statefile_take_up(path, metric);
	if (!rc)
		return STATE_READ;
	return rc == -ENOENT ? STATE_ABSENT : not_renamed(path, rc);
}

/* The file of the metric that counts. */
static enum state_answer read_counting(const char *path, const char *metric,
				       struct reading *reading)
{
	enum state_answer answer = stateload_path(&stored, path, reading);
	const struct maui_fairshare_file *file = &reading->file;
	bool other = answer == STATE_READ && *file->metric && strcmp(file->metric, metric) != 0;

	if (!other && answer != STATE_ABSENT)
		return answer;
	if (!other)
		*reading->file.metric = '\0';
	answer = change_files(path, file, metric);
	return answer == STATE_READ ? stateload_path(&stored, path, reading) : answer;
}

static void fsfiles_adopt(const struct reading *reading, struct maui_fairshare *windows, uint32_t k)
{
	engine_lock();
	adopt_lines(&reading->lines, windows, k);
	if (!*reading->file.metric) /* of an earlier version: from now on it says */
		maui_fairshare_soil(windows, k);
	engine_unlock();
}

enum state_answer fairshare_file_load(const char *directory, struct maui_fairshare *windows,
				      uint32_t k, int64_t start,
				      struct maui_fairshare_file *ret_file)
{
	struct reading reading = {.lines.names = maui_arena_new(),
				  .file.counted = MAUI_FS_NOT_SAID};
	char path[PATH_MAX], metric[MAUI_FS_METRIC_SIZE];
	enum state_answer answer;

	*ret_file = reading.file;
	maui_fairshare_metric_name(maui_fairshare_settings_of(windows), metric);
	snprintf(path, sizeof(path), "%s/FS.%" PRId64, directory, start);
	answer = read_counting(path, metric, &reading);
	if (answer == STATE_READ && !is_of_this_length(&reading.file, windows, start))
		answer = STATE_ABSENT;
	if (answer == STATE_READ) {
		fsfiles_adopt(&reading, windows, k);
		*ret_file = reading.file;
	}
	maui_arena_free(reading.lines.names);
	free(reading.lines.line);
	return answer;
}

enum state_answer fairshare_file_head(const char *directory, int64_t start,
				      struct maui_fairshare_file *ret_file)
{
	struct maui_error why = {""};
	char path[PATH_MAX], *text = NULL;
	enum state_answer answer;
	size_t size = 0;

	snprintf(path, sizeof(path), "%s/FS.%" PRId64, directory, start);
	answer = statefile_read(path, FAIRSHARE_FILE_MAX_SIZE, &text, &size, &why);
	if (answer == STATE_READ &&
	    maui_fairshare_file_read(text, size, NULL, NULL, ret_file, &why))
		answer = STATE_DAMAGED;
	free(text);
	return answer;
}

void fairshare_window_add(const struct maui_fairshare *found, struct maui_fairshare *windows,
			  uint32_t k)
{
	for (int type = 0; type < MAUI_CREDENTIALS; type++)
		maui_fairshare_reserve(windows, type, maui_names_count(in_force.names, type));
	for (int type = 0; type <= MAUI_FS_TOTAL; type++) {
		uint32_t count = type == MAUI_FS_TOTAL ? 0 : maui_names_count(in_force.names, type);

		for (uint32_t id = 0; id <= count; id++) {
			double usage = maui_fairshare_usage(found, type, id, k);

			if (usage > 0)
				maui_fairshare_set(
					windows, type, id, k,
					usage + maui_fairshare_usage(windows, type, id, k));
		}
	}
}

bool fairshare_files_add(const char *directory, struct maui_fairshare *windows,
			 const struct fairshare_known *known)
{
	const struct maui_fairshare_settings *settings = maui_fairshare_settings_of(windows);
	struct maui_fairshare *found =
		maui_fairshare_new(settings, maui_fairshare_start(windows, 0));
	uint32_t loaded = 0;
	bool good = true;

	for (uint32_t k = 0; good && k < settings->depth; k++) {
		int64_t start = maui_fairshare_start(windows, k);
		struct maui_fairshare_file file;
		enum state_answer answer = STATE_ABSENT;

		if (!fairshare_known_has(known, start))
			answer = fairshare_file_load(directory, found, k, start, &file);
		loaded |= (uint32_t)(answer == STATE_READ) << k;
		good = answer != STATE_NOT_NOW;
	}
	engine_lock();
	for (uint32_t k = 0; good && k < settings->depth; k++)
		if (loaded & UINT32_C(1) << k)
			fairshare_window_add(found, windows, k);
	engine_unlock();
	maui_fairshare_free(found);
	return good;
}

/* ---- writing ---- */

struct namer {
	const struct maui_frozen_names *names;
	struct maui_arena *texts; /* of those that are not written as their names */
};

static const char *name_of(void *context, enum maui_credential type, uint32_t id)
{
	const struct namer *namer = context;
	char text[MAUI_PRINCIPAL_TEXT_SIZE];
	const char *written;

	if (id > namer->names->count[type])
		return NULL;
	written = maui_frozen_names_written(namer->names, type, id, text);
	return written == text ? maui_arena_text(namer->texts, text, strlen(text)) : written;
}

static void say_skipped(size_t skipped)
{
	static size_t said; /* engine's thread only */

	if (skipped > said)
		error("maui: fairshare: %zu credentials have names that a fairshare file cannot "
		      "hold (blanks, '#', control characters): their usage is forgotten at a "
		      "restart",
		      skipped);
	said = skipped;
}

static int save_window(const char *directory, struct maui_fairshare *windows, uint32_t k,
		       const struct fairshare_counted *counted, struct namer *namer,
		       struct maui_error *error)
{
	time_t start = (time_t)maui_fairshare_start(windows, k);
	char date[MAUI_FS_DATE_SIZE], name[32];
	struct maui_fairshare_output output = {.counted = counted->until,
					       .clock = counted->clock,
					       .name = name_of,
					       .context = namer};
	char metric[MAUI_FS_METRIC_SIZE];
	struct tm local = {0};
	size_t size, skipped;
	char *text;
	int rc;

	localtime_r(&start, &local);
	output.starting = maui_fairshare_file_date(&local, date);
	output.metric = maui_fairshare_metric_name(maui_fairshare_settings_of(windows), metric);
	rc = maui_fairshare_file_write(windows, k, &output, &text, &size, &skipped);
	if (rc)
		return maui_error_set(error, -rc, "%s", strerror(-rc));
	say_skipped(skipped);
	snprintf(name, sizeof(name), "FS.%" PRId64, (int64_t)start);
	rc = statefile_replace(directory, name, text, size, error);
	free(text);
	return rc;
}

int fairshare_files_save(const char *directory, struct maui_fairshare *windows, uint32_t mask,
			 const struct fairshare_counted *counted,
			 const struct maui_frozen_names *names, struct maui_error *error)
{
	struct namer namer = {.names = names, .texts = maui_arena_new()};
	uint32_t depth = maui_fairshare_settings_of(windows)->depth;
	int rc = 0;

	for (uint32_t k = depth; k-- && !rc;) {
		if (!(mask & UINT32_C(1) << k))
			continue;
		rc = save_window(directory, windows, k, counted, &namer, error);
		rc = rc == -ENOTSUP ? 0 : rc; /* kept, as was said when it was read */
		if (!rc) {
			engine_lock();
			maui_fairshare_clean(windows, k);
			engine_unlock();
		}
	}
	maui_arena_free(namer.texts);
	return rc;
}

uint32_t fairshare_files_missing(const char *directory, const struct maui_fairshare *windows)
{
	uint32_t depth = maui_fairshare_settings_of(windows)->depth, missing = 0;

	for (uint32_t k = 0; k < depth; k++) {
		char *path = maui_asprintf("%s/FS.%" PRId64, directory,
					   maui_fairshare_start(windows, k));

		if (access(path, F_OK) && errno == ENOENT)
			missing |= UINT32_C(1) << k;
		free(path);
	}
	return missing;
}

static int copy_window(const char *directory, const char *mirror, int64_t start,
		       struct maui_error *error)
{
	char name[32], *path, *text = NULL;
	size_t size = 0;
	int rc = -EIO;

	snprintf(name, sizeof(name), "FS.%" PRId64, start);
	path = maui_asprintf("%s/%s", directory, name);
	if (statefile_read(path, FAIRSHARE_FILE_MAX_SIZE, &text, &size, error) == STATE_READ)
		rc = statefile_replace(mirror, name, text, size, error);
	free(text);
	free(path);
	return rc;
}

int fairshare_files_copy(const char *directory, const char *mirror,
			 const struct maui_fairshare *windows, uint32_t mask,
			 struct maui_error *error)
{
	uint32_t depth = maui_fairshare_settings_of(windows)->depth;
	int rc = 0;

	for (uint32_t k = depth; k-- && !rc;) {
		if (mask & UINT32_C(1) << k)
			rc = copy_window(directory, mirror, maui_fairshare_start(windows, k),
					 error);
		rc = rc == -ENOTSUP ? 0 : rc; /* the copy's own */
	}
	return rc;
}
