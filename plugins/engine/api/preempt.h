/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What preempt/maui asks of the engine. slurmctld's job write lock is held unless stated
 * otherwise. */
#ifndef MAUI_ENGINE_PREEMPT_H
#define MAUI_ENGINE_PREEMPT_H

#include <stdbool.h>
#include <stdint.h>

#include "plugins/compat/base.h"
#include "plugins/engine/api/engine.h"

/* The plugin is loaded, or unloaded; inner: it wraps another one. Any lock may be held. */
MAUI_EXPORT void maui_engine_preempt_loaded(bool loaded, bool inner);

/* Whether the job may preempt the other as OWNERPREEMPT says. */
MAUI_EXPORT bool maui_engine_owner_preempts(const job_record_t *job, const job_record_t *victim);

/* Whether the victim has preempted the job, or one that has, and so on: then the job may not preempt
 * it, whatever rule says so. */
MAUI_EXPORT bool maui_engine_preempted_by(const job_record_t *job, const job_record_t *victim);

/* Whether a job goes before another in the queue, whatever their priorities, because of what it has
 * reclaimed. */
MAUI_EXPORT bool maui_engine_goes_first(const job_record_t *job, const job_record_t *other);

/* The better victim has the lower number: Maui's priority of a running job, by processor (5.1.2,
 * USAGE). */
MAUI_EXPORT uint32_t maui_engine_victim_order(const job_record_t *job);

#endif
