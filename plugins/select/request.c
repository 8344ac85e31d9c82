/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decides by job_details_t, the partition, the test's node counts and
 * slurm.conf: SelectTypeParameters, PreemptMode, SchedulerType,
 * pack_serial_at_end.
 */
#include "plugins/select/request.h"

static bool serial_jobs_at_end;
static bool plans_keep_weights;

void request_configure(void)
{
	serial_jobs_at_end = xstrcasestr(slurm_conf.sched_params, "pack_serial_at_end");
	plans_keep_weights =
		COMPAT_PLANS_BY_WEIGHT && !xstrcmp(slurm_conf.schedtype, "sched/builtin");
}

/*
 * With a tree of switches Slurm takes the lowest weights that suffice, and only limits the number
 * of switches among nodes of the same weight: an order would scatter a multi-node job all over the
 * tree.
 */
static bool may_span_switches(const struct compat_job_test *test)
{
	return test->max_nodes > 1 && compat_has_switches(test->job->part_ptr) &&
	       (test->min_nodes > 1 || test->job->details->min_cpus > 1);
}

bool request_has_slurms_order(const struct compat_job_test *test)
{
	const job_record_t *job = test->job;

	return test->mode == SELECT_MODE_TEST_ONLY || !job->details || !job->part_ptr ||
	       (test->mode == SELECT_MODE_WILL_RUN && plans_keep_weights) || !test->max_nodes ||
	       may_span_switches(test) || job->details->contiguous ||
	       (job->bit_flags & SPREAD_JOB) || (slurm_conf.select_type_param & SELECT_LLN) ||
	       (job->part_ptr->flags & PART_FLAG_LLN) ||
	       (serial_jobs_at_end && job->details->min_cpus == 1 && test->req_nodes == 1);
}

bool request_may_share(const job_record_t *job)
{
	uint16_t share = job->part_ptr->max_share;

	return (share & SHARED_FORCE) || (share > 1 && job->details->share_res == 1) ||
	       (slurm_conf.preempt_mode & PREEMPT_MODE_GANG) || job->details->overcommit;
}

bool request_fits_in_any_order(const struct compat_job_test *test)
{
	const job_record_t *job = test->job;

	return !job->gres_list_req && !compat_has_switches(job->part_ptr) &&
	       !request_may_share(job) &&
	       (test->max_nodes == 1 || test->max_nodes == test->min_nodes ||
		test->max_nodes >= job->details->min_cpus);
}

static uint32_t cpus_of_use(const job_record_t *job)
{
	const job_details_t *details = job->details;
	uint32_t task = MAX(details->cpus_per_task, 1);

	return MAX(MAX(details->ntasks_per_node, 1) * task, details->pn_min_cpus);
}

static uint64_t memory_of_use(const job_record_t *job)
{
	uint64_t asked = job->details->pn_min_memory;

	if (!(slurm_conf.select_type_param & SELECT_MEMORY) || job->gres_list_req)
		return 0;
	if (asked & MEM_PER_CPU)
		return (asked & ~MEM_PER_CPU) * MAX(job->details->cpus_per_task, 1);
	return asked;
}

struct idle_least request_least(const job_record_t *job)
{
	return (struct idle_least){
		.cpus = cpus_of_use(job),
		.memory = memory_of_use(job),
		.whole = compat_wants_whole_nodes(job->details) || job->part_ptr->max_share == 0,
	};
}

bool request_counts_alone(const struct compat_job_test *test)
{
	const job_record_t *job = test->job;

	return test->mode == SELECT_MODE_RUN_NOW && test->max_nodes && !test->preemptable &&
	       job->details && job->part_ptr && !request_may_share(job) && !job->license_list &&
	       !compat_has_switches(job->part_ptr) && job->details->core_spec == NO_VAL16;
}

bool request_may_be_uneven(const struct compat_job_test *test)
{
	return test->max_nodes > 1 &&
	       test->job->details->min_cpus > (uint64_t)test->min_nodes * cpus_of_use(test->job);
}

bool request_is_counted(const struct compat_job_test *test)
{
	return !request_may_be_uneven(test) && !test->job->gres_list_req && !test->excluded_cores;
}

bool request_takes_the_first(const struct compat_job_test *test)
{
	return !request_may_be_uneven(test) && !test->job->gres_list_req &&
	       !test->job->details->req_node_bitmap;
}

bool request_few_may_do(const struct compat_job_test *test)
{
	return test->req_nodes <= test->min_nodes && !request_may_share(test->job) &&
	       !compat_has_switches(test->job->part_ptr);
}

bool request_may_be_delayed(const struct compat_job_test *test)
{
	return test->mode == SELECT_MODE_WILL_RUN && request_may_be_uneven(test) &&
	       test->max_nodes > test->min_nodes && test->max_nodes < test->job->details->min_cpus;
}

uint32_t request_most_nodes(const struct compat_job_test *test)
{
	uint32_t tasks = test->job->details->num_tasks;

	return tasks && test->max_nodes > tasks ? MAX(tasks, test->min_nodes) : test->max_nodes;
}

bool request_may_look_later(const struct compat_job_test *test)
{
	return test->mode == SELECT_MODE_WILL_RUN && !test->preemptable &&
	       !(test->job->bit_flags & TEST_NOW_ONLY) && !request_may_share(test->job) &&
	       !compat_has_switches(test->job->part_ptr);
}
