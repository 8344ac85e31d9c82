/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of nodes as one range expression: hostlist.h, the other way. */
#ifndef MAUI_UTIL_HOSTLIST_JOIN_H
#define MAUI_UTIL_HOSTLIST_JOIN_H

#include <stddef.h>

/*
 * The names, each once and sorted: n[01-03,7],login. Numbers at the end of a name join, others do
 * not. Names must not contain brackets or commas. The array is sorted. The result is malloc'ed, ""
 * without names; maui_hostlist_expand() has the same names.
 */
char *maui_hostlist_join(const char **names, size_t count);

#endif
