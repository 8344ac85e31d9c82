/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The policy in force: a configuration and what the areas compiled from it. Immutable,
 * reference-counted. */
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
#include "plugins/engine/policy/faults.h"
#include "plugins/engine/runtime/site.h"

/* POLICY_PARTIAL: a file with errors, without what they are about. */
enum policy_source { POLICY_FILE, POLICY_LAST_GOOD, POLICY_PARTIAL, POLICY_NEUTRAL };

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
	struct faults *left_out; /* of POLICY_PARTIAL; else NULL */
	time_t loaded;
};

struct policy *policy_ref(struct policy *policy);
struct policy *policy_unref(struct policy *policy); /* accepts NULL, returns NULL */

const char *policy_source_name(enum policy_source source);

/* What reading maui.cfg has given: a policy, or why there is none. */
struct policy_reading {
	struct policy *policy;       /* NULL: the file is refused, or memory is short */
	struct faults *faults;       /* why it is refused; NULL: it is not, or memory is short */
	struct maui_config *partial; /* what is right in a refused file; NULL: it cannot be read */
};

/*
 * Read maui.cfg: a file that cannot be read or has errors is refused, and every problem is logged
 * as FILE:LINE:COLUMN. A file that is good becomes the last good copy in the state directory, if
 * keep_copy.
 */
void policy_read(const struct site *site, bool keep_copy, struct policy_reading *ret_reading);

/* Gives back what nobody has taken out of it. */
void policy_reading_clear(struct policy_reading *reading);

/* Take the policy of what is right in a refused file, and its faults, out of a reading; NULL if
 * there is nothing, which changes nothing. What may not be lost to a line with an error is lost
 * only where there was no policy at all. */
struct policy *policy_take_partial(const struct site *site, struct policy_reading *reading);

/*
 * The policy that a text would give, read as if it stood at that path: for questions alone. Nothing
 * is logged, kept or loaded, and it includes no files. 0; -EINVAL if it has errors, -ENOMEM.
 */
int policy_of_text(const char *path, const char *text, size_t size, struct policy **ret_policy,
		   struct maui_error *error);

/* What stands in for a refused maui.cfg at start: the last good copy, else what is right in the
 * file, else the built-in defaults alone. NULL only when memory is short. */
struct policy *policy_stand_in(const struct site *site, struct policy_reading *reading);

#endif
