/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Range expressions of node names, as Slurm writes them: node[01-16,20], r[1-2]n[01-48],login.
 * Brackets hold numbers and ranges; several of them make all combinations, the last one varying
 * fastest. The leading zeros of a range's first number are kept: [08-11] is 08 09 10 11. Duplicates
 * are not detected.
 */
#ifndef MAUI_UTIL_HOSTLIST_H
#define MAUI_UTIL_HOSTLIST_H

#include <stdbool.h>
#include <stddef.h>

#include "common/util/error.h"

#define MAUI_HOSTLIST_LIMIT  65536u /* names of one expression */
#define MAUI_HOSTLIST_NAME   256u   /* bytes of a name with its NUL */
#define MAUI_HOSTLIST_GROUPS 8u     /* brackets in one name */
#define MAUI_HOSTLIST_RANGES 8192u  /* in the brackets of one name */

/* Whether a text is an expression rather than a single name: it has a bracket or a comma. */
bool maui_hostlist_is_range(const char *text);

/* Called with one name after another; a return value other than 0 stops the expansion. */
typedef int (*maui_hostlist_take)(void *context, const char *name);

/*
 * All names of an expression, in order. take may be NULL to check the expression only. The whole of
 * it is checked before the first name is passed on. 0; -EINVAL or -E2BIG with the reason and, in
 * *ret_column (may be NULL), the place in text, from 1; or what take returned. *ret_count
 * (may be NULL) is the number of names.
 */
int maui_hostlist_expand(const char *text, maui_hostlist_take take, void *context,
			 size_t *ret_count, size_t *ret_column, struct maui_error *error);

#endif
