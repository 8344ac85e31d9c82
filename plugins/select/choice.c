/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Calls admission_job_test() up to 8 times, each time without the nodes that
 * the engine's may_hold_on() refused.
 */
#include "plugins/select/choice.h"

#include "plugins/select/admission.h"
#include "plugins/select/engine_link.h"
#include "plugins/select/job_before.h"

/* Each costs as much as a start, in the next pass again. */
#define TRIES 8

static void take_back(const struct compat_job_test *test, bitstr_t *candidates,
		      const struct job_before *before)
{
	free_job_resources(&test->job->job_resrcs);
	if (test->preempted)
		FREE_NULL_LIST(*test->preempted);
	job_put_back(test->job, before);
	bit_copybits(test->nodes, candidates);
}

static int job_test_within_limits(const struct maui_engine_select *engine,
				  const struct compat_job_test *test)
{
	bitstr_t *candidates = bit_copy(test->nodes);
	struct job_before before = job_remember(test->job);
	int status = SLURM_ERROR;
	bool within = false;

	for (int i = 0; i < TRIES && !within; i++) {
		status = admission_job_test(test);
		if (status != SLURM_SUCCESS)
			break;
		within = engine->may_hold_on(test->job, test->nodes, candidates);
		if (!within) {
			take_back(test, candidates, &before);
			status = SLURM_ERROR;
		}
	}
	FREE_NULL_BITMAP(candidates);
	return status;
}

int choice_job_test(const struct compat_job_test *test)
{
	const struct maui_engine_select *engine = engine_link();

	if (!engine || test->mode != SELECT_MODE_RUN_NOW || !engine->limits_gres(test->job))
		return admission_job_test(test);
	return job_test_within_limits(engine, test);
}
