/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Arrays of megabytes that come and go: most of what a new one costs is the kernel's work for each
 * page of it. Advice only: a kernel that does not take it changes nothing but the time.
 */
#ifndef MAUI_UTIL_PAGES_H
#define MAUI_UTIL_PAGES_H

#include <stddef.h>

/* The array is walked from end to end: it may have large pages. NULL and small ones are fine. */
void maui_pages_large(void *array, size_t bytes);

/* Have the kernel provide the pages of a new array now, rather than under somebody's lock. What is
 * in it is lost. */
void maui_pages_take(void *array, size_t bytes);

#endif
