/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What all of the engine stands on: its thread's wake, its mode, and whether it may act. */
#ifndef MAUI_ENGINE_RUNTIME_H
#define MAUI_ENGINE_RUNTIME_H

#include <stdbool.h>
#include <stdint.h>

#include "plugins/engine/runtime/lock.h"
#include "plugins/engine/runtime/site.h"

enum engine_mode { ENGINE_STANDBY, ENGINE_SHADOW, ENGINE_PRIMARY };

struct engine {
	pthread_mutex_t
		mutex; /* guards all that follows, and what the rooms say it guards of theirs */
	pthread_cond_t wake; /* the engine's thread has something to do */
	pthread_cond_t idle; /* an iteration has ended */
	bool thread_running;
	enum engine_mode mode;
	bool disabled; /* disable.h: only priorities are Maui's */
	bool busy;     /* an iteration is under way */
	bool reload_wanted, refresh_wanted;
	double retry;    /* an iteration is wanted then, monotonic seconds; INFINITY */
	int64_t started; /* epoch seconds */
	bool last_save;  /* wanted by stop, before another controller takes over */
	uint64_t iteration;
	uint64_t change; /* counts priorities set outside iterations */
	/* What the last iteration took, its reservations included; negative: there was none yet. */
	double iteration_seconds;
	struct site site;
};

extern struct engine engine ENGINE_GUARDED;

/* Whether the engine may act: primary, and slurmctld is not going down. Ask again whenever a lock
 * of Slurm's was got, as that may have taken a while. Takes the mutex. */
bool engine_is_primary(void);

/* Whether it may look at Slurm's records: the same, or a shadow of it. Takes the mutex. */
bool engine_may_look(void);

/* engine.disabled, for the engine's thread, which alone changes it: it may read it without the
 * mutex. */
bool engine_is_disabled(void);

/* An iteration is wanted as soon as one may be. The mutex is held. */
ENGINE_LOCKED void engine_want_refresh(void);

/* Whether this process is a shadow (shadow.c): it never becomes anything else, as PriorityType
 * holds for slurmctld's life. No lock. */
bool engine_is_shadow(void);
void engine_become_shadow(void);

/* True in shadow mode: what is about to be done must not be, and should not have been asked for.
 * Any lock may be held. */
bool shadow_refuses(const char *what);

#endif
