/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The select plugin of Maui: wraps Slurm's own select/cons_tres, which does the
 * work, and lets the engine say which nodes go first.
 *
 * Up to 24.11 it has the name of the plugin it wraps, so that job state,
 * clients and reservations stay as they are. It is installed in a directory of
 * its own, which must be first in PluginDir; remove that directory and it is
 * gone. Client commands, slurmd and slurmstepd load this file, too: there it
 * passes every call on, and does nothing else.
 *
 * From 25.05 on it is select/cons_tres_maui, which SelectType names, and only
 * slurmctld loads it.
 */
#include "plugins/compat/select_api.h"

#include "src/common/run_in_daemon.h"

#include "plugins/select/active_jobs.h"
#include "plugins/select/choice.h"
#include "plugins/select/engine_link.h"
#include "plugins/select/holdings.h"
#include "plugins/select/select_inner.h"
#include "plugins/select/placement.h"

MAUI_EXPORT const char plugin_name[] = "Maui node selection, before cons_tres";
MAUI_EXPORT const char plugin_type[] = COMPAT_SELECT_TYPE;
MAUI_EXPORT const uint32_t plugin_version = SLURM_VERSION_NUMBER;
MAUI_EXPORT const uint32_t plugin_id = SELECT_PLUGIN_CONS_TRES;

MAUI_EXPORT int init(void);
MAUI_EXPORT int fini(void);
#define DECLARE(type, name, member, parameters, arguments)                                         \
	MAUI_EXPORT type select_p_##name parameters;
COMPAT_SELECT_FORWARDED(DECLARE)
COMPAT_SELECT_HOOKED(DECLARE)
#undef DECLARE

/* Neither slurmd nor clients have jobs and nodes. */
static bool in_slurmctld;

int init(void)
{
	if (inner_load(plugin_name) != SLURM_SUCCESS)
		return SLURM_ERROR;
	in_slurmctld = running_in_slurmctld();
	if (in_slurmctld) {
		active_jobs_open();
		engine_link_open();
	}
	return SLURM_SUCCESS;
}

int fini(void)
{
	placement_free();
	if (in_slurmctld)
		active_jobs_close();
	inner_unload();
	return SLURM_SUCCESS;
}

#define FORWARD(type, name, member, parameters, arguments)                                         \
	type select_p_##name parameters                                                            \
	{                                                                                          \
		return inner.member arguments;                                                     \
	}
COMPAT_SELECT_FORWARDED(FORWARD)
#undef FORWARD

/* ---- nodes ---- */

static void before_nodes_change(void)
{
	if (in_slurmctld)
		active_jobs_sync();
}

static void nodes_changed(void)
{
	if (!in_slurmctld)
		return;
	placement_configure();
	holdings_configure();
	if (engine_link())
		engine_link()->nodes_changed();
}

int select_p_node_init(void)
{
	int status;

	before_nodes_change();
	status = inner.node_init();

	nodes_changed();
	return status;
}

int select_p_reconfigure(void)
{
	int status;

	before_nodes_change();
	status = inner.reconfigure();

	nodes_changed();
	return status;
}

/* ---- jobs ---- */

/*
 * Backfill plans; a query for when a job might start is answered by what is available, without
 * limits.
 */
static bool is_start(const struct compat_job_test *test)
{
	return test->mode == SELECT_MODE_RUN_NOW ||
	       (test->mode == SELECT_MODE_WILL_RUN && (test->job->bit_flags & BACKFILL_TEST));
}

#if !COMPAT_SELECT_PLACES_CORES
/* It is no job: limits and access are not asked for, and its nodes have Slurm's own order. */
static int reservation_test(const struct compat_job_test *test)
{
	bitstr_t *nodes, *cores;
	int status;

	if (!engine_link() || !engine_link()->place_reservation(&nodes, &cores))
		return compat_job_test(&inner, test);
	status = compat_give_cores(test, nodes, cores);
	FREE_NULL_BITMAP(nodes);
	FREE_NULL_BITMAP(cores);
	return status;
}
#endif

int select_p_job_test COMPAT_JOB_TEST_PARAMETERS
{
	struct compat_job_test test = COMPAT_JOB_TEST_OF_ARGUMENTS;
	const struct maui_engine_select *engine = engine_link();
	bool immediate = test.mode == SELECT_MODE_RUN_NOW;
	int status;

#if !COMPAT_SELECT_PLACES_CORES
	if (compat_is_reservation_test(&test))
		return reservation_test(&test);
#endif
	if (engine && is_start(&test) && !engine->may_start(job, immediate))
		return SLURM_ERROR;
	if (engine && test.mode != SELECT_MODE_TEST_ONLY)
		engine->permit(job, nodes);
	active_jobs_show(&test);
	status = choice_job_test(&test);
	active_jobs_hide(&test, status);
	if (status == SLURM_SUCCESS && engine && immediate && !engine->may_hold(job)) {
		free_job_resources(&job->job_resrcs);
		status = SLURM_ERROR;
	}
	if (status == SLURM_SUCCESS && engine && immediate && test.preempted && *test.preempted)
		engine->preempts(job, nodes, *test.preempted);
	return status;
}

/* A job has got its nodes. */
int select_p_select_nodeinfo_set(job_record_t *job)
{
	int status = inner.nodeinfo_set(job);

	active_jobs_began();
	if (engine_link())
		engine_link()->run_began(job);
	return status;
}

/* Before the inner call, which releases the job's resources. */
int select_p_job_fini(job_record_t *job)
{
	active_jobs_ended();
	if (engine_link())
		engine_link()->run_ended(job);
	return inner.job_fini(job);
}

static void select_maui_resized(const job_record_t *job)
{
	active_jobs_changed();
	if (engine_link())
		engine_link()->resized(job);
}

int select_p_job_expand(job_record_t *from, job_record_t *to)
{
	int status = inner.job_expand(from, to);

	select_maui_resized(from);
	select_maui_resized(to);
	return status;
}

int select_p_job_resized(job_record_t *job, node_record_t *node)
{
	int status = inner.job_resized(job, node);

	select_maui_resized(job);
	return status;
}

int select_p_job_suspend(job_record_t *job, bool indefinitely)
{
	int status = inner.job_suspend(job, indefinitely);

	active_jobs_changed();
	if (status == SLURM_SUCCESS && engine_link())
		engine_link()->suspended(job, true);
	return status;
}

int select_p_job_resume(job_record_t *job, bool indefinitely)
{
	int status = inner.job_resume(job, indefinitely);

	active_jobs_changed();
	if (status == SLURM_SUCCESS && engine_link())
		engine_link()->suspended(job, false);
	return status;
}

/* ---- reservations ---- */

#if COMPAT_SELECT_PLACES_CORES
bitstr_t *select_p_resv_test(resv_desc_msg_t *request, uint32_t count, bitstr_t *nodes,
			     bitstr_t **cores)
{
	bitstr_t *our_nodes, *our_cores;

	if (!engine_link() || !cores || !engine_link()->place_reservation(&our_nodes, &our_cores))
		return inner.resv_test(request, count, nodes, cores);
	FREE_NULL_BITMAP(*cores);
	*cores = our_cores;
	return our_nodes;
}
#endif

/* ---- steps ---- */

#if COMPAT_SELECT_TELLS_STEPS
/* Called twice for a step that is killed: its usage is only known once it has ended. */
int select_p_step_finish(step_record_t *step, bool killing)
{
	if (!killing && engine_link())
		engine_link()->step_ended(step);
	return inner.step_finish(step, killing);
}
#endif
