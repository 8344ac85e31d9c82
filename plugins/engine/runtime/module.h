/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How modules with state of their own take part in the engine's life; modules.c has the table of
 * them. A module sets the hooks that it needs; they are listed in the order of that life.
 */
#ifndef MAUI_ENGINE_MODULE_H
#define MAUI_ENGINE_MODULE_H

#include <stdbool.h>

#include "plugins/engine/runtime/runtime.h"

struct maui_policy;
struct maui_principals;

struct module {
	/* ---- the engine begins, at slurmctld's start or later: none of these takes a lock of
	 * Slurm's or waits, as its plugins' init() must not (S-ENG-7) ---- */

	/* Only as primary, before all else. Any of slurmctld's locks may be held. */
	void (*start)(void);
	/* slurm.conf has been read, here and at each reconfiguration. Without the mutex; any of
	 * slurmctld's locks may be held. */
	void (*configure)(const struct site *site);
	/* Reads what another engine has left in the state directory, and keeps it until adopt() or
	 * discard(). Without the mutex; any of slurmctld's locks may be held. */
	void (*read)(const struct site *site, enum engine_mode mode);
	/* Allocates what it needs as long as slurmctld runs; does nothing if it already has it. The
	 * mutex is held. */
	void (*allocate)(void);
	/* Another controller may have been at work: what was read replaces all that is known here.
	 * The mutex is held. */
	void (*adopt)(void);
	/* What was read is no longer needed, adopted or not. Any of slurmctld's locks may be
	 * held. */
	void (*discard)(void);

	/* ---- the engine is in charge, only as primary; the engine's thread, before all else ---- */

	/* Repairs what a slurmctld that died has left in Slurm's records. A scheduler may run
	 * already. No lock held. */
	void (*begun)(void);

	/* ---- maui.cfg is read, at the start and at each reconfiguration ---- */

	/* Asks the name service what bind() will need. The engine's thread, no lock held. */
	void (*resolve)(void);
	/* The policy is in force, and names know its users and groups; principals NULL: they are
	 * not known yet. Both live until the next call. The mutex is held. */
	void (*bind)(struct maui_policy *policy, const struct maui_principals *principals);

	/* ---- between iterations, only as primary ---- */

	/* When there is something for chore() to do, monotonic seconds; INFINITY: never. It may ask
	 * for an iteration instead. The mutex is held. */
	double (*due)(double now);
	/* The engine's thread, no lock held. */
	void (*chore)(void);
	bool saves; /* chore() writes to disk what would be lost: it is called at the end, too */
	bool in_iteration; /* after() does the same: chore() is left to an iteration to come */

	/* ---- an iteration; the engine's thread ---- */

	/* Before it. No lock held. */
	void (*before)(void);
	/* Before the walk over all jobs, and after it. Job, node and partition read lock, and the
	 * mutex. */
	void (*collect)(void);
	void (*collected)(void);
	/* After it, whether it was complete or not. No lock held. In a shadow
	 * only for modules that plan. */
	void (*after)(void);
	bool plans;

	/* ---- the engine ends, as primary; not in the engine's thread ---- */

	/* It is no longer in charge, and has saved what it could. The mutex is held. */
	void (*end)(void);
	/* Slurm goes on without us. No lock held. */
	void (*leave)(void);
};

#endif
