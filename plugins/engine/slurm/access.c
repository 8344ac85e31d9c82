/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Chooses between NODEACCESSPOLICY and the job's NACCESSPOLICY, and sets
 * whole_node, share_res and ntasks_per_node in the job's details.
 */
#include "plugins/compat/compat.h"

#include "plugins/engine/slurm/access.h"

#include <strings.h>

#include "common/util/extension.h"

static bool access_is(const struct maui_piece *name, const char *policy)
{
	return name->size == strlen(policy) && !strncasecmp(name->text, policy, name->size);
}

static struct maui_piece policy_of(const job_record_t *job, const struct maui_policy *policy)
{
	const struct maui_value *value =
		maui_config_get(policy->config, MAUI_KEY_NODEACCESSPOLICY, NULL);
	const char *name = value->key->keywords[value->integer];
	struct maui_piece own;

	if (maui_extension_find(job->comment, "NACCESSPOLICY", &own) &&
	    (access_is(&own, "SHARED") || access_is(&own, "SINGLEJOB") ||
	     access_is(&own, "SINGLETASK") || access_is(&own, "SINGLEUSER")))
		return own;
	return (struct maui_piece){name, strlen(name)};
}

/* One task per node, on as many nodes as tasks, unless the job has said otherwise. */
static void spread_tasks(job_details_t *details)
{
	if (details->max_nodes && details->max_nodes < details->num_tasks)
		return;
	details->ntasks_per_node = 1;
	if (details->min_nodes < details->num_tasks)
		details->min_nodes = details->num_tasks;
}

void access_apply(struct slurm_writer *writer, job_record_t *job, const struct maui_policy *policy)
{
	job_details_t *details = job->details;
	struct maui_piece wanted;
	bool single_task;

	if (!details || !IS_JOB_PENDING(job))
		return;
	wanted = policy_of(job, policy);
	single_task = access_is(&wanted, "SINGLETASK");
	if (single_task && !compat_wants_whole_nodes(details))
		spread_tasks(details);
	if (single_task || access_is(&wanted, "SINGLEJOB")) {
		compat_take_whole_nodes(details);
		details->share_res = 0;
	} else if (access_is(&wanted, "SINGLEUSER") && !details->whole_node) {
		details->whole_node = WHOLE_NODE_USER;
	}
}
