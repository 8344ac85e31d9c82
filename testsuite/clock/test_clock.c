/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A clock for a whole private cluster, to be preloaded into each of its processes: the real time
 * and an offset that all of them share, clock.h. Whoever writes another number there has set the
 * clock for all at once.
 *
 * libfaketime would be the ready-made one. Version 0.9.10 does not fit: its clock_nanosleep() fails
 * when monotonic time is to be left alone, as setting a clock leaves it; it opens its file at every
 * look at the clock; and daemons that are killed leave semaphores.
 *
 * Waits until a time of day take as long as they would have when they began: unlike the kernel's
 * they do not notice that the clock is set meanwhile. Those by a stepped clock do, and are all by
 * this clock; only waits for a file or socket are by the real one.
 */
#include "testsuite/clock/clock.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

/* A point in time before this one is on a clock that counts from the start of the machine. */
#define YEAR_2001 INT64_C(978307200)

struct test_clock *test_clock;

__attribute__((constructor)) static void find_clock(void)
{
	const char *path = getenv("MAUI_TEST_CLOCK");
	int file = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
	bool writable = file >= 0;
	void *map;

	if (path && !writable)
		file = open(path, O_RDONLY | O_CLOEXEC); /* jobs of users look at it */
	if (file < 0)
		return;
	map = mmap(NULL, sizeof(*test_clock), writable ? PROT_READ | PROT_WRITE : PROT_READ,
		   MAP_SHARED, file, 0);
	close(file);
	if (map != MAP_FAILED)
		test_clock = map;
}

static int64_t stands_at(void)
{
	return test_clock ? atomic_load_explicit(&test_clock->stands, memory_order_relaxed) : 0;
}

static int64_t offset_now(void)
{
	return test_clock ? atomic_load_explicit(&test_clock->offset, memory_order_relaxed) : 0;
}

static bool is_stepped(void)
{
	return test_clock && atomic_load_explicit(&test_clock->stepped, memory_order_relaxed);
}

int64_t test_clock_now(void)
{
	int64_t stands = stands_at();

	return stands ? stands : real_now(CLOCK_REALTIME) + offset_now();
}

static int64_t monotonic_now(void)
{
	int64_t stands = stands_at();

	return stands ? stands - atomic_load(&test_clock->monotonic) : real_now(CLOCK_MONOTONIC);
}

int real_clockwait(pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock,
		   const struct timespec *until)
{
	static int (*real)(pthread_cond_t *, pthread_mutex_t *, clockid_t, const struct timespec *);

	if (!real)
		*(void **)&real = dlsym(RTLD_NEXT, "pthread_cond_clockwait");
	return real(condition, mutex, clock, until);
}

static struct timespec real_time_of(const struct timespec *when)
{
	return timespec_of(nanoseconds_of(when) - offset_now());
}

/* What a stepped clock shows when a time of either clock has come. */
static int64_t shown_at(clockid_t clock, const struct timespec *until)
{
	if (clock == CLOCK_REALTIME)
		return nanoseconds_of(until);
	return nanoseconds_of(until) - monotonic_now() + test_clock_now();
}

#pragma GCC visibility push(default)

/* ---- looks at the clock ---- */

int clock_gettime(clockid_t clock, struct timespec *ret_when)
{
	if (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)
		*ret_when = timespec_of(test_clock_now());
	else if (clock == CLOCK_MONOTONIC && stands_at())
		*ret_when = timespec_of(monotonic_now());
	else
		return (int)syscall(SYS_clock_gettime, clock, ret_when);
	return 0;
}

int gettimeofday(struct timeval *restrict ret_when, void *restrict zone)
{
	int64_t now = test_clock_now();

	(void)zone;
	*ret_when = (struct timeval){now / NANOSECONDS, now % NANOSECONDS / 1000};
	return 0;
}

time_t time(time_t *ret_when)
{
	time_t when = test_clock_now() / NANOSECONDS;

	if (ret_when)
		*ret_when = when;
	return when;
}

int timespec_get(struct timespec *ret_when, int base)
{
	if (base != TIME_UTC)
		return 0;
	*ret_when = timespec_of(test_clock_now());
	return base;
}

/* ---- waits ---- */

int pthread_cond_clockwait(pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex,
			   clockid_t clock, const struct timespec *restrict until)
{
	if (is_stepped())
		return stepped_wait(condition, mutex, shown_at(clock, until));
	return real_clockwait(condition, mutex, clock, until);
}

int pthread_cond_timedwait(pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex,
			   const struct timespec *restrict until)
{
	struct timespec real;

	if (until->tv_sec < YEAR_2001)
		return pthread_cond_clockwait(condition, mutex, CLOCK_MONOTONIC, until);
	if (is_stepped())
		return stepped_wait(condition, mutex, nanoseconds_of(until));
	real = real_time_of(until);
	return pthread_cond_clockwait(condition, mutex, CLOCK_REALTIME, &real);
}

int pthread_mutex_timedlock(pthread_mutex_t *restrict mutex, const struct timespec *restrict until)
{
	struct timespec real = real_time_of(until);

	return pthread_mutex_clocklock(mutex, CLOCK_REALTIME, &real);
}

int sem_timedwait(sem_t *restrict semaphore, const struct timespec *restrict until)
{
	struct timespec real = real_time_of(until);

	return sem_clockwait(semaphore, CLOCK_REALTIME, &real);
}

/* Sleeps of a tenth of a second and more, as slurmctld's main loop has ten in a row, are saved up
 * for a whole second: a stepped clock has fewer steps then. */
static int64_t end_of_sleep(const struct timespec *wanted)
{
	static _Thread_local int64_t saved;
	int64_t sleep = nanoseconds_of(wanted);

	if (sleep >= NANOSECONDS / 10 && sleep < NANOSECONDS) {
		saved += sleep;
		if (saved < NANOSECONDS)
			return 0;
		sleep = saved;
		saved = 0;
	}
	return test_clock_now() + sleep;
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *wanted,
		    struct timespec *ret_left)
{
	struct timespec real;

	if (is_stepped()) {
		stepped_sleep(flags & TIMER_ABSTIME ? shown_at(clock, wanted)
						    : end_of_sleep(wanted));
		return 0;
	}
	if (clock == CLOCK_REALTIME && (flags & TIMER_ABSTIME)) {
		real = real_time_of(wanted);
		wanted = &real;
	}
	return syscall(SYS_clock_nanosleep, clock, flags, wanted, ret_left) ? errno : 0;
}

/* The C library's own do not come by here, and signals interrupt them. */

int nanosleep(const struct timespec *wanted, struct timespec *ret_left)
{
	int rc = clock_nanosleep(CLOCK_MONOTONIC, 0, wanted, ret_left);

	errno = rc ? rc : errno;
	return rc ? -1 : 0;
}

unsigned int sleep(unsigned int seconds)
{
	struct timespec left = {seconds, 0};

	return nanosleep(&left, &left) ? (unsigned int)left.tv_sec : 0;
}

int usleep(useconds_t microseconds)
{
	struct timespec wanted = timespec_of((int64_t)microseconds * 1000);

	return nanosleep(&wanted, NULL);
}

#pragma GCC visibility pop
