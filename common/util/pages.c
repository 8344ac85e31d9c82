/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Calls madvise(MADV_HUGEPAGE) for arrays of 2 MB or more, and writes one byte
 * to each page of a new array.
 */
#include "common/util/pages.h"

#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

/* As on x86_64; elsewhere it is only the size from which on it is worth asking. */
#define LARGE_PAGE ((size_t)2 << 20)

void maui_pages_large(void *array, size_t bytes)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE), before;

	if (!array || bytes < LARGE_PAGE)
		return;
	before = (page - (uintptr_t)array % page) % page;
	(void)madvise((char *)array + before, (bytes - before) / page * page, MADV_HUGEPAGE);
}

void maui_pages_take(void *array, size_t bytes)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	volatile char *byte = array;

	for (size_t i = 0; byte && i < bytes; i += page)
		byte[i] = 0;
}
