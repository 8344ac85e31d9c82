/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/select/admission.h"

#include <time.h>

#include "plugins/select/engine_link.h"
#include "plugins/select/placement.h"

/* Times that are tried for one plan: each costs as much as a plan without reservations. */
#define TRIES 8

/* Whether the chosen nodes are still to be had when the job is planned to start on them. */
static bool admitted(const struct maui_engine_select *engine, const struct compat_job_test *test)
{
	bitstr_t *nodes = bit_copy(test->nodes);
	bool same;

	engine->admit(test->job, nodes, test->job->start_time);
	same = bit_equal(nodes, test->nodes);
	FREE_NULL_BITMAP(nodes);
	return same;
}

/* Nodes may be free before the reservations let the job have them. */
static bool is_plan(const struct maui_engine_select *engine, const struct compat_job_test *test,
		    time_t start)
{
	if (test->job->start_time <= start) {
		test->job->start_time = start;
		return true;
	}
	return admitted(engine, test);
}

static void drop_preempted(const struct compat_job_test *test)
{
	if (test->preempted)
		FREE_NULL_LIST(*test->preempted);
}

/*
 * From now on; then from when a reservation that is in the way ends, or, where the nodes that the job would get later are
 * reserved by then, from that time on.
 */
static int plan(const struct maui_engine_select *engine, const struct compat_job_test *test,
		const bitstr_t *all, time_t start, time_t next)
{
	int status = SLURM_ERROR;

	for (int i = 0; i < TRIES; i++) {
		status = placement_job_test(test);
		if (status == SLURM_SUCCESS && is_plan(engine, test, start))
			return status;
		if (status == SLURM_SUCCESS) {
			drop_preempted(test);
			next = test->job->start_time;
			status = SLURM_ERROR;
		}
		if (next <= start)
			return status;
		start = next;
		bit_copybits(test->nodes, (bitstr_t *)all);
		next = engine->admit(test->job, test->nodes, start);
	}
	return status;
}

int admission_job_test(const struct compat_job_test *test)
{
	const struct maui_engine_select *engine = engine_link();
	time_t now = time(NULL), next;
	bitstr_t *all;
	int status;

	if (!engine || test->mode == SELECT_MODE_TEST_ONLY)
		return placement_job_test(test);
	all = test->mode == SELECT_MODE_WILL_RUN && engine->may_be_admitted(test->job)
		      ? bit_copy(test->nodes)
		      : NULL;
	next = engine->admit(test->job, test->nodes, now);
	status = all ? plan(engine, test, all, now, next) : placement_job_test(test);
	FREE_NULL_BITMAP(all);
	return status;
}
