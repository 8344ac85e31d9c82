/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What all processes of a private cluster with a clock of its own have mapped: the file that the
 * environment variable MAUI_TEST_CLOCK names. All numbers are nanoseconds.
 */
#ifndef MAUI_TEST_CLOCK_H
#define MAUI_TEST_CLOCK_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <time.h>

#define NANOSECONDS INT64_C(1000000000)
#define CLOCK_WAITS 256

struct test_clock {
	_Atomic int64_t offset; /* from the real time, while it runs */
	/*
	 * A stepped clock stands still once `stands` is not 0: that is what it shows, until whoever has
	 * stopped it writes a later time, adds one to `turn`, and wakes the futex that this is.
	 */
	_Atomic int64_t stands;
	_Atomic int64_t
		monotonic; /* what it was ahead of the monotonic clock when it was stopped */
	_Atomic uint32_t turn;
	_Atomic uint32_t stepped; /* waits end by this clock */
	_Atomic int64_t
		until[CLOCK_WAITS]; /* waits while it stands, to the time that ends each; 0: free */
};

/* NULL: the process has the real clock. */
extern struct test_clock *test_clock;

int64_t test_clock_now(void);

/* What would be called without this library. */
int64_t real_now(clockid_t clock);
int real_clockwait(pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock,
		   const struct timespec *until);

static inline int64_t nanoseconds_of(const struct timespec *when)
{
	return (int64_t)when->tv_sec * NANOSECONDS + when->tv_nsec;
}

static inline struct timespec timespec_of(int64_t nanoseconds)
{
	return (struct timespec){nanoseconds / NANOSECONDS, (long)(nanoseconds % NANOSECONDS)};
}

/* ---- stepped.c ---- */

/* Wait for a condition, until the clock shows this time at most. 0 or ETIMEDOUT. */
int stepped_wait(pthread_cond_t *condition, pthread_mutex_t *mutex, int64_t until);

/* Until the clock shows this time. */
void stepped_sleep(int64_t until);

#endif
