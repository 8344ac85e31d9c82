/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes a line for each priority while a replay computes it. */
#include "contribs/maui/replay/report/priorities_csv.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/memory.h"
#include "contribs/maui/lib/command.h"

struct priorities_csv {
	const char *path;
	const struct maui_replay_trace *trace;
	FILE *file;
};

int priorities_csv_open(const char *path, const struct maui_replay_trace *trace,
			struct priorities_csv **ret_csv)
{
	FILE *file = fopen(path, "we");
	struct priorities_csv *csv;

	if (!file)
		return fail(EXIT_ERRORS, "%s: cannot be written: %s", path, strerror(errno));
	fputs("time,job,priority\n", file);
	csv = maui_calloc(1, sizeof(*csv));
	*csv = (struct priorities_csv){path, trace, file};
	*ret_csv = csv;
	return EXIT_OK;
}

void priorities_csv_add(const void *context, int64_t time, uint32_t job, uint32_t priority)
{
	const struct priorities_csv *csv = context;
	char id[MAUI_REPLAY_ID_SIZE];

	fprintf(csv->file, "%" PRId64 ",%s,%u\n", time,
		maui_replay_job_id(&csv->trace->jobs[job], id), priority);
}

int priorities_csv_close(struct priorities_csv *csv)
{
	int code = EXIT_OK;

	if (ferror(csv->file) | fclose(csv->file))
		code = fail(EXIT_ERRORS, "%s: cannot be written: %s", csv->path, strerror(errno));
	free(csv);
	return code;
}
