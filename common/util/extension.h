/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Maui's resource-manager extension of a job, which users of other resource managers gave with -W:
 *
 *   --comment 'x=NALLOCPOLICY:FASTEST;PREF(FEATURE:FAST,FEATURE:TAPE)'
 *
 * "x=" begins the comment or follows a blank. Items are separated by ';' and are KEY:value,
 * KEY=value or KEY(value); a value in parentheses may contain blanks. Keys are read in any case.
 * Anything that is not an item is skipped: a comment belongs to the user and may say anything.
 */
#ifndef MAUI_UTIL_EXTENSION_H
#define MAUI_UTIL_EXTENSION_H

#include <stdbool.h>
#include <stddef.h>

/* A piece of the comment; nothing is copied. */
struct maui_piece {
	const char *text;
	size_t size;
};

/* The value of the first item with this key. comment may be NULL. */
bool maui_extension_find(const char *comment, const char *key, struct maui_piece *ret_value);

/* Whether two comments, each of which may be NULL, say the same for a key, or both nothing. */
bool maui_extension_same(const char *one, const char *other, const char *key);

/*
 * The features of a PREF, one at a time: FEATURE:name, or the bare name, separated by commas or
 * blanks. *rest is what is left, initially the whole value. False after the last.
 */
bool maui_extension_next_feature(struct maui_piece *rest, struct maui_piece *ret_name);

#endif
