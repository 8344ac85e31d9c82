/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The policy in force: a configuration and what the areas compiled from it. Immutable,
 * reference-counted. */
#ifndef MAUI_POLICY_POLICY_H
#define MAUI_POLICY_POLICY_H

#include <stdatomic.h>
#include <stdint.h>
#include <time.h>

#include "common/config/config.h"
#include "common/config/faults.h"
#include "common/policy/priority/accrual.h"
#include "common/policy/nodes/node_settings.h"
#include "common/policy/nodes/nodealloc_local.h"
#include "common/policy/priority/priority.h"

/* MAUI_POLICY_PARTIAL: a file with errors, without the parts they are about. */
enum maui_policy_source {
	MAUI_POLICY_FILE,
	MAUI_POLICY_LAST_GOOD,
	MAUI_POLICY_PARTIAL,
	MAUI_POLICY_NEUTRAL
};

struct maui_policy {
	atomic_uint references;
	struct maui_config *config;
	struct maui_priority_policy *priority;
	struct maui_node_policy *nodes;
	maui_nodealloc_local_function local; /* NODEALLOCATIONPOLICY LOCAL; NULL: there is none */
	enum maui_accrual_policy accrual;
	/* Added to every priority: 2^30 with ENABLENEGJOBPRIORITY, so that order survives Slurm's
	 * floor. */
	int64_t base;
	int64_t interval; /* RMPOLLINTERVAL, seconds */
	enum maui_policy_source source;
	struct maui_faults *left_out; /* for MAUI_POLICY_PARTIAL; else NULL */
	struct maui_faults *unknown;  /* unknown names and words, without effect; NULL: none */
	time_t loaded;
};

struct maui_policy *maui_policy_ref(struct maui_policy *policy);
struct maui_policy *maui_policy_unref(struct maui_policy *policy); /* accepts NULL, returns NULL */

const char *maui_policy_source_name(enum maui_policy_source source);

/* Takes over the caller's reference to config. Its load time is now. */
struct maui_policy *maui_policy_compile(struct maui_config *config, time_t now);

/*
 * The policy that a text would give, read as if it were at that path: only for questions. Nothing
 * is logged, kept or loaded, and it includes no files. 0; -EINVAL if it has errors; -EFBIG.
 */
int maui_policy_of_text(const char *path, const char *text, size_t size, time_t now,
			struct maui_policy **ret_policy, struct maui_error *error);

#endif
