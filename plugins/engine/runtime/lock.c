/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Wraps pthread mutexes for clang's analysis. Without NDEBUG the mutex is
 * error-checking, so engine_assert_locked() can test who owns it.
 */
#include "plugins/engine/runtime/lock.h"

#include <assert.h>
#include <errno.h>
#include <time.h>

/* A mutex that records its owner costs more: only where assertions are enabled. */
#ifdef NDEBUG
struct mutex engine_mutex = {PTHREAD_MUTEX_INITIALIZER};
#else
struct mutex engine_mutex = {PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP};
#endif

/* The analysis does not see that pthread calls acquire and release a capability. */

LOCK_NOT_FOLLOWED void mutex_lock(struct mutex *mutex)
{
	int rc = pthread_mutex_lock(&mutex->mutex);

	assert(!rc);
	(void)rc;
}

LOCK_NOT_FOLLOWED void mutex_unlock(struct mutex *mutex)
{
	int rc = pthread_mutex_unlock(&mutex->mutex);

	assert(!rc);
	(void)rc;
}

void engine_lock(void)
{
	mutex_lock(&engine_mutex);
}

void engine_unlock(void)
{
	mutex_unlock(&engine_mutex);
}

#ifndef NDEBUG
LOCK_NOT_FOLLOWED void engine_assert_locked(void)
{
	int rc = pthread_mutex_lock(&engine_mutex.mutex);

	assert(rc == EDEADLK);
	(void)rc;
}
#endif

void engine_wait(pthread_cond_t *condition)
{
	pthread_cond_wait(condition, &engine_mutex.mutex);
}

bool engine_wait_until(pthread_cond_t *condition, double until)
{
	struct timespec deadline = {.tv_sec = (time_t)until};

	deadline.tv_nsec = (long)((until - (double)deadline.tv_sec) * 1e9);
	return pthread_cond_clockwait(condition, &engine_mutex.mutex, CLOCK_MONOTONIC, &deadline) !=
	       ETIMEDOUT;
}
