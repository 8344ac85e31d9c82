/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The QOS of Slurm's records, as interned names. */
#ifndef MAUI_ENGINE_QOS_RECORDS_H
#define MAUI_ENGINE_QOS_RECORDS_H

#include <stdbool.h>
#include <stdint.h>

#include "common/queue/names.h"
#include "plugins/compat/base.h"
#include "plugins/engine/runtime/lock.h"

/*
 * The association manager's lock on QOS, which three of the functions need. It
 * is one of Slurm's: it is taken before the engine's mutex, and may be released
 * while that is held.
 */
void qos_records_lock(void);
void qos_records_unlock(void);

/* Look all of them up, so that an iteration needs the lock once and not per job. QOS lock,
 * mutex. */
ENGINE_LOCKED void qos_records_look(struct maui_names *names);

/* A QOS of Slurm's number as of then; MAUI_NO_CREDENTIAL: 0, or a newer one. The mutex is held. */
ENGINE_LOCKED uint32_t qos_records_seen(uint32_t qos);

/* Whether one of them had an enforced UsageThreshold then. The mutex is held. */
ENGINE_LOCKED bool qos_records_threshold_seen(void);

/* A QOS of Slurm's number now; and that of a job, jobrec_qos(). QOS lock,
 * mutex. */
ENGINE_LOCKED uint32_t qos_records_now(uint32_t qos, struct maui_names *names);
ENGINE_LOCKED uint32_t qos_records_of_job(const job_record_t *job, struct maui_names *names);

#endif
