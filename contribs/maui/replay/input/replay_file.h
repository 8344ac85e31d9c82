/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files that a replay reads: whole, and compressed or not (decompress.h). */
#ifndef MAUI_COMMAND_REPLAY_FILE_H
#define MAUI_COMMAND_REPLAY_FILE_H

#include <stddef.h>
#include <stdint.h>

#include "contribs/maui/replay/input/inputs.h"

struct replay_file {
	const char *path;
	char *bytes; /* malloc'ed; without a NUL behind them */
	size_t size;
	unsigned int said; /* bad lines */
};

/* "-" is standard input. Adds it to the inputs. EXIT_OK, or says why not; whoever asked frees the
 * bytes in any case. */
int replay_file_read(const char *path, struct replay_inputs *inputs, struct replay_file *ret_file);

/* Complains of a line of it (context), and after some of them no more: struct
 * maui_replay_complaints. */
void replay_file_bad_line(void *context, uint32_t line, uint32_t column, const char *text);

#endif
