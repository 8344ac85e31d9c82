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
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define NANOSECONDS INT64_C(1000000000)
#define CLOCK_WAITS 256

struct test_clock {
	_Atomic int64_t offset; /* from the real time, while it runs */
	/*
	 * A stepped clock stands still once `stands` is not 0: that is what it shows, until whoever
	 * has stopped it writes a later time, adds one to `turn`, and wakes the futex that this is.
	 */
	_Atomic int64_t stands;
	/* What it was ahead of the monotonic clock when it was stopped. */
	_Atomic int64_t monotonic;
	_Atomic uint32_t turn;
	_Atomic uint32_t stepped; /* waits end by this clock */
	/* Waits while it stands, to the time that ends each; 0: free. */
	_Atomic int64_t until[CLOCK_WAITS];
};

static inline int64_t nanoseconds_of(const struct timespec *when)
{
	return (int64_t)when->tv_sec * NANOSECONDS + when->tv_nsec;
}

static inline struct timespec timespec_of(int64_t nanoseconds)
{
	return (struct timespec){nanoseconds / NANOSECONDS, (long)(nanoseconds % NANOSECONDS)};
}

/* ---- past this library, whose clock_gettime() and clock_nanosleep() are the cluster's ---- */

static inline int64_t real_now(clockid_t clock)
{
	struct timespec real;

	syscall(SYS_clock_gettime, clock, &real);
	return nanoseconds_of(&real);
}

static inline void real_sleep(int64_t nanoseconds)
{
	struct timespec wanted = timespec_of(nanoseconds);

	syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &wanted, NULL);
}

/* ---- test_clock.c ---- */

/* NULL: the process has the real clock. */
extern struct test_clock *test_clock;

int64_t test_clock_now(void);

/* The C library's pthread_cond_clockwait(). */
int real_clockwait(pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock,
		   const struct timespec *until);

/* ---- stepped.c ---- */

/* Wait for a condition, until the clock shows this time at most. 0 or ETIMEDOUT. */
int stepped_wait(pthread_cond_t *condition, pthread_mutex_t *mutex, int64_t until);

/* Until the clock shows this time. */
void stepped_sleep(int64_t until);

#endif
