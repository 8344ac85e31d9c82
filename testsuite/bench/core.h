/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the benchmarks of the core share. Each is a program of its own, and ends with a message when
 * something is wrong. */
#ifndef MAUI_BENCH_CORE_H
#define MAUI_BENCH_CORE_H

#include <stddef.h>
#include <stdint.h>

void __attribute__((noreturn, format(printf, 1, 2))) bench_fail(const char *format, ...);

/* Zeroed; freed by the caller. */
void *bench_allocate(size_t count, size_t size);

/* A number below limit: the same ones everywhere, whatever the C library. state is not 0. */
uint32_t bench_below(uint64_t *state, uint32_t limit);

/* An argument from least to most. */
size_t bench_number(const char *text, size_t least, size_t most);

/* CPU time of this thread, nanoseconds. */
double bench_time(void);

/* ", "kind": [figure, ...]" of a JSON object: every stride-th of figures, count of them. */
void bench_print(const char *kind, const double *figures, size_t count, size_t stride);

#endif
