/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the whole engine builds on: its thread's wake-up, its mode, and whether it may act. */
#ifndef MAUI_ENGINE_RUNTIME_H
#define MAUI_ENGINE_RUNTIME_H

#include <stdbool.h>
#include <stdint.h>

#include "plugins/engine/runtime/lock.h"
#include "plugins/engine/runtime/site_options.h"

enum engine_mode { ENGINE_STANDBY, ENGINE_SHADOW, ENGINE_PRIMARY };

struct engine {
	pthread_cond_t wake; /* the engine's thread has something to do */
	pthread_cond_t idle; /* the engine's thread has ended its work */
	bool thread_running;
	enum engine_mode mode;
	bool awaited;  /* slurm.conf names priority/maui, which is to bring the engine to life */
	bool disabled; /* disable.h: only priorities are Maui's */
	bool disabled_unread; /* whether it is, is not known now: reservations stay as they are */
	bool busy;            /* the engine's thread works: on an iteration, a chore, or a begin */
	bool reload_wanted, refresh_wanted;
	double retry;    /* when an iteration is wanted, monotonic seconds; INFINITY: never */
	int64_t started; /* epoch seconds */
	bool last_save;  /* wanted by stop, before another controller takes over */
	uint64_t iteration;
	uint64_t change; /* counts priorities set outside iterations */
	/* What the last iteration took, its reservations included; negative: there was none yet. */
	double iteration_seconds;
	struct site site;
};

extern struct engine engine ENGINE_GUARDED;

/* Whether the engine may act: primary, and slurmctld is not going down. Ask again after taking a
 * lock of Slurm's, as that may have taken a while. Takes the mutex. */
bool engine_is_primary(void);

/* Whether it may look at Slurm's records: the same, but as a shadow, too. Takes the mutex. */
bool engine_may_look(void);

/*
 * The select plugin is loaded: slurmctld may ask for starts before it loads priority/maui (S-ENG-1),
 * when there is no policy to judge them by. Nobody starts until the engine is in charge, if slurm.conf
 * has our PriorityType; _no_more: it could not begin. Both take the mutex.
 */
void engine_await(void);
void engine_await_no_more(void);

/* Whether there is a policy to judge starts by. The mutex is held. */
ENGINE_LOCKED bool engine_in_charge(void);

/* engine.disabled, for the engine's thread: while it works, nobody else changes
 * that, so it needs no mutex. */
bool engine_is_disabled(void);

/* The state directory of slurm.conf, which the caller frees. The mutex is held. */
ENGINE_LOCKED char *engine_state_directory(void);

/* Ask for an iteration as soon as one is allowed. The mutex is held. */
ENGINE_LOCKED void engine_want_refresh(void);

/* Whether this process is a shadow (shadow.c): it never becomes anything else, as PriorityType is
 * fixed for slurmctld's life. No lock. */
bool engine_is_shadow(void);
/* What a policy is in this mode, for the log: "in force", or in shadow mode that it is only judged. */
const char *engine_in_force(void);
void engine_become_shadow(void);

/* True in shadow mode: what is about to be done is forbidden, and should not have been attempted.
 * Any lock may be held. */
bool shadow_refuses(const char *what);

#endif
