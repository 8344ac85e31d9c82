/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is in force: the policy, the users and groups in it, and everybody's names. Guarded by the
 * engine's mutex. */
#ifndef MAUI_ENGINE_IN_FORCE_H
#define MAUI_ENGINE_IN_FORCE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/policy/policy.h"
#include "common/queue/names.h"
#include "common/queue/principals.h"
#include "plugins/engine/runtime/lock.h"
#include "plugins/engine/runtime/module.h"

struct in_force {
	struct maui_policy *policy;  /* never NULL once the engine has begun */
	struct maui_faults *refused; /* the newer maui.cfg that was not taken; NULL: none */
	bool reading;                /* maui.cfg is being read again */
	int64_t readings;            /* how often it was read since the start */
	struct maui_principals *principals;
	int64_t principals_time; /* when they were asked for */
	struct maui_names *names;
};

extern struct in_force in_force ENGINE_GUARDED;

/* The names: one object as long as slurmctld runs; the mutex guards its contents. No lock. */
struct maui_names *in_force_names(void);

/* The configuration, for the engine's thread (while it works, nobody else
 * replaces it), and for callers with the mutex. */
const struct maui_config *in_force_config(void);

/* The users and groups, for the engine's thread: while it works, nobody else
 * replaces them. No lock. */
const struct maui_principals *in_force_principals(void);

extern const struct module in_force_module;

#endif
