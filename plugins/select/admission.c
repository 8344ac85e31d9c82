/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Removes nodes with the engine's admit() before placement_job_test(). A plan
 * tries up to 8 start times until its nodes stay admitted.
 */
#include "plugins/select/admission.h"

#include <time.h>

#include "plugins/select/engine_link.h"
#include "plugins/select/placement.h"

/* Start times tried for one plan: each costs as much as a plan without reservations. */
#define TRIES 8

/* Whether the chosen nodes will still be available when the job is planned to start on them. */
static bool admission_admitted(const struct maui_engine_select *engine,
			       const struct compat_job_test *test)
{
	bitstr_t *nodes = bit_copy(test->nodes);
	bitstr_t *cores = test->excluded_cores ? bit_copy(test->excluded_cores) : NULL;
	bool same;

	engine->admit(test->job, nodes, &cores, test->job->start_time);
	same = bit_equal(nodes, test->nodes) &&
	       (!cores || (test->excluded_cores && bit_super_set(cores, test->excluded_cores)));
	FREE_NULL_BITMAP(nodes);
	FREE_NULL_BITMAP(cores);
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
	return admission_admitted(engine, test);
}

static void drop_preempted(const struct compat_job_test *test)
{
	if (test->preempted)
		FREE_NULL_LIST(*test->preempted);
}

/*
 * The test on the nodes that the reservations let the job have if it starts then; *ret_next: other
 * nodes become available at that time.
 */
static int test_at(const struct maui_engine_select *engine, const struct compat_job_test *test,
		   time_t start, bool planned, bool *ret_good, time_t *ret_next)
{
	struct compat_job_test now = *test;
	bitstr_t *cores = test->excluded_cores ? bit_copy(test->excluded_cores) : NULL;
	int status;

	*ret_next = engine->admit(test->job, test->nodes, &cores, start);
	now.excluded_cores = cores;
	status = placement_job_test(&now);
	*ret_good = status == SLURM_SUCCESS && (!planned || is_plan(engine, &now, start));
	FREE_NULL_BITMAP(cores);
	return status;
}

/*
 * From now; then from when a reservation in the way ends, or, if the nodes that the job would get
 * later are reserved by then, from that time.
 */
static int admission_plan(const struct maui_engine_select *engine,
			  const struct compat_job_test *test, time_t start)
{
	bitstr_t *all = bit_copy(test->nodes);
	int status = SLURM_ERROR;
	bool good = false;
	time_t next;

	for (int i = 0; i < TRIES && !good; i++) {
		bit_copybits(test->nodes, all);
		status = test_at(engine, test, start, true, &good, &next);
		if (status == SLURM_SUCCESS && !good) {
			drop_preempted(test);
			next = test->job->start_time;
			status = SLURM_ERROR;
		}
		if (next <= start)
			break;
		start = next;
	}
	FREE_NULL_BITMAP(all);
	return status;
}

int admission_job_test(const struct compat_job_test *test)
{
	const struct maui_engine_select *engine = engine_link();
	time_t now = time(NULL), next;
	bool good;

	if (!engine || test->mode == SELECT_MODE_TEST_ONLY || !engine->may_be_admitted(test->job))
		return placement_job_test(test);
	if (test->mode == SELECT_MODE_WILL_RUN)
		return admission_plan(engine, test, now);
	return test_at(engine, test, now, false, &good, &next);
}
