/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/compat/base.h"

#include "plugins/engine/fairshare/fairshare_files.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/util/arena.h"
#include "common/util/file.h"
#include "common/util/grow.h"
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
	struct line *grown = maui_grow(lines->line, lines->count + 1, &lines->room, sizeof(*grown));

	if (!grown)
		return -ENOMEM;
	lines->line = grown;
	if (!copy)
		return -ENOMEM;
	lines->line[lines->count++] = (struct line){type, copy, usage};
	return 0;
}

/* The mutex is held. */
ENGINE_LOCKED static int adopt_lines(const struct lines *lines, struct maui_fairshare *windows,
				     uint32_t k)
{
	for (size_t i = 0; i < lines->count; i++) {
		const struct line *line = &lines->line[i];
		uint32_t id = 0;

		if (line->type != MAUI_FS_TOTAL) {
			id = maui_names_of_name(in_force.names, line->type, line->name);
			if (!id ||
			    maui_fairshare_reserve(windows, line->type,
						   maui_names_count(in_force.names, line->type)))
				return -ENOMEM;
		}
		maui_fairshare_set(windows, line->type, id, k, line->usage);
	}
	return 0;
}

static void set_aside(const char *path, const char *why)
{
	char *aside = NULL;

	if (engine_is_shadow()) {
		error("maui: fairshare: %s cannot be used (%s): of its window only what Slurm "
		      "still knows of counts",
		      path, why);
		return;
	}
	if (asprintf(&aside, "%s.damaged", path) < 0)
		return;
	error("maui: fairshare: %s cannot be used (%s) and is %s %s: of its window only what Slurm "
	      "still knows of counts",
	      path, why, rename(path, aside) ? "left in place, as it cannot be renamed to" : "now",
	      aside);
	free(aside);
}

static void keep(const char *path, const char *why)
{
	statekept_note(path, why);
	error("maui: fairshare: %s is kept as it is, and not read (%s): of its window only what "
	      "Slurm still knows of counts, and does not outlive a restart. Install that "
	      "Slurm-Maui again; or, to begin the window anew, remove the file while slurmctld is "
	      "down",
	      path, why);
}

/* -ENOENT, -ENOMEM and the like are not the file's fault. */
static int read_file(const char *path, struct lines *lines, struct maui_fairshare_file *ret_file)
{
	struct maui_error why = {""};
	char *text = NULL;
	size_t size = 0;
	int rc;

	statekept_note(path, NULL);
	rc = maui_file_read(path, FAIRSHARE_FILE_MAX_SIZE, NULL, &text, &size, NULL, &why);
	if (rc == -ENOENT)
		return rc;
	if (rc && rc != -EINVAL && rc != -EFBIG) {
		error("maui: fairshare: %s: its window counts as empty", why.text);
		return rc;
	}
	if (!rc)
		rc = maui_fairshare_file_read(text, size, keep_line, lines, ret_file, &why);
	free(text);
	if (rc == -ENOTSUP)
		keep(path, why.text);
	else if (rc == -EINVAL || rc == -EFBIG)
		set_aside(path, why.text);
	return rc;
}

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
	     ": of this one only what Slurm still knows of counts",
	     start, file->duration, interval);
	return false;
}

/*
 * Usage in one metric is never added to that in another, D-FS-13: a file of another one makes room
 * for that of this one, which may have been put by before. True: there is one to read now.
 */
static bool change_files(const char *path, const struct maui_fairshare_file *file,
			 const char *metric)
{
	int rc;

	if (*file->metric) {
		rc = statefile_put_by(path, file->metric);
		info("maui: fairshare: %s counts %s, and FSPOLICY is %s: %s %s.%s", path,
		     file->metric, metric,
		     !rc            ? "it is kept as"
		     : rc == -EROFS ? "it is left, and would be kept as"
				    : "it cannot be kept as",
		     path, file->metric);
		if (rc && rc != -EROFS)
			error("maui: fairshare: %s: %s", path, strerror(-rc));
		if (rc)
			return false;
	}
	return !statefile_take_up(path, metric);
}

/* As read_file(), of the metric that counts. */
static int read_counting(const char *path, const char *metric, struct lines *lines,
			 struct maui_fairshare_file *file)
{
	int rc = read_file(path, lines, file);
	bool other = !rc && *file->metric && strcmp(file->metric, metric) != 0;

	if (!other && rc != -ENOENT)
		return rc;
	if (!other)
		*file->metric = '\0';
	lines->count = 0;
	return change_files(path, file, metric) ? read_file(path, lines, file) : -ENOENT;
}

bool fairshare_file_load(const char *directory, struct maui_fairshare *windows, uint32_t k,
			 int64_t start, struct maui_fairshare_file *ret_file)
{
	struct lines lines = {.names = maui_arena_new()};
	struct maui_fairshare_file file = {.counted = MAUI_FS_NOT_SAID};
	char *path = NULL, metric[MAUI_FS_METRIC_SIZE];
	int rc = -ENOMEM;

	*ret_file = file;
	maui_fairshare_metric_name(maui_fairshare_settings_of(windows), metric);
	if (lines.names && asprintf(&path, "%s/FS.%" PRId64, directory, start) >= 0)
		rc = read_counting(path, metric, &lines, &file);
	if (!rc && !is_of_this_length(&file, windows, start))
		rc = -ENOENT;
	if (!rc) {
		engine_lock();
		rc = adopt_lines(&lines, windows, k);
		if (rc)
			maui_fairshare_clear(windows, k);
		else if (!*file.metric) /* of an earlier version: from now on it says */
			maui_fairshare_soil(windows, k);
		engine_unlock();
	}
	if (rc == -ENOMEM)
		error("maui: fairshare: out of memory: FS.%" PRId64 " is not read", start);
	if (!rc)
		*ret_file = file;
	maui_arena_free(lines.names);
	free(lines.line);
	free(path);
	return !rc;
}

bool fairshare_file_head(const char *directory, int64_t start, struct maui_fairshare_file *ret_file)
{
	struct maui_error why = {""};
	char *path = NULL, *text = NULL;
	size_t size = 0;
	int rc = -ENOMEM;

	if (asprintf(&path, "%s/FS.%" PRId64, directory, start) < 0)
		return false;
	rc = maui_file_read(path, FAIRSHARE_FILE_MAX_SIZE, NULL, &text, &size, NULL, &why);
	if (!rc)
		rc = maui_fairshare_file_read(text, size, NULL, NULL, ret_file, &why);
	free(text);
	free(path);
	return !rc;
}

ENGINE_LOCKED static bool make_room(struct maui_fairshare *windows)
{
	for (int type = 0; type < MAUI_CREDENTIALS; type++)
		if (maui_fairshare_reserve(windows, type, maui_names_count(in_force.names, type)))
			return false;
	return true;
}

ENGINE_LOCKED static void add_window(const struct maui_fairshare *found,
				     struct maui_fairshare *windows, uint32_t k)
{
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
	bool good;

	for (uint32_t k = 0; found && k < settings->depth; k++) {
		int64_t start = maui_fairshare_start(windows, k);
		struct maui_fairshare_file file;

		if (!fairshare_known_has(known, start) &&
		    fairshare_file_load(directory, found, k, start, &file))
			loaded |= UINT32_C(1) << k;
	}
	engine_lock();
	good = found && make_room(windows);
	for (uint32_t k = 0; good && k < settings->depth; k++)
		if (loaded & UINT32_C(1) << k)
			add_window(found, windows, k);
	engine_unlock();
	maui_fairshare_free(found);
	return good;
}

/* ---- writing ---- */

/* Users and groups whose names are unknown are written as numbers. */
struct namer {
	const struct maui_frozen_names *names;
	struct maui_arena *numbers;
};

static const char *name_of(void *context, enum maui_credential type, uint32_t id)
{
	const struct namer *namer = context;
	char number[16];

	if (id > namer->names->count[type])
		return NULL;
	if (namer->names->text[type][id])
		return namer->names->text[type][id];
	snprintf(number, sizeof(number), "%" PRIu32, namer->names->number[type][id]);
	return maui_arena_text(namer->numbers, number, strlen(number));
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
	struct namer namer = {.names = names, .numbers = maui_arena_new()};
	uint32_t depth = maui_fairshare_settings_of(windows)->depth;
	int rc = namer.numbers ? 0 : maui_error_set(error, ENOMEM, "out of memory");

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
	maui_arena_free(namer.numbers);
	return rc;
}

static int copy_window(const char *directory, const char *mirror, int64_t start,
		       struct maui_error *error)
{
	char name[32], *path = NULL, *text = NULL;
	size_t size = 0;
	int rc;

	snprintf(name, sizeof(name), "FS.%" PRId64, start);
	if (asprintf(&path, "%s/%s", directory, name) < 0)
		return maui_error_set(error, ENOMEM, "out of memory");
	rc = maui_file_read(path, FAIRSHARE_FILE_MAX_SIZE, NULL, &text, &size, NULL, error);
	if (!rc)
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
