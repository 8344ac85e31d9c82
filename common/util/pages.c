/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Maps new arrays of 1 MB or more at a multiple of 2 MB, calls
 * madvise(MADV_HUGEPAGE) for arrays of 2 MB or more, and writes one byte to
 * each page of a new array.
 */
#include "common/util/pages.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "common/util/memory.h"

/* As on x86_64; elsewhere it is only the size from which on it is worth asking. */
#define LARGE_PAGE ((size_t)2 << 20)

static atomic_size_t pages_mapped;

/* What is mapped for an array; 0: it is malloc's, as one is that there cannot be. */
static size_t pages_of(size_t count, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(count, size, &bytes) || bytes < LARGE_PAGE / 2 ||
	    bytes > SIZE_MAX - 2 * LARGE_PAGE)
		return 0;
	return (bytes + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE;
}

/* The kernel gives any address, so map a large page more, and give back what is before and behind. */
static void *pages_map(size_t mapped)
{
	char *all = mmap(NULL, mapped + LARGE_PAGE, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	size_t before;

	if (all == MAP_FAILED)
		maui_memory_short(mapped);
	before = (LARGE_PAGE - (uintptr_t)all % LARGE_PAGE) % LARGE_PAGE;
	if (before)
		(void)munmap(all, before);
	(void)munmap(all + before + mapped, LARGE_PAGE - before);
	return all + before;
}

void *maui_pages_new(size_t count, size_t size)
{
	size_t mapped = pages_of(count, size);
	void *array;

	if (!mapped)
		return maui_calloc(count, size);
	array = pages_map(mapped);
	maui_pages_large(array, mapped);
	atomic_fetch_add(&pages_mapped, mapped);
	return array;
}

void maui_pages_free(void *array, size_t count, size_t size)
{
	size_t mapped = array ? pages_of(count, size) : 0;

	if (!mapped) {
		free(array);
		return;
	}
	(void)munmap(array, mapped);
	atomic_fetch_sub(&pages_mapped, mapped);
}

size_t maui_pages_mapped(void)
{
	return atomic_load(&pages_mapped);
}

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
