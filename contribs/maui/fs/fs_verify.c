/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * maui fs verify: whether the files of a directory are sound, and what in them may surprise. Each
 * file is judged by itself: what the engine would do with it depends on maui.cfg, which is not
 * read.
 */
#include "contribs/maui/fs/fs.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contribs/maui/fs/fs_directory.h"
#include "contribs/maui/fs/fs_problems.h"
#include "contribs/maui/fs/fs_unknown.h"
#include "contribs/maui/fs/fs_usage.h"
#include "common/report/json.h"
#include "contribs/maui/lib/output.h"
#include "contribs/maui/lib/text.h"

struct verification {
	const struct cli *cli;
	struct fs_directory directory;
	struct fs_problems problems;
	struct fs_unknown unknown;
	struct json_object *files;
	int64_t duration;                 /* the first one that a file gives; 0: none yet */
	bool mixed;                       /* others have been reported */
	char metric[MAUI_FS_METRIC_SIZE]; /* likewise */
	bool mixed_metrics;
};

static const char *dialect_name(enum maui_fs_dialect dialect)
{
	switch (dialect) {
	case MAUI_FS_MANUAL:
		return "manual";
	case MAUI_FS_ORIGINAL:
		return "original";
	default:
		return "none";
	}
}

/* ---- one file ------------------------------------------------------------------------------ */

/* What a file has to say, for both outputs. */
struct row {
	int64_t start;
	const char *state; /* "sound", "later", "damaged", "unreadable" */
	struct maui_fairshare_file file;
	double total;
};

static double sum_of_users(const struct fs_usage *usage)
{
	double sum = 0;

	for (uint32_t id = 1; id <= maui_intern_count(usage->names[MAUI_USER]); id++)
		sum += maui_fairshare_usage(usage->windows, MAUI_USER, id, 0);
	return sum;
}

static void warn_of_times(struct verification *verification, const struct row *row)
{
	struct fs_problems *problems = &verification->problems;
	const char *path = verification->directory.path;
	int64_t duration = row->file.duration;

	if (!duration) {
		fs_warning(problems, path, row->start, "it does not say how long its window is");
		return;
	}
	if (row->start % duration)
		fs_warning(problems, path, row->start,
			   "its name is not a multiple of its duration, %" PRId64
			   " seconds: Maui does not look for it",
			   duration);
	if (!verification->duration)
		verification->duration = duration;
	if (duration != verification->duration && !verification->mixed) {
		fs_warning(problems, path, row->start,
			   "its window has %" PRId64 " seconds, where older ones have %" PRId64
			   ": FSINTERVAL can be only one of them",
			   duration, verification->duration);
		verification->mixed = true;
	}
}

static void warn_of_metric(struct verification *verification, const struct row *row)
{
	const char *metric = row->file.metric;

	if (!*verification->metric)
		memcpy(verification->metric, metric, sizeof(verification->metric));
	if (!*metric || verification->mixed_metrics || !strcmp(metric, verification->metric))
		return;
	fs_warning(&verification->problems, verification->directory.path, row->start,
		   "it counts %s, where older ones count %s: FSPOLICY can be only one of them",
		   metric, verification->metric);
	verification->mixed_metrics = true;
}

static void warn_of_amounts(struct verification *verification, const struct row *row,
			    const struct fs_usage *usage)
{
	double users = sum_of_users(usage);
	/* Each of the numbers is rounded to three decimals. */
	double slack = 0.001 * (double)(row->file.entries + 1) + users * 1e-9;

	if (users > row->total + slack)
		fs_warning(&verification->problems, verification->directory.path, row->start,
			   "the users have used %.3f together, more than the total of %.3f", users,
			   row->total);
	if (row->file.unknown)
		fs_warning(&verification->problems, verification->directory.path, row->start,
			   "%zu line%s of an unknown type", row->file.unknown,
			   row->file.unknown == 1 ? "" : "s");
}

static void verify_file(struct verification *verification, struct row *row)
{
	/* One window that begins at exactly this second. */
	const struct maui_fairshare_settings settings = {
		.metric = MAUI_FS_DEDICATEDPS, .interval = 1, .depth = 1, .decay = 1};
	struct maui_error error;
	struct fs_usage usage;
	int rc;

	fs_usage_new(&settings, row->start, &usage);
	rc = fs_usage_load(&usage, verification->directory.path, row->start, 0, &row->file, &error);
	if (rc) {
		row->state = fs_usage_fault(rc);
		fs_problem(&verification->problems, verification->directory.path, row->start,
			   error.text);
	} else {
		row->total = maui_fairshare_usage(usage.windows, MAUI_FS_TOTAL, 0, 0);
		warn_of_times(verification, row);
		warn_of_metric(verification, row);
		warn_of_amounts(verification, row, &usage);
		fs_unknown_add(&verification->unknown, &usage);
	}
	fs_usage_clear(&usage);
}

/* ---- output -------------------------------------------------------------------------------- */

static void print_row(const struct row *row, bool sound)
{
	char name[FS_NAME_SIZE], start[TEXT_DATE_SIZE], duration[24] = "-";

	fs_file_name(row->start, name);
	if (row->file.duration)
		snprintf(duration, sizeof(duration), "%" PRId64, row->file.duration);
	printf("%-16s %-19s ", name, text_date(row->start, "?", start));
	if (sound)
		printf("%-8s %8s %7zu %18.3f", dialect_name(row->file.dialect), duration,
		       row->file.entries, row->total);
	else
		printf("%-8s %8s %7s %18s", "-", "-", "-", "-");
	printf("  %s\n", row->state);
}

static void add_row(struct verification *verification, const struct row *row, bool sound)
{
	const struct maui_fairshare_file *file = &row->file;
	struct json_object *object = json_make_object();
	char name[FS_NAME_SIZE];

	fs_file_name(row->start, name);
	json_append(verification->files, object);
	json_set_text(object, "name", name);
	json_set_number(object, "start", row->start);
	json_set_text(object, "state", row->state);
	if (!sound)
		return;
	json_set_text(object, "dialect", dialect_name(file->dialect));
	json_set(object, "duration", file->duration ? json_make_number(file->duration) : NULL);
	json_set(object, "counted",
		 file->counted != MAUI_FS_NOT_SAID ? json_make_number(file->counted) : NULL);
	json_set_text(object, "metric", *file->metric ? file->metric : NULL);
	json_set_number(object, "entries", (int64_t)file->entries);
	json_set_decimal(object, "total", row->total);
}

static void print_data(const struct verification *verification)
{
	struct json_object *data = json_make_object(), *others = json_make_array();
	const struct findings *findings = &verification->problems.findings;

	for (size_t i = 0; i < verification->directory.other_count; i++)
		json_append_text(others, verification->directory.others[i]);
	json_set_text(data, "directory", verification->directory.path);
	json_set_number(data, "errors", findings->errors);
	json_set_number(data, "warnings", findings->warnings);
	json_set(data, "files", json_object_get(verification->files));
	json_set(data, "problems", findings_json(findings));
	json_set(data, "passed_over", others);
	print_json("maui.fs-verify/1", data);
	json_object_put(data);
}

/* ---- the directory ------------------------------------------------------------------------- */

static void verify_files(struct verification *verification)
{
	if (!verification->cli->json)
		printf("%-16s %-19s %-8s %8s %7s %18s  %s\n", "File", "Start", "Dialect",
		       "Duration", "Entries", "Total", "State");
	for (size_t i = 0; i < verification->directory.count; i++) {
		struct row row = {.start = verification->directory.starts[i], .state = "sound"};
		bool sound;

		verify_file(verification, &row);
		sound = !strcmp(row.state, "sound");
		if (verification->cli->json) {
			add_row(verification, &row, sound);
			continue;
		}
		print_row(&row, sound);
		fs_problems_print(&verification->problems);
	}
}

static int fs_verify_conclude(struct verification *verification, bool verbose)
{
	const char *path = verification->directory.path;

	if (!verification->directory.count)
		fs_problem(&verification->problems, path, -1, "it has no FS.<time> file");
	fs_unknown_warn(&verification->unknown, &verification->problems, path, verbose);
	if (verification->cli->json) {
		print_data(verification);
	} else {
		fs_problems_print(&verification->problems);
		fs_directory_note_others(&verification->directory, verbose);
	}
	return fs_problems_code(&verification->problems);
}

static int fs_verify_directory(const struct cli *cli, const char *path, bool verbose)
{
	struct verification verification = {.cli = cli};
	struct maui_error error;
	int code;

	if (fs_directory_read(path, &verification.directory, &error))
		return fail(EXIT_ERRORS, "%s", error.text);
	verification.files = json_make_array();
	fs_problems_begin(&verification.problems);
	fs_unknown_begin(&verification.unknown);
	if (verification.directory.count)
		verify_files(&verification);
	code = fs_verify_conclude(&verification, verbose);
	fs_unknown_clear(&verification.unknown);
	fs_problems_clear(&verification.problems);
	fs_directory_clear(&verification.directory);
	json_object_put(verification.files);
	return code;
}

int run_fs_verify(struct cli *cli, int argc, char **argv)
{
	bool verbose = false;
	int option = verbose_option(cli, argc, argv, &verbose);

	if (option != OPTIONS_END)
		return option == OPTIONS_DONE ? EXIT_OK : EXIT_ERRORS;
	if (argc - optind != 1)
		return fail_usage(cli, "fs verify: which directory?");
	return fs_verify_directory(cli, argv[optind], verbose);
}
