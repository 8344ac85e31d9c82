/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Waits by a stepped clock. While it runs they look at it many times a second; while it stands each
 * says until when it waits, and is woken by a thread of its process once the clock has got there.
 * So whoever steps the clock knows when something is to happen next, and that nothing happens
 * before.
 */
#include "testsuite/clock/clock.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#define SLICE    (NANOSECONDS / 50) /* while the clock runs */
#define ROUNDING 1000
#define AGAIN    (NANOSECONDS / 10000) /* for who was woken before he had begun to wait */

static pthread_mutex_t waits_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t somebody_waits = PTHREAD_COND_INITIALIZER;
static pthread_cond_t *conditions[CLOCK_WAITS]; /* of this process */
static int wait_count;
static bool has_waker;

/* A step of the clock does not concern a process in which nobody waits for it. */
static void await_waits(void)
{
	pthread_mutex_lock(&waits_mutex);
	while (!wait_count)
		pthread_cond_wait(&somebody_waits, &waits_mutex);
	pthread_mutex_unlock(&waits_mutex);
}

static bool wake_expired(void)
{
	int64_t now = atomic_load(&test_clock->stands);
	bool expired = false;

	pthread_mutex_lock(&waits_mutex);
	for (int i = 0; i < CLOCK_WAITS; i++) {
		if (!conditions[i] || atomic_load(&test_clock->until[i]) > now)
			continue;
		expired = true;
		pthread_cond_broadcast(conditions[i]);
	}
	pthread_mutex_unlock(&waits_mutex);
	return expired;
}

static void *waker(void *context)
{
	(void)context;
	for (;;) {
		uint32_t turn;

		await_waits();
		turn = atomic_load(&test_clock->turn);
		if (wake_expired())
			real_sleep(AGAIN);
		else
			syscall(SYS_futex, &test_clock->turn, FUTEX_WAIT, turn, NULL, NULL, 0);
	}
	return NULL;
}

/* A child process has no threads of its parent, one of which may have had the mutex. */
static void after_fork(void)
{
	waits_mutex = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
	somebody_waits = (pthread_cond_t)PTHREAD_COND_INITIALIZER;
	wait_count = 0;
	has_waker = false;
	for (int i = 0; i < CLOCK_WAITS; i++)
		conditions[i] = NULL;
}

__attribute__((constructor)) static void watch_forks(void)
{
	pthread_atfork(NULL, NULL, after_fork);
}

/* The mutex is held. */
static void ensure_waker(void)
{
	pthread_t thread;

	if (has_waker)
		return;
	has_waker = true;
	if (pthread_create(&thread, NULL, waker, NULL))
		abort();
	pthread_detach(thread);
}

static int enter(pthread_cond_t *condition, int64_t until)
{
	int64_t nobody;
	int i = 0;

	pthread_mutex_lock(&waits_mutex);
	ensure_waker();
	for (; i < CLOCK_WAITS; i++) {
		nobody = 0;
		if (atomic_compare_exchange_strong(&test_clock->until[i], &nobody, until))
			break;
	}
	if (i == CLOCK_WAITS)
		abort(); /* more threads than any of our clusters has */
	conditions[i] = condition;
	wait_count++;
	pthread_cond_signal(&somebody_waits);
	pthread_mutex_unlock(&waits_mutex);
	return i;
}

static void leave(int i)
{
	pthread_mutex_lock(&waits_mutex);
	conditions[i] = NULL;
	wait_count--;
	atomic_store(&test_clock->until[i], 0);
	pthread_mutex_unlock(&waits_mutex);
}

static int wait_slice(pthread_cond_t *condition, pthread_mutex_t *mutex, int64_t left)
{
	struct timespec until =
		timespec_of(real_now(CLOCK_MONOTONIC) + (left < SLICE ? left : SLICE));

	return real_clockwait(condition, mutex, CLOCK_MONOTONIC, &until);
}

int stepped_wait(pthread_cond_t *condition, pthread_mutex_t *mutex, int64_t until)
{
	int64_t left;

	/* Later than was asked for, as always: whoever finds a deadline a rounding error away would
	 * wait for it again and again while the clock stands. */
	until = (until / ROUNDING + 1) * ROUNDING;
	while ((left = until - test_clock_now()) > 0) {
		int i;

		if (!atomic_load(&test_clock->stands)) {
			int rc = wait_slice(condition, mutex, left);

			if (rc != ETIMEDOUT)
				return rc;
			continue;
		}
		i = enter(condition, until);
		pthread_cond_wait(condition, mutex);
		leave(i);
		if (test_clock_now() < until)
			return 0; /* somebody has signalled, or it is for nothing, as may be */
	}
	return ETIMEDOUT;
}

void stepped_sleep(int64_t until)
{
	pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
	pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

	pthread_mutex_lock(&mutex);
	while (stepped_wait(&condition, &mutex, until) != ETIMEDOUT)
		;
	pthread_mutex_unlock(&mutex);
}
