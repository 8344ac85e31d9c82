/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What preempt/maui asks of the engine. With slurmctld's job write lock held, where nothing else is
 * said. */
#ifndef MAUI_ENGINE_PREEMPT_H
#define MAUI_ENGINE_PREEMPT_H

#include <stdbool.h>
#include <stdint.h>

#include "plugins/compat/base.h"
#include "plugins/engine/api/engine.h"

/* The plugin is there, or goes; inner: it has another one behind it. Any lock may be held. */
MAUI_EXPORT void maui_engine_preempt_loaded(bool loaded, bool inner);

/* Whether the job may preempt the other as OWNERPREEMPT says. */
MAUI_EXPORT bool maui_engine_owner_preempts(const job_record_t *job, const job_record_t *victim);

/* Whether a job goes before another in the queue, whatever their priorities, for what it has taken
 * back. */
MAUI_EXPORT bool maui_engine_goes_first(const job_record_t *job, const job_record_t *other);

/* The better victim has the lower number: Maui's priority of a running job, by processor (5.1.2,
 * USAGE). */
MAUI_EXPORT uint32_t maui_engine_victim_order(const job_record_t *job);

#endif
