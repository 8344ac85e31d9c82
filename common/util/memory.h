/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory that is always there: none of these functions returns NULL. If memory is short, or a size
 * overflows, the process ends, as slurmctld does in xmalloc(). What is returned is freed by free().
 * A size that comes from outside, of a file or a request, is bounded before it is asked for here.
 */
#ifndef MAUI_UTIL_MEMORY_H
#define MAUI_UTIL_MEMORY_H

#include <stdarg.h>
#include <stddef.h>
#include <stdnoreturn.h>

/* count elements of size bytes: zeroed, or not. A count or size of 0 gives one byte. */
void *maui_calloc(size_t count, size_t size);
void *maui_malloc(size_t count, size_t size);

/* The array, which may be NULL, now of count elements; new ones are not zeroed. */
void *maui_realloc(void *array, size_t count, size_t size);

/* The text, or at most size bytes of it, with a NUL. */
char *maui_strdup(const char *text);
char *maui_strndup(const char *text, size_t size);

/* The formatted text. A format that printf() refuses ends the process, too. */
__attribute__((format(printf, 1, 2))) char *maui_asprintf(const char *format, ...);
__attribute__((format(printf, 1, 0))) char *maui_vasprintf(const char *format, va_list values);

/*
 * What the functions above do when an allocation of so many bytes fails; SIZE_MAX: more than there
 * can be; 0: a library did not say. Calls the handler. If there is none, or it returns, writes the same to stderr and ends
 * with _exit(EXIT_FAILURE).
 */
noreturn void maui_memory_short(size_t bytes);

/* NULL: none. It may run in any thread, and must not allocate by these functions. */
void maui_memory_set_handler(void (*handler)(size_t bytes));

#endif
