/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The engine's mutex. Lock order: slurmctld's locks, then this one, never the reverse.
 *
 * What it guards is ENGINE_GUARDED, a function that is to be called with it held is ENGINE_LOCKED;
 * clang's -Wthread-safety, a part of `testsuite/run tidy`, holds both against every caller. It does
 * not see through a pointer: what is reached by one is guarded with the pointer itself.
 */
#ifndef MAUI_ENGINE_LOCK_H
#define MAUI_ENGINE_LOCK_H

#include <pthread.h>
#include <stdbool.h>

#ifdef __clang__
#define LOCK_ATTRIBUTE(attribute) __attribute__((attribute))
#else
#define LOCK_ATTRIBUTE(attribute)
#endif

struct LOCK_ATTRIBUTE(capability("mutex")) mutex {
	pthread_mutex_t mutex;
};

extern struct mutex engine_mutex;

#define ENGINE_GUARDED LOCK_ATTRIBUTE(guarded_by(engine_mutex))
#define ENGINE_LOCKED  LOCK_ATTRIBUTE(requires_capability(engine_mutex))

/* Where the analysis cannot follow; each use says why. */
#define LOCK_NOT_FOLLOWED LOCK_ATTRIBUTE(no_thread_safety_analysis)

LOCK_ATTRIBUTE(acquire_capability(engine_mutex)) void engine_lock(void);
LOCK_ATTRIBUTE(release_capability(engine_mutex)) void engine_unlock(void);

/* For what is called through a pointer, where the analysis cannot follow: checked where assertions
 * are enabled. */
#ifdef NDEBUG
LOCK_ATTRIBUTE(assert_capability(engine_mutex)) static inline void engine_assert_locked(void)
{
}
#else
LOCK_ATTRIBUTE(assert_capability(engine_mutex)) void engine_assert_locked(void);
#endif

/* The same for a mutex of one file's own. */
#define GUARDED_BY(mutex) LOCK_ATTRIBUTE(guarded_by(mutex))
#define LOCKED_BY(mutex)  LOCK_ATTRIBUTE(requires_capability(mutex))

void mutex_lock(struct mutex *mutex) LOCK_ATTRIBUTE(acquire_capability(mutex));
void mutex_unlock(struct mutex *mutex) LOCK_ATTRIBUTE(release_capability(mutex));

/* Wait for the condition, with the mutex released meanwhile; engine_wait_until() until then at
 * most, monotonic seconds: false if the time ran out. */
ENGINE_LOCKED void engine_wait(pthread_cond_t *condition);
ENGINE_LOCKED bool engine_wait_until(pthread_cond_t *condition, double until);

#endif
