/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * QLIST and QDEF in the engine. Where Slurm gives jobs a QOS, it decides at submission who may have
 * which; QLIST can only narrow that. A job that has none in Slurm has QDEF's for all of Maui's
 * policies. Guarded by the engine's mutex.
 */
#ifndef MAUI_ENGINE_QOS_H
#define MAUI_ENGINE_QOS_H

#include "common/policy/policy.h"
#include "common/policy/limits/qos_access.h"
#include "plugins/engine/runtime/lock.h"
#include "plugins/engine/runtime/module.h"

/* Whether maui.cfg has a QLIST or a QDEF, and the engine is not disabled. */
ENGINE_LOCKED bool qos_acts(void);

/* Who may have which, for the iteration that is under way; NULL: anybody any. */
ENGINE_LOCKED const struct maui_qos_access *qos_lists(void);

/*
 * A QOS by Slurm's number, from the table of the last iteration; a newer one is looked up, for
 * which the mutex is released for a moment: Slurm's locks come first.
 */
ENGINE_LOCKED uint32_t qos_find(uint32_t slurm_qos);

/* The QOS of a job that has none in Slurm, by its other credentials. */
ENGINE_LOCKED uint32_t qos_default(const uint32_t credential[MAUI_CREDENTIALS]);

/* Whether the job's QOS is refused. */
ENGINE_LOCKED bool qos_refuses(const uint32_t credential[MAUI_CREDENTIALS],
			       struct maui_qos_verdict *ret_verdict);

extern const struct module qos_module;

#endif
