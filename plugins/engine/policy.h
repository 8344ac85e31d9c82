/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The policy in force: a configuration and what the areas compiled from it. Immutable, reference-counted. */
#ifndef MAUI_ENGINE_POLICY_H
#define MAUI_ENGINE_POLICY_H

#include <stdatomic.h>
#include <stdint.h>
#include <time.h>

#include "common/config/config.h"
#include "common/policy/accrual.h"
#include "common/policy/node_settings.h"
#include "common/policy/nodealloc_local.h"
#include "common/policy/priority.h"
#include "plugins/engine/site.h"

enum policy_source { POLICY_FILE, POLICY_LAST_GOOD, POLICY_NEUTRAL };

struct policy {
	atomic_uint references;
	struct maui_config *config;
	struct maui_priority_policy *priority;
	struct maui_node_policy *nodes;
	maui_nodealloc_local_function local; /* NODEALLOCATIONPOLICY LOCAL; NULL: there is none */
	enum maui_accrual_policy accrual;
	int64_t base; /* added to every priority: 2^30 with ENABLENEGJOBPRIORITY, so that order survives Slurm's floor */
	int64_t interval; /* RMPOLLINTERVAL, seconds */
	enum policy_source source;
	time_t loaded;
};

struct policy *policy_ref(struct policy *policy);
struct policy *policy_unref(struct policy *policy); /* accepts NULL, returns NULL */

const char *policy_source_name(enum policy_source source);

/*
 * Read maui.cfg. NULL if it cannot be read or has errors; every problem is logged as FILE:LINE:COLUMN. A file that is
 * good becomes the last good copy in the state directory, if keep_copy.
 */
struct policy *policy_load(const struct site *site, bool keep_copy);

/*
 * The policy that a text would give, read as if it stood at that path: for questions alone. Nothing is logged, kept or
 * loaded, and it includes no files. 0; -EINVAL if it has errors, -ENOMEM.
 */
int policy_of_text(const char *path, const char *text, size_t size, struct policy **ret_policy,
		   struct maui_error *error);

/* What stands in for a bad or missing maui.cfg at start: the last good copy, or the built-in defaults alone. NULL only
 * when memory is short. */
struct policy *policy_stand_in(const struct site *site);

#endif
