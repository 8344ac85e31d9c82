/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads each FS.<start> of the --fairshare directory into the usage before the
 * trace, and refuses traces without dates (before 1971).
 */
#include "contribs/maui/replay/usage_option.h"

#include <stdlib.h>

#include "contribs/maui/fs/fs_directory.h"
#include "contribs/maui/lib/text.h"
#include "contribs/maui/replay/input/replay_file.h"

#define YEAR (INT64_C(365) * 86400)

static int add_file(struct replay_report *report, const char *directory, int64_t start)
{
	char name[FS_NAME_SIZE], *path;
	struct replay_file file;
	struct maui_error error;
	int code;

	fs_file_name(start, name);
	path = text_printf("%s/%s", directory, name);
	code = replay_file_read(path, report->inputs, &file);
	if (code == EXIT_OK &&
	    maui_replay_usage_add(&report->usage, start, file.bytes ? file.bytes : "", file.size,
				  &error))
		code = fail(EXIT_ERRORS, "%s: %s", path, error.text);
	free(file.bytes);
	free(path);
	return code;
}

int usage_take(struct replay_report *report, const char *directory)
{
	struct fs_directory files;
	struct maui_error error;
	int code = EXIT_OK;

	if (fs_directory_read(directory, &files, &error))
		return fail(EXIT_ERRORS, "%s", error.text);
	if (!files.count)
		code = fail(EXIT_ERRORS, "%s has no FS files", directory);
	for (size_t i = 0; code == EXIT_OK && i < files.count; i++)
		code = add_file(report, directory, files.starts[i]);
	fs_directory_clear(&files);
	return code;
}

/* A trace that does not say when it was counts from its own beginning. */
int usage_check(const struct replay_report *report)
{
	if (!report->usage.count || maui_replay_trace_begin(report->trace) >= YEAR)
		return EXIT_OK;
	return fail(EXIT_ERRORS, "%s has no dates: which windows were before it is not known",
		    report->path);
}
