/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A clock for a whole private cluster, to be preloaded into each of its processes: the real time
 * and an offset that all of them share, in the file that the environment variable MAUI_TEST_CLOCK
 * names (eight bytes, nanoseconds). Whoever writes another number there has set the clock for all
 * at once.
 *
 * libfaketime would be the ready-made one. Version 0.9.10 does not fit: its clock_nanosleep() fails
 * when monotonic time is to be left alone, as setting a clock leaves it; it opens its file at every
 * look at the clock; and daemons that are killed leave semaphores.
 *
 * Waits until a time of day take as long as they would have when they began: unlike the kernel's
 * they do not notice that the clock is set meanwhile.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define NANOSECONDS INT64_C(1000000000)
/* A point in time before this one is on a clock that counts from the start of the machine. */
#define YEAR_2001 INT64_C(978307200)

static const _Atomic int64_t *shared;

__attribute__((constructor)) static void find_clock(void)
{
	const char *path = getenv("MAUI_TEST_CLOCK");
	int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	void *map;

	if (file < 0)
		return;
	map = mmap(NULL, sizeof(*shared), PROT_READ, MAP_SHARED, file, 0);
	close(file);
	if (map != MAP_FAILED)
		shared = map;
}

static struct timespec moved(struct timespec when, int64_t offset)
{
	int64_t nanoseconds = (int64_t)when.tv_nsec + offset % NANOSECONDS;

	when.tv_sec += offset / NANOSECONDS;
	if (nanoseconds < 0) {
		when.tv_sec--;
		nanoseconds += NANOSECONDS;
	} else if (nanoseconds >= NANOSECONDS) {
		when.tv_sec++;
		nanoseconds -= NANOSECONDS;
	}
	when.tv_nsec = (long)nanoseconds;
	return when;
}

static int64_t offset_now(void)
{
	return shared ? atomic_load_explicit(shared, memory_order_relaxed) : 0;
}

static struct timespec now(void)
{
	struct timespec real;

	/* Not through the C library: its clock_gettime() is the one below. */
	syscall(SYS_clock_gettime, CLOCK_REALTIME, &real);
	return moved(real, offset_now());
}

static struct timespec real_time_of(const struct timespec *when)
{
	return moved(*when, -offset_now());
}

#pragma GCC visibility push(default)

/* ---- looks at the clock ---- */

int clock_gettime(clockid_t clock, struct timespec *ret_when)
{
	if (clock != CLOCK_REALTIME && clock != CLOCK_REALTIME_COARSE)
		return (int)syscall(SYS_clock_gettime, clock, ret_when);
	*ret_when = now();
	return 0;
}

int gettimeofday(struct timeval *restrict ret_when, void *restrict zone)
{
	struct timespec when = now();

	(void)zone;
	*ret_when = (struct timeval){when.tv_sec, when.tv_nsec / 1000};
	return 0;
}

time_t time(time_t *ret_when)
{
	time_t when = now().tv_sec;

	if (ret_when)
		*ret_when = when;
	return when;
}

int timespec_get(struct timespec *ret_when, int base)
{
	if (base != TIME_UTC)
		return 0;
	*ret_when = now();
	return base;
}

/* ---- waits until a time of day ---- */

int pthread_cond_timedwait(pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex,
			   const struct timespec *restrict until)
{
	struct timespec real;

	if (until->tv_sec < YEAR_2001)
		return pthread_cond_clockwait(condition, mutex, CLOCK_MONOTONIC, until);
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

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *wanted,
		    struct timespec *ret_left)
{
	struct timespec real;

	if (clock == CLOCK_REALTIME && (flags & TIMER_ABSTIME)) {
		real = real_time_of(wanted);
		wanted = &real;
	}
	return syscall(SYS_clock_nanosleep, clock, flags, wanted, ret_left) ? errno : 0;
}

#pragma GCC visibility pop
