/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contribs/maui/replay/replay_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "common/util/grow.h"
#include "common/util/memory.h"
#include "contribs/maui/lib/command.h"

#define MAX_SAID 20 /* bad lines */
#define PIECE    (1u << 20)
#define MAX_SIZE ((size_t)1 << 32)

static int fail_read(const char *path, gzFile file)
{
	int code;
	const char *why = gzerror(file, &code);

	return fail(EXIT_ERRORS, "%s: cannot be read: %s", path,
		    code == Z_ERRNO ? strerror(errno) : why);
}

static int read_all(const char *path, gzFile file, struct replay_file *text)
{
	size_t room = 0;

	for (;;) {
		int count;

		text->bytes = maui_grow(text->bytes, text->size + PIECE, &room, 1);
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
int replay_file_read(const char *path, struct replay_inputs *inputs, struct replay_file *text)
{
	int descriptor = strcmp(path, "-") ? open(path, O_RDONLY | O_CLOEXEC) : dup(STDIN_FILENO);
	gzFile file;
	int code;

	*text = (struct replay_file){.path = path};
	if (descriptor < 0)
		return fail(EXIT_ERRORS, "%s: cannot be read: %s", path, strerror(errno));
	file = gzdopen(descriptor, "rb");
	if (!file)
		maui_memory_short(0);
	code = read_all(path, file, text);
	if (gzclose_r(file) != Z_OK && code == EXIT_OK)
		code = fail(EXIT_ERRORS, "%s: ends in the middle of what gzip has compressed",
			    path);
	if (code == EXIT_OK)
		inputs_add(inputs, path, text->bytes, text->size);
	return code;
}

void replay_file_bad_line(void *context, uint32_t line, uint32_t column, const char *text)
{
	struct replay_file *file = context;

	if (file->said++ < MAX_SAID)
		complain("%s:%u:%u: %s", file->path, line, column, text);
	else if (file->said == MAX_SAID + 1)
		complain("%s: more such lines follow; all are left out", file->path);
}
