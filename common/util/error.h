/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the core says when it cannot do what it was asked to.
 *
 * Core functions return 0, or a negative errno and a text in a struct maui_error: what failed,
 * where, and with what consequence. On failure the outputs (ret_...) are untouched. The core never
 * logs and never aborts; the caller decides what to do with the text. Every function accepts error
 * == NULL.
 */
#ifndef MAUI_UTIL_ERROR_H
#define MAUI_UTIL_ERROR_H

struct maui_error {
	char text[512]; /* one line, no newline at its end; always NUL-terminated */
};

/*
 * Store a text, truncated to fit. code is a positive errno; the return value is -code, so that a
 * function can fail in one statement: return maui_error_set(error, EINVAL, "...").
 */
int maui_error_set(struct maui_error *error, int code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif
