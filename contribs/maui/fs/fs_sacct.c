/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the output of `sacct -P` with the parser of maui replay, and charges
 * each job that ran to the windows of its credentials.
 */
#include "contribs/maui/fs/fs_sacct.h"

#include <stdlib.h>

#include "common/replay/readers/sacct.h"
#include "common/util/files/file.h"
#include "contribs/maui/lib/command.h"
#include "contribs/maui/lib/output.h"

#define FILE_LIMIT ((size_t)1 << 30)

static void complain_of_line(void *context, uint32_t line, uint32_t column, const char *text)
{
	complain("%s:%u:%u: %s", (const char *)context, line, column, text);
}

static bool has_run(const struct maui_replay_job *job)
{
	return job->started != MAUI_REPLAY_UNKNOWN;
}

/* A list with running jobs was made in the last second that one of them used. */
static int64_t last_second(const struct maui_replay_trace *trace)
{
	int64_t last = INT64_MIN;

	for (size_t i = 0; i < trace->count; i++) {
		const struct maui_replay_job *job = &trace->jobs[i];

		if (has_run(job) && job->started + job->recorded > last)
			last = job->started + job->recorded;
	}
	return last;
}

static void fs_sacct_charge(struct fs_usage *usage, const struct maui_replay_trace *trace,
			    const struct maui_replay_job *job)
{
	uint32_t ids[MAUI_CREDENTIALS] = {0};

	for (int type = 0; type < MAUI_CREDENTIALS; type++) {
		if (!job->credential[type])
			continue;
		ids[type] = fs_usage_id(
			usage, type, maui_intern_name(trace->names[type], job->credential[type]));
	}
	maui_fairshare_charge(usage->windows, ids, job->procs, job->started,
			      job->started + job->recorded);
}

static int fs_sacct_take(const char *path, const struct maui_replay_trace *trace,
			 const struct maui_fairshare_settings *settings, struct fs_sacct *ret_sacct)
{
	struct fs_sacct sacct = {.until = last_second(trace), .bad_lines = trace->bad_lines};

	if (sacct.until == INT64_MIN)
		return fail(EXIT_ERRORS, "%s: no job in it has run", path);
	fs_usage_new(settings, sacct.until, &sacct.usage);
	for (size_t i = 0; i < trace->count; i++) {
		if (!has_run(&trace->jobs[i]))
			continue;
		sacct.jobs++;
		fs_sacct_charge(&sacct.usage, trace, &trace->jobs[i]);
	}
	*ret_sacct = sacct;
	return EXIT_OK;
}

int fs_sacct_read(const char *path, const struct maui_fairshare_settings *settings,
		  struct fs_sacct *ret_sacct)
{
	const struct maui_replay_complaints complaints = {complain_of_line, (void *)path};
	struct maui_replay_trace *trace;
	struct maui_error error;
	char *text = NULL;
	size_t size = 0;
	int code;

	if (maui_file_read(path, FILE_LIMIT, NULL, &text, &size, NULL, &error))
		return fail(EXIT_ERRORS, "%s", error.text);
	trace = maui_replay_trace_new();
	code = maui_replay_sacct_read(trace, text, size, &complaints)
		       ? EXIT_ERRORS
		       : fs_sacct_take(path, trace, settings, ret_sacct);
	maui_replay_trace_free(trace);
	free(text);
	return code;
}

void fs_sacct_clear(struct fs_sacct *sacct)
{
	fs_usage_clear(&sacct->usage);
}
