/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * libslurm_maui: the policy engine in slurmctld, one per process. What the
 * plugins call.
 *
 * The engine has one thread that iterates every RMPOLLINTERVAL, one that restores
 * lowered priorities, and those of the service, which answer the `maui` command.
 * It is in one of three modes:
 *   standby   before priority/maui's init and after its fini: this controller is a backup, or is
 *             going down, and what it has in memory may be old. The threads sleep, nothing is
 *             listened on, nothing is touched.
 *   primary   priority/maui is initialised: the engine writes priorities and files.
 *   shadow    there is no priority/maui, and job_submit/maui has brought the engine to life, as
 *             slurm.conf says: it computes and answers, and changes nothing; see shadow.c.
 * Lock order: slurmctld's locks, then the engine's mutex, never the reverse.
 */
#ifndef MAUI_ENGINE_ENGINE_H
#define MAUI_ENGINE_ENGINE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/policy/priority/priority.h"
#include "plugins/compat/base.h"

#define MAUI_EXPORT __attribute__((visibility("default")))

/* The Slurm that the library was built for, a SLURM_VERSION_NUMBER. */
MAUI_EXPORT extern const uint32_t maui_engine_slurm_version;

/*
 * Whether the library, as its maui_engine_slurm_version says, was built for the same Slurm as the
 * plugin that asks; logs an error if not. slurmctld compares a plugin with itself, but not the
 * library that comes with it, and in another release's records everything is elsewhere. Comes
 * before all calls.
 */
static inline bool maui_engine_was_built_for_us(uint32_t built, const char *plugin)
{
	if (built == SLURM_VERSION_NUMBER)
		return true;
	error("%s: built for Slurm %s, but libslurm_maui.so for %02u.%02u.%u: install both from "
	      "one build (see `maui doctor`)",
	      plugin, SLURM_VERSION_STRING, SLURM_VERSION_MAJOR(built), SLURM_VERSION_MINOR(built),
	      SLURM_VERSION_MICRO(built));
	return false;
}

/* The same for a plugin that links the library: without it, its init() fails. */
static inline bool maui_engine_fits(const char *plugin)
{
	return maui_engine_was_built_for_us(maui_engine_slurm_version, plugin);
}

/*
 * Bring the engine to life as primary: called by priority/maui's init(), or by
 * its thread_start(). Slurm loads a plugin when it first calls it, and others
 * wait for that (S-ENG-7): any lock of Slurm may be held, here or by a thread
 * that waits. So this takes none and waits for nobody; the engine's thread does
 * first what needs a lock. Reads maui.cfg (a bad one is no failure: D-CFG-12)
 * and the engine's state. Returns SLURM_SUCCESS, or SLURM_ERROR if a thread
 * cannot be made.
 */
MAUI_EXPORT int maui_engine_start(void);

/* Give up the right to write: called by priority/maui's fini(). Waits a short, bounded time for a
 * running iteration. */
MAUI_EXPORT void maui_engine_stop(void);

/*
 * Shadow mode, if PriorityParameters has maui_mode=shadow and PriorityType is not priority/maui;
 * else does nothing. Called by job_submit/maui's init() and fini(), in backup controllers and
 * before Slurm's records exist, too. Neither waits for anything.
 */
MAUI_EXPORT int maui_engine_shadow_start(void);
MAUI_EXPORT void maui_engine_shadow_stop(void);

/* Whether nothing of a job may be changed, as it is the mode. */
MAUI_EXPORT bool maui_engine_is_shadow(void);

/* Read slurm.conf's parameters and maui.cfg again, soon, in the engine's thread. Any lock may be
 * held. */
MAUI_EXPORT void maui_engine_reconfigure(void);

/*
 * The priority of a job that was submitted, released or changed, from the policy in force: for
 * priority_p_set(). Job write lock. Fills job->priority_array, too. A job whose priority was set by
 * hand keeps it.
 */
MAUI_EXPORT uint32_t maui_engine_set_priority(job_record_t *job);

/*
 * A request is about to change the job: for job_submit/maui. What is left of a refusal (S-LIM-3) is
 * undone, so that a hold finds the job's own priority: Slurm ignores one of a job that has 0. Job
 * write lock.
 */
MAUI_EXPORT void maui_engine_before_change(job_record_t *job);

/* Whether this is the name of a standing reservation of maui.cfg, or of a reservation in Slurm that
 * we have made: for job_submit/maui. Any of slurmctld's locks may be held. */
MAUI_EXPORT bool maui_engine_knows_reservation(const char *name);

/* The terms that gave a job the priority it has in one of its partitions, for sprio. Job and
 * partition read lock; qos_locked: that of QOS, too. */
struct maui_engine_terms {
	struct maui_priority_result result;
	int64_t base;        /* added to every Maui priority: 2^30 with ENABLENEGJOBPRIORITY */
	int64_t nice;        /* Slurm subtracts it */
	int64_t site_factor; /* and adds this */
	uint32_t
		behind; /* its own priority, if a soft limit has lowered it behind others; else 0 */
};
MAUI_EXPORT void maui_engine_terms(const job_record_t *job, const part_record_t *partition,
				   bool qos_locked, struct maui_engine_terms *ret_terms);

/* ---- usage of associations and QOS, with slurmdbd ---- */

/* slurmctld has reread slurm.conf and restarted its count of what running jobs reserve. */
MAUI_EXPORT void maui_engine_usage_cleared(void);

/* A job ends or is resized: count what it has used, and give back the rest of what it reserved. Job
 * write lock, partition read lock. Takes the association manager's locks. Does nothing the second
 * time. */
MAUI_EXPORT void maui_engine_job_end(job_record_t *job);

/* Normalised and effective usage of an association that has none yet. The association manager's
 * lock is held. */
MAUI_EXPORT void maui_engine_set_assoc_usage(slurmdb_assoc_rec_t *assoc);

/* What the classic algorithm makes of effective usage and normalised shares. In clients, too. */
MAUI_EXPORT double maui_engine_classic_factor(long double usage, long double shares);

#endif
