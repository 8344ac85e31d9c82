/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contribs/maui/replay/trace_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "common/replay/sacct.h"
#include "common/replay/swf.h"
#include "common/util/grow.h"
#include "contribs/maui/lib/command.h"

#define MAX_SAID 20 /* bad lines */
#define PIECE    (1u << 20)
#define MAX_SIZE ((size_t)1 << 32)

struct text {
	char *bytes;
	size_t size, room;
};

/* ---- the bytes ---- */

static int fail_read(const char *path, gzFile file)
{
	int code;
	const char *why = gzerror(file, &code);

	return fail(EXIT_ERRORS, "%s: cannot be read: %s", path,
		    code == Z_ERRNO ? strerror(errno) : why);
}

static int read_all(const char *path, gzFile file, struct text *text)
{
	for (;;) {
		char *grown = maui_grow(text->bytes, text->size + PIECE, &text->room, 1);
		int count;

		if (!grown)
			return fail_memory();
		text->bytes = grown;
		count = gzread(file, text->bytes + text->size, PIECE);
		if (count < 0)
			return fail_read(path, file);
		if (!count)
			return EXIT_OK;
		text->size += (size_t)count;
		if (text->size > MAX_SIZE)
			return fail(EXIT_ERRORS, "%s: more than 4 GB", path);
	}
}

/* gzread() gives what is not compressed as it is. */
static int read_text(const char *path, struct text *text)
{
	int descriptor = strcmp(path, "-") ? open(path, O_RDONLY | O_CLOEXEC) : dup(STDIN_FILENO);
	gzFile file;
	int code;

	if (descriptor < 0)
		return fail(EXIT_ERRORS, "%s: cannot be read: %s", path, strerror(errno));
	file = gzdopen(descriptor, "rb");
	if (!file) {
		close(descriptor);
		return fail_memory();
	}
	code = read_all(path, file, text);
	if (gzclose_r(file) != Z_OK && code == EXIT_OK)
		code = fail(EXIT_ERRORS, "%s: ends in the middle of what gzip has compressed",
			    path);
	return code;
}

/* ---- the jobs ---- */

struct reading {
	const char *path;
	unsigned int said;
};

static void bad_line(void *context, uint32_t line, uint32_t column, const char *text)
{
	struct reading *reading = context;

	if (reading->said++ < MAX_SAID)
		complain("%s:%u:%u: %s", reading->path, line, column, text);
	else if (reading->said == MAX_SAID + 1)
		complain("%s: more such lines follow; all are left out", reading->path);
}

static int finish(const char *path, uint32_t procs, struct maui_replay_trace *trace)
{
	if (procs)
		trace->procs = procs;
	if (!trace->procs)
		return fail(EXIT_ERRORS,
			    "%s does not say how many processors there are: --processors=N", path);
	if (maui_replay_trace_finish(trace, trace->procs))
		return fail_memory();
	if (!trace->count)
		return fail(EXIT_ERRORS, "%s: there is no job that could be replayed", path);
	return EXIT_OK;
}

static int parse(const char *path, const struct text *text, uint32_t procs,
		 struct maui_replay_trace *trace)
{
	struct reading reading = {.path = path};
	struct maui_replay_complaints complaints = {bad_line, &reading};
	int rc;

	if (!trace)
		return fail_memory();
	if (maui_replay_sacct_looks(text->bytes, text->size))
		rc = maui_replay_sacct_read(trace, text->bytes, text->size, &complaints);
	else
		rc = maui_replay_swf_read(trace, text->bytes, text->size, &complaints);
	if (rc == -EINVAL)
		return EXIT_ERRORS;
	return rc ? fail_memory() : finish(path, procs, trace);
}

int trace_file_read(const char *path, uint32_t procs, struct maui_replay_trace **ret_trace)
{
	struct maui_replay_trace *trace = NULL;
	struct text text = {0};
	int code = read_text(path, &text);

	if (code == EXIT_OK) {
		trace = maui_replay_trace_new();
		code = parse(path, &text, procs, trace);
	}
	free(text.bytes);
	if (code == EXIT_OK)
		*ret_trace = trace;
	else
		maui_replay_trace_free(trace);
	return code;
}
