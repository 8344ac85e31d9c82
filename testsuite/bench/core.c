/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "testsuite/bench/core.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

void bench_fail(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	fprintf(stderr, "%s: ", program_invocation_short_name);
	vfprintf(stderr, format, arguments);
	fputc('\n', stderr);
	va_end(arguments);
	exit(1);
}

void *bench_allocate(size_t count, size_t size)
{
	void *memory = calloc(count ? count : 1, size);

	if (!memory)
		bench_fail("out of memory");
	return memory;
}

/* xorshift64*. */
uint32_t bench_below(uint64_t *state, uint32_t limit)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return (uint32_t)((*state * UINT64_C(2685821657736338717) >> 32) * limit >> 32);
}

size_t bench_number(const char *text, size_t least, size_t most)
{
	char *end;
	unsigned long value = strtoul(text, &end, 10);

	if (*end || value < least || value > most)
		bench_fail("'%s' is no number from %zu to %zu", text, least, most);
	return value;
}

double bench_time(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

void bench_print(const char *kind, const double *figures, size_t count, size_t stride)
{
	printf(", \"%s\": [", kind);
	for (size_t i = 0; i < count; i++)
		printf("%s%.3f", i ? ", " : "", figures[i * stride]);
	printf("]");
}
