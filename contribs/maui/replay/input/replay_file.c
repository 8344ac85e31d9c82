/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads a file or standard input of at most 4 GB, decompresses it, and
 * complains of its first 20 bad lines.
 */
#include "contribs/maui/replay/input/replay_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/util/grow.h"
#include "common/util/memory.h"
#include "contribs/maui/lib/command.h"
#include "contribs/maui/replay/input/decompress.h"

#define MAX_SAID 20 /* bad lines */
#define PIECE    (1u << 20)
#define MAX_SIZE ((size_t)1 << 32)

static int replay_file_read_all(const char *path, int descriptor, struct plain_text *text)
{
	size_t room = 0;
	ssize_t count;

	do {
		text->bytes = maui_grow(text->bytes, text->size + PIECE, &room, 1);
		count = read(descriptor, text->bytes + text->size, PIECE);
		if (count < 0 && errno != EINTR)
			return fail(EXIT_ERRORS, "%s: cannot be read: %s", path, strerror(errno));
		text->size += count > 0 ? (size_t)count : 0;
		if (text->size > MAX_SIZE)
			return fail(EXIT_ERRORS, "%s: more than 4 GB", path);
	} while (count != 0);
	return EXIT_OK;
}

static int read_compressed(const char *path, struct plain_text *text)
{
	struct plain_text packed = *text;
	const char *why = decompress(packed.bytes, packed.size, MAX_SIZE, text);

	free(packed.bytes);
	return why ? fail(EXIT_ERRORS, "%s: cannot be decompressed: %s", path, why) : EXIT_OK;
}

int replay_file_read(const char *path, struct replay_inputs *inputs, struct replay_file *file)
{
	int descriptor = strcmp(path, "-") ? open(path, O_RDONLY | O_CLOEXEC) : STDIN_FILENO;
	struct plain_text text = {0};
	int code;

	*file = (struct replay_file){.path = path};
	if (descriptor < 0)
		return fail(EXIT_ERRORS, "%s: cannot be read: %s", path, strerror(errno));
	code = replay_file_read_all(path, descriptor, &text);
	if (descriptor != STDIN_FILENO)
		(void)close(descriptor);
	if (code == EXIT_OK && is_compressed(text.bytes, text.size))
		code = read_compressed(path, &text);
	file->bytes = text.bytes;
	file->size = text.size;
	if (code == EXIT_OK)
		inputs_add(inputs, path, text.bytes, text.size);
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
