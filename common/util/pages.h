/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Arrays of megabytes that come and go: most of what a new one costs is the kernel's work for each
 * page of it, which on a virtual machine can be 20 us for 4 KB. Large pages make that a hundredth. A
 * kernel that has none changes nothing but the time.
 */
#ifndef MAUI_UTIL_PAGES_H
#define MAUI_UTIL_PAGES_H

#include <stddef.h>

/* As maui_calloc(), of whole large pages if it is large. Freed by maui_pages_free() with the same
 * count and size, which accepts NULL. */
void *maui_pages_new(size_t count, size_t size);
void maui_pages_free(void *array, size_t count, size_t size);

/* Bytes of all such arrays that are not malloc's. */
size_t maui_pages_mapped(void);

/* The array is walked from end to end: it may have large pages. NULL and small ones are fine. */
void maui_pages_large(void *array, size_t bytes);

/* Have the kernel provide the pages of a new array now, rather than under somebody's lock. What is
 * in it is lost. */
void maui_pages_take(void *array, size_t bytes);

#endif
