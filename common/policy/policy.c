/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compiles a configuration's priorities, node settings, JOBPRIOACCRUALPOLICY
 * and RMPOLLINTERVAL into a struct maui_policy, and counts its references.
 */
#include "common/policy/policy.h"

#include <errno.h>
#include <stdlib.h>

#include "common/util/memory.h"

const char *maui_policy_source_name(enum maui_policy_source source)
{
	static const char *const names[] = {
		[MAUI_POLICY_FILE] = "file",
		[MAUI_POLICY_LAST_GOOD] = "last-good-copy",
		[MAUI_POLICY_PARTIAL] = "partial",
		[MAUI_POLICY_NEUTRAL] = "neutral",
	};

	return names[source];
}

struct maui_policy *maui_policy_ref(struct maui_policy *policy)
{
	if (policy)
		atomic_fetch_add(&policy->references, 1);
	return policy;
}

struct maui_policy *maui_policy_unref(struct maui_policy *policy)
{
	if (policy && atomic_fetch_sub(&policy->references, 1) == 1) {
		maui_priority_free(policy->priority);
		maui_node_policy_free(policy->nodes);
		maui_config_unref(policy->config);
		maui_faults_free(policy->left_out);
		maui_faults_free(policy->unknown);
		free(policy);
	}
	return NULL;
}

struct maui_policy *maui_policy_compile(struct maui_config *config, time_t now)
{
	struct maui_policy *policy = maui_calloc(1, sizeof(*policy));

	atomic_init(&policy->references, 1);
	policy->config = config;
	policy->priority = maui_priority_compile(config);
	policy->nodes = maui_node_policy_compile(config);
	policy->loaded = now;
	policy->accrual = maui_accrual_policy(config);
	policy->base = maui_priority_negatives_enabled(policy->priority) ? INT64_C(1) << 30 : 0;
	policy->interval = maui_config_get(config, MAUI_KEY_RMPOLLINTERVAL, NULL)->integer;
	return policy;
}

int maui_policy_of_text(const char *path, const char *text, size_t size, time_t now,
			struct maui_policy **ret_policy, struct maui_error *error)
{
	struct maui_config *config = NULL;
	int rc = maui_config_parse(path, text, size, NULL, &config, error);

	if (rc)
		return rc;
	if (maui_config_errors(config)) {
		rc = maui_error_set(error, EINVAL, "the text has %zu errors: see `maui check`",
				    maui_config_errors(config));
		maui_config_unref(config);
		return rc;
	}
	*ret_policy = maui_policy_compile(config, now);
	return 0;
}
