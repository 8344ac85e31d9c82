/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Users and groups in files: a name, or the number of one that has no name. Digits alone are the
 * number. A name that could be taken for one stands in quotation marks, "1001", and so does a name
 * that begins with a quotation mark. D-FS-15.
 */
#ifndef MAUI_UTIL_PRINCIPAL_TEXT_H
#define MAUI_UTIL_PRINCIPAL_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Of a name of 1023 bytes in quotation marks, or of a number; NUL included. */
#define MAUI_PRINCIPAL_TEXT_SIZE 1026

/* Whether a text is a uid or gid: digits alone, less than 4294967295. */
bool maui_principal_number(const char *text, uint32_t *ret_number);

/*
 * The text of a user or group of this number in a file. name NULL: the number; else number may be
 * UINT32_MAX, which is none. Returns name, or text. A name that needs quotation marks and does not
 * fit is returned as it is: no file holds it.
 */
const char *maui_principal_text(const char *name, uint32_t number,
				char text[MAUI_PRINCIPAL_TEXT_SIZE]);

/* The name in quotation marks of such a text, *ret_size bytes; NULL: the text has none, and is a
 * number or the name itself. */
const char *maui_principal_quoted(const char *text, size_t *ret_size);

#endif
