/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A line to the engine, and a line back: bounded in time and size. */
#ifndef MAUI_TRANSPORT_H
#define MAUI_TRANSPORT_H

#include <stdbool.h>
#include <stddef.h>

#include "contribs/maui/service/engine_place.h"

#define REQUEST_LIMIT ((size_t)64 << 10)
#define ANSWER_LIMIT  ((size_t)256 << 20)

/*
 * Send line (with its newline) and wait for an answer. EXIT_OK: *ret_text is the answer without its
 * newline (the caller frees it). Else says what is wrong and returns an exit code.
 */
int transport_exchange(const struct engine *engine, const char *line, size_t size, char **ret_text,
		       size_t *ret_size);

/* Whether anything listens where the engine would; prints nothing. */
bool transport_listens(const struct engine *engine);

#endif
