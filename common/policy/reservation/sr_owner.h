/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * OWNER and FLAGS=OWNERPREEMPT of a standing reservation: chapters 7.1.5.1.4 and 7.1.5.2.5,
 * D-PRE-1. Jobs of the owner may take back what others hold of an active reservation; where that
 * is, who holds it and how to take it back is up to the caller, which can ask Slurm.
 */
#ifndef MAUI_POLICY_SR_OWNER_H
#define MAUI_POLICY_SR_OWNER_H

#include "common/policy/reservation/sr_settings.h"

/* Whether OWNERPREEMPT means anything: there is an owner, and such a credential
 * exists. */
bool maui_sr_owner_takes_back(const struct maui_sr *sr);

/* Whether a job with these credentials is the owner's. */
bool maui_sr_is_owner(const struct maui_sr *sr, const uint32_t credential[MAUI_CREDENTIALS]);

/*
 * A reclaim: what was taken back waits for the job that has taken it, and until then only the
 * owner's jobs get it. The victims have their time to end (grace, the time that Slurm gives a
 * process between its signals, and the time a node needs to answer); after that the schedulers have
 * this long to start the job: both look at least once a minute, unless slurm.conf says otherwise.
 */
#define MAUI_SR_RECLAIM_PATIENCE 120  /* seconds */
#define MAUI_SR_RECLAIM_LONGEST  3600 /* seconds, all of it together */

int64_t maui_sr_reclaim_end(int64_t now, int64_t grace, int64_t kill_wait, int64_t timeout);

/* What in Slurm prevents it. */
enum maui_sr_preemption {
	MAUI_SR_PREEMPTS,
	MAUI_SR_OTHER_PLUGIN, /* PreemptType is a different one */
	MAUI_SR_OTHER_MODE,   /* PreemptMode neither requeues nor cancels */
};

/*
 * From slurm.conf: mode is PreemptMode without GANG and WITHIN; inner: another plugin decides on
 * modes, too.
 */
enum maui_sr_preemption maui_sr_preemption(bool loaded, bool requeues_or_cancels, bool off,
					   bool inner);

/* "FLAGS=OWNERPREEMPT has no effect: ..."; NULL if it has one, or is not asked for. */
const char *maui_sr_owner_lack(unsigned int flags, enum maui_sr_preemption preemption);

/* The same for an object of SRCFG, as maui.cfg has it. */
const char *maui_sr_object_lack(const struct maui_object *object,
				enum maui_sr_preemption preemption);

#endif
