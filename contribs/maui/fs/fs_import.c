/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * maui fs import: takes over a statistics directory of Maui's. Every window's file is rewritten in
 * our dialect, so that the engine finds nothing but what it would have written itself; only
 * "Counted until" is left out, since those windows do not include what Slurm's jobs used in them.
 * Windows of --sacct do include it, so they say until when.
 */
#include "contribs/maui/fs/fs.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "common/util/arena.h"
#include "contribs/maui/fs/fs_directory.h"
#include "contribs/maui/fs/fs_engine.h"
#include "contribs/maui/fs/fs_names.h"
#include "contribs/maui/fs/fs_problems.h"
#include "contribs/maui/fs/fs_sacct.h"
#include "contribs/maui/fs/fs_site.h"
#include "contribs/maui/fs/fs_store.h"
#include "contribs/maui/fs/fs_usage.h"
#include "common/report/json.h"
#include "contribs/maui/lib/output.h"

struct import {
	const struct cli *cli;
	const char *to; /* --to; NULL: the engine's STATDIR */
	bool force, dry_run, recent, from_sacct;
	struct fs_site site;
	struct fs_directory source;
	struct fs_store store;
	struct fs_problems problems;
	struct json_object *files;
	size_t imported, skipped, damaged;
	bool failed; /* nothing more can be written */
};

/* ---- what would not work ------------------------------------------------------------------- */

/* --recent: only what still counts. */
static bool is_wanted(const struct import *import, int64_t start)
{
	const struct maui_fairshare_settings *settings = &import->site.settings;
	int64_t current = maui_fairshare_window(settings->interval, (int64_t)time(NULL));

	return !import->recent || start > current - (int64_t)settings->depth * settings->interval;
}

static int fail_duration(const struct import *import, int64_t start, int64_t duration)
{
	return fail(EXIT_ERRORS,
		    "%s/FS.%" PRId64 " has a window of %" PRId64
		    " seconds, but FSINTERVAL is %" PRId64
		    ": nothing is imported. maui.cfg needs the line: FSINTERVAL %" PRId64
		    ":%02" PRId64 ":%02" PRId64,
		    import->source.path, start, duration, import->site.settings.interval,
		    duration / 3600, duration / 60 % 60, duration % 60);
}

/* All windows must be as long as the engine's, or it would not find them. */
static int check_durations(const struct import *import)
{
	for (size_t i = 0; i < import->source.count; i++) {
		int64_t start = import->source.starts[i];
		struct maui_fairshare_file file;

		if (!is_wanted(import, start) ||
		    fs_usage_load(NULL, import->source.path, start, 0, &file, NULL))
			continue;
		if (file.duration && file.duration != import->site.settings.interval)
			return fail_duration(import, start, file.duration);
	}
	return EXIT_OK;
}

/* ---- one file ------------------------------------------------------------------------------ */

static void fs_import_report(struct import *import, int64_t start, const char *action,
			     const char *why)
{
	struct json_object *object;
	char name[FS_NAME_SIZE];

	fs_file_name(start, name);
	if (!import->cli->json) {
		printf("%-16s %s%s%s\n", name, action, *why ? ": " : "", why);
		fs_problems_print(&import->problems);
		return;
	}
	object = json_make_object();
	json_set_text(object, "name", name);
	json_set_text(object, "action", action);
	json_set_text(object, "text", why);
	json_append(import->files, object);
}

static void fs_import_skip(struct import *import, int64_t start, const char *why)
{
	import->skipped++;
	fs_import_report(import, start, "skipped", why);
}

/* Skipped although it was wanted, which deserves a warning. */
static void fs_import_leave(struct import *import, int64_t start, const char *why)
{
	import->problems.findings.warnings++;
	fs_import_skip(import, start, why);
}

static void new_window(const struct import *import, int64_t start, struct fs_usage *ret_usage)
{
	const struct maui_fairshare_settings settings = {.metric = MAUI_FS_DEDICATEDPS,
							 .interval = import->site.settings.interval,
							 .depth = 1,
							 .decay = 1};

	fs_usage_new(&settings, start, ret_usage);
}

/* What is written as one file. */
struct window {
	struct fs_usage *usage;
	uint32_t k;         /* of usage->windows */
	const char *metric; /* "": it is not given */
	int64_t counted;    /* until when; MAUI_FS_NOT_SAID */
	bool foreign;       /* its names are Maui's or sacct's, and digits may be a name */
};

struct naming {
	const struct window *window;
	struct maui_arena *texts;
	size_t unanswered;
};

static const char *name_of(void *context, enum maui_credential type, uint32_t id)
{
	struct naming *naming = context;
	const char *name = maui_intern_name(naming->window->usage->names[type], id), *written;
	char text[MAUI_PRINCIPAL_TEXT_SIZE];

	if (!naming->window->foreign)
		return name;
	naming->unanswered += fs_name_text(type, name, text, &written) == NAME_NOT_ANSWERED;
	if (written == text)
		written = maui_arena_text(naming->texts, text, strlen(text));
	return written;
}

static void warn_of_names(struct import *import, int64_t start, size_t unnamed, size_t unanswered)
{
	if (unnamed)
		fs_warning(&import->problems, import->source.path, start,
			   "%zu names cannot be written and are left out", unnamed);
	if (unanswered)
		fs_warning(&import->problems, import->source.path, start,
			   "the name service does not answer for %zu names of digits: they are "
			   "taken as numbers",
			   unanswered);
}

/*
 * Nothing is lost by replacing the existing file: its window has no usage, as the engine writes
 * when it starts. Files that are not regular, damaged, or have unknown lines are kept.
 */
static bool is_dispensable(const struct import *import, int64_t start)
{
	char name[FS_NAME_SIZE];
	struct maui_fairshare_file file;
	struct fs_usage usage;
	struct stat status;
	bool empty;

	fs_file_name(start, name);
	if (import->store.fd < 0 || fstatat(import->store.fd, name, &status, AT_SYMLINK_NOFOLLOW) ||
	    !S_ISREG(status.st_mode))
		return false;
	new_window(import, start, &usage);
	/* At most one line, the total's. */
	empty = fs_usage_load(&usage, import->store.path, start, 0, &file, NULL) == 0 &&
		file.entries == file.has_total && !file.unknown &&
		maui_fairshare_usage(usage.windows, MAUI_FS_TOTAL, 0, 0) == 0;
	fs_usage_clear(&usage);
	return empty;
}

/* 0 or a negative errno. */
static int write_window(struct import *import, int64_t start, const struct window *window,
			bool replace, struct maui_error *error)
{
	char name[FS_NAME_SIZE], date[MAUI_FS_DATE_SIZE], *text;
	struct naming naming = {.window = window, .texts = maui_arena_new()};
	struct maui_fairshare_output output = {.metric = window->metric,
					       .counted = window->counted,
					       .name = name_of,
					       .context = &naming};
	time_t seconds = (time_t)start;
	struct tm local = {0};
	size_t size, unnamed;
	int rc;

	fs_file_name(start, name);
	localtime_r(&seconds, &local);
	output.starting = maui_fairshare_file_date(&local, date);
	rc = maui_fairshare_file_write(window->usage->windows, window->k, &output, &text, &size,
				       &unnamed);
	maui_arena_free(naming.texts);
	if (rc)
		return maui_error_set(error, -rc, "%s", strerror(-rc));
	warn_of_names(import, start, unnamed, naming.unanswered);
	if (!import->dry_run)
		rc = fs_store_put(&import->store, name, text, size, replace, error);
	else if (!replace && fs_store_has(&import->store, name))
		rc = -EEXIST;
	free(text);
	return rc;
}

static void put_window(struct import *import, int64_t start, const struct window *window)
{
	bool replace = import->force || is_dispensable(import, start);
	struct maui_error error;
	int rc;

	if (fs_usage_load(NULL, import->store.path, start, 0, NULL, &error) == -ENOTSUP) {
		fs_import_leave(import, start, error.text); /* even with --force */
		return;
	}
	rc = write_window(import, start, window, replace, &error);
	if (rc == -EEXIST) {
		fs_import_leave(import, start, "there is one already (--force replaces it)");
	} else if (rc) { /* the next one would fail, too */
		import->failed = true;
		complain("%s", error.text);
	} else {
		import->imported++;
		fs_import_report(import, start, import->dry_run ? "would be imported" : "imported",
				 "");
	}
}

static void import_file(struct import *import, int64_t start)
{
	char metric[MAUI_FS_METRIC_SIZE];
	struct maui_fairshare_file file;
	struct maui_error error;
	struct fs_usage usage;
	int rc;

	new_window(import, start, &usage);
	maui_fairshare_metric_name(&import->site.settings, metric);
	rc = fs_usage_load(&usage, import->source.path, start, 0, &file, &error);
	if (rc) {
		import->damaged++;
		fs_problem(&import->problems, import->source.path, start, error.text);
		fs_import_report(import, start, fs_usage_fault(rc), "");
	} else if (maui_fairshare_start(usage.windows, 0) != start) {
		fs_import_leave(import, start,
				"its name is not a multiple of FSINTERVAL: it would never count");
	} else if (*file.metric && strcmp(file.metric, metric) != 0) {
		fs_import_leave(import, start, "it counts by another FSPOLICY than maui.cfg's");
	} else {
		put_window(import, start,
			   &(struct window){&usage, 0, file.metric, MAUI_FS_NOT_SAID,
					    file.dialect != MAUI_FS_MANUAL});
	}
	fs_usage_clear(&usage);
}

/* ---- a list of sacct's --------------------------------------------------------------------- */

static bool is_empty(const struct fs_usage *usage, uint32_t k)
{
	return maui_fairshare_usage(usage->windows, MAUI_FS_TOTAL, 0, k) == 0;
}

/*
 * The engine goes on counting where its newest file ends. Beside windows of the list, one that it has
 * counted itself would have it count what they include once more: so it is replaced, or nothing is.
 */
static int check_counted(const struct import *import, const struct fs_sacct *sacct)
{
	struct maui_fairshare_file file;

	for (uint32_t k = 0; k < import->site.settings.depth && !import->force; k++) {
		int64_t start = maui_fairshare_start(sacct->usage.windows, k);

		if (is_empty(&sacct->usage, k) || is_dispensable(import, start) ||
		    fs_usage_load(NULL, import->store.path, start, 0, &file, NULL) ||
		    file.counted == MAUI_FS_NOT_SAID)
			continue;
		return fail(EXIT_ERRORS,
			    "%s/FS.%" PRId64 " has usage that was counted before: nothing is "
			    "imported. --force replaces the windows of the list",
			    import->store.path, start);
	}
	return EXIT_OK;
}

/* A window that the engine has counted, and in which nothing of the list ran: its usage stays, and
 * is known up to the same time as that of the others. */
static void count_until(struct import *import, int64_t start, int64_t until)
{
	struct maui_fairshare_file file;
	struct maui_error error;
	struct fs_usage usage;

	new_window(import, start, &usage);
	if (!fs_usage_load(&usage, import->store.path, start, 0, &file, &error) &&
	    file.counted != MAUI_FS_NOT_SAID && file.duration == import->site.settings.interval &&
	    write_window(
		    import, start,
		    &(struct window){&usage, 0, file.metric, until, file.dialect != MAUI_FS_MANUAL},
		    true, &error)) {
		import->failed = true;
		complain("%s", error.text);
	}
	fs_usage_clear(&usage);
}

/* The oldest first. */
static void import_sacct(struct import *import, struct fs_sacct *sacct)
{
	char metric[MAUI_FS_METRIC_SIZE];

	import->problems.findings.warnings += sacct->bad_lines;
	maui_fairshare_metric_name(&import->site.settings, metric);
	for (uint32_t k = import->site.settings.depth; k-- && !import->failed;) {
		int64_t start = maui_fairshare_start(sacct->usage.windows, k);

		if (is_empty(&sacct->usage, k))
			count_until(import, start, sacct->until);
		else if (is_wanted(import, start))
			put_window(import, start,
				   &(struct window){&sacct->usage, k, metric, sacct->until, true});
		else
			fs_import_skip(import, start, "it no longer counts (--recent)");
	}
}

/* ---- output -------------------------------------------------------------------------------- */

static void print_data(const struct import *import)
{
	struct json_object *data = json_make_object();

	json_set_text(data, "from", import->source.path);
	json_set_text(data, "to", import->store.path);
	json_set_flag(data, "dry_run", import->dry_run);
	json_set_number(data, "imported", (int64_t)import->imported);
	json_set_number(data, "skipped", (int64_t)import->skipped);
	json_set_number(data, "damaged", (int64_t)import->damaged);
	json_set(data, "files", json_object_get(import->files));
	json_set(data, "problems", findings_json(&import->problems.findings));
	print_json("maui.fs-import/1", data);
	json_object_put(data);
}

static int fs_import_conclude(const struct import *import)
{
	if (import->cli->json)
		print_data(import);
	else
		printf("%zu %s, %zu skipped, %zu damaged\n", import->imported,
		       import->dry_run ? "would be imported" : "imported", import->skipped,
		       import->damaged);
	if (import->failed)
		return EXIT_ERRORS;
	return import->damaged || import->problems.findings.warnings ? EXIT_WARNINGS : EXIT_OK;
}

/* ---- the directory ------------------------------------------------------------------------- */

static int prepare_store(struct import *import, const struct engine *engine)
{
	const char *parent = import->site.slurm.state_directory;
	struct maui_error error;

	if (geteuid() == 0 && engine->knows_slurm_uid)
		fs_store_own(&import->store, engine->slurm_uid);
	else if (geteuid() == 0 && !import->dry_run)
		note("SlurmUser is not known, so the files belong to root: --slurm-user names the "
		     "right one");
	/* The engine, too, makes it when it first starts. */
	if (!import->to && import->site.knows_slurm && !import->dry_run &&
	    !strncmp(import->store.path, parent, strlen(parent))) {
		struct fs_store own = import->store;

		own.path = parent;
		if (fs_store_open(&own, true, &error))
			return fail(EXIT_ERRORS, "%s", error.text);
		fs_store_close(&own);
	}
	if (fs_store_open(&import->store, !import->dry_run, &error))
		return fail(EXIT_ERRORS, "%s", error.text);
	return EXIT_OK;
}

/* Whether it may be done at all; nothing is written before. */
static int fs_import_prepare(struct import *import)
{
	struct engine engine;
	int code;

	import->store.path = import->to ? import->to : fs_site_directory(&import->site);
	if (!import->store.path)
		return fail(EXIT_ERRORS, "--to names the directory");
	if (!import->from_sacct && !import->source.count)
		return fail(EXIT_ERRORS, "%s: it has no FS.<time> file", import->source.path);
	code = check_durations(import);
	if (!code)
		code = fs_engine_find(import->cli, &import->site, &engine);
	if (!code && !import->dry_run)
		code = fs_engine_permits(&engine, &import->site, import->to);
	return code ? code : prepare_store(import, &engine);
}

static void import_files(struct import *import)
{
	for (size_t i = 0; i < import->source.count && !import->failed; i++) {
		int64_t start = import->source.starts[i];

		if (is_wanted(import, start))
			import_file(import, start);
		else
			fs_import_skip(import, start, "it no longer counts (--recent)");
	}
}

/* sacct: what to import, if not the files. */
static int fs_import_run(struct import *import, struct fs_sacct *sacct)
{
	int code = fs_import_prepare(import);

	if (!code && import->from_sacct)
		code = check_counted(import, sacct);
	if (code) {
		fs_store_close(&import->store);
		return code;
	}
	signal(SIGXFSZ, SIG_IGN); /* a file size limit is an error, not death by signal */
	if (import->from_sacct)
		import_sacct(import, sacct);
	else
		import_files(import);
	fs_store_close(&import->store);
	return fs_import_conclude(import);
}

/* sacct has the processors of a job, and no other metric. */
static int read_sacct(const struct import *import, struct fs_sacct *ret_sacct)
{
	struct maui_fairshare_settings settings = import->site.settings;
	char metric[MAUI_FS_METRIC_SIZE];

	if (settings.metric != MAUI_FS_DEDICATEDPS)
		return fail(EXIT_ERRORS,
			    "FSPOLICY of maui.cfg is %s: --sacct counts processors, as "
			    "DEDICATEDPS does",
			    maui_fairshare_metric_name(&settings, metric));
	settings.decay = 1;
	return fs_sacct_read(import->source.path, &settings, ret_sacct);
}

static int import_from(struct import *import, const char *path)
{
	struct fs_sacct sacct = {0};
	struct maui_error error;
	int code;

	if (!import->from_sacct && fs_directory_read(path, &import->source, &error))
		return fail(EXIT_ERRORS, "%s", error.text);
	import->source.path = path;
	code = fs_site_load(import->cli, true, &import->site);
	if (!code && import->from_sacct) {
		code = read_sacct(import, &sacct);
		if (code)
			fs_site_clear(&import->site);
	}
	if (!code) {
		import->files = json_make_array();
		fs_problems_begin(&import->problems);
		code = fs_import_run(import, &sacct);
		fs_problems_clear(&import->problems);
		json_object_put(import->files);
		fs_site_clear(&import->site);
		fs_sacct_clear(&sacct);
	}
	fs_directory_clear(&import->source);
	return code;
}

int run_fs_import(struct cli *cli, int argc, char **argv)
{
	static const struct option longs[] = {
		{"to", required_argument, NULL, 't'}, {"force", no_argument, NULL, 'f'},
		{"dry-run", no_argument, NULL, 'n'},  {"recent", no_argument, NULL, 'r'},
		{"sacct", no_argument, NULL, 's'},    {0}};
	struct import import = {.cli = cli, .store.fd = -1};
	int option;

	while ((option = next_option(cli, argc, argv, "", longs)) != OPTIONS_END) {
		if (option == 't')
			import.to = optarg;
		else if (option == 'f')
			import.force = true;
		else if (option == 'n')
			import.dry_run = true;
		else if (option == 'r')
			import.recent = true;
		else if (option == 's')
			import.from_sacct = true;
		else
			return option == OPTIONS_DONE ? EXIT_OK : EXIT_ERRORS;
	}
	if (argc - optind != 1)
		return fail_usage(cli, import.from_sacct ? "fs import --sacct: which file?"
							 : "fs import: which directory?");
	return import_from(&import, argv[optind]);
}
