/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Texts that commands make: malloc'ed, and the caller's.
 */
#ifndef MAUI_TEXT_H
#define MAUI_TEXT_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

char *text_printf(const char *format, ...) __attribute__((format(printf, 1, 2)));
char *text_vprintf(const char *format, va_list arguments) __attribute__((format(printf, 1, 0)));
char *text_copy(const char *text);

#define TEXT_DATE_SIZE 32
/*
 * "2026-11-22T05:10:00", the local time of seconds since 1970; otherwise: what to say if the
 * calendar does not reach that far. Returns text.
 */
const char *text_date(int64_t seconds, const char *otherwise, char text[TEXT_DATE_SIZE]);

/* Bytes of the printable character here; 0: there is none (common/util/text.h). */
size_t text_character(const char *text);

#endif
