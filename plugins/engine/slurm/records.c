/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fills priority rows, snapshot rows and fairshare runs from the facts of jobs
 * and from Slurm's job, node and partition records.
 */
#include "plugins/compat/compat.h"

#include "plugins/engine/slurm/records.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "common/policy/priority/system_priority.h"
#include "common/util/slurm/task_list.h"
#include "plugins/engine/slurm/gres_records.h"
#include "plugins/engine/slurm/jobrec.h"
#include "plugins/engine/slurm/mark.h"
#include "plugins/engine/slurm/qos.h"

void records_machine(struct maui_resources *ret_machine)
{
	struct maui_resources machine = {0};

	for (int i = 0; i < node_record_count; i++) {
		const node_record_t *node = node_record_table_ptr[i];

		if (!node || !node->name)
			continue;
		machine.procs += node->cpus;
		machine.memory += (double)node->real_memory;
		machine.disk += node->tmp_disk;
	}
	*ret_machine = machine;
}

uint32_t records_class(const part_record_t *partition, struct maui_names *names)
{
	return partition ? maui_names_of_text(names, MAUI_CLASS, partition->name)
			 : MAUI_NO_CREDENTIAL;
}

/* --mem is per node, --mem-per-cpu per CPU; 0 asks for whatever a node has and counts as nothing
 * asked for. */
static double records_memory(const struct jobrec_facts *facts)
{
	if (facts->node_memory & MEM_PER_CPU)
		return (double)(facts->node_memory & ~MEM_PER_CPU) * facts->cpus;
	return (double)facts->node_memory * facts->nodes;
}

/* The account's text is on a line of its own, which no job with a known association needs. */
static uint32_t records_account(const job_record_t *job, struct maui_names *names)
{
	uint32_t id = maui_names_of_association(names, job->assoc_id);

	return id ? id : maui_names_of_account(names, job->assoc_id, job->account);
}

void records_job(const struct jobrec_facts *facts, const part_record_t *partition,
		 struct maui_names *names, uint32_t qos, uint32_t class,
		 const struct maui_resources *machine, struct maui_priority_job *ret_job)
{
	struct maui_priority_job row = {.procs = facts->cpus, .nodes = facts->nodes};
	struct maui_resources request;

	row.credential[MAUI_USER] = maui_names_of_number(names, MAUI_USER, facts->user);
	row.credential[MAUI_GROUP] = maui_names_of_number(names, MAUI_GROUP, facts->group);
	row.credential[MAUI_ACCOUNT] = records_account(facts->job, names);
	row.credential[MAUI_QOS] = qos;
	row.credential[MAUI_CLASS] = class;
	if (!qos)
		row.credential[MAUI_QOS] = qos_default(row.credential);
	row.weights = maui_names_weights(names, row.credential[MAUI_CLASS]);
	row.class_priority = partition ? partition->priority_job_factor : 0;
	row.walltime = jobrec_facts_walltime(facts, partition);
	row.system_priority =
		facts->expedited ? MAUI_SYSTEM_PRIORITY_EXPEDITED : facts->system_priority;
	if (row.system_priority)
		row.system_priority_mode = MAUI_ABSOLUTE_PRIORITY;
	row.memory = records_memory(facts);
	row.disk = (double)facts->node_disk * facts->nodes;
	row.gres = gres_records_asked(facts->job);
	request = (struct maui_resources){.procs = row.procs,
					  .memory = row.memory,
					  .swap = row.swap,
					  .disk = row.disk,
					  .gres = maui_pe_gres(row.gres)};
	row.pe = maui_pe(&request, machine);
	*ret_job = row;
}

/* Megabytes on all its nodes, as Slurm has counted them for the allocation. */
static double allocated_memory(const job_record_t *job)
{
	if (!job->tres_alloc_cnt || job->tres_alloc_cnt[TRES_ARRAY_MEM] == NO_CONSUME_VAL64)
		return 0;
	return (double)job->tres_alloc_cnt[TRES_ARRAY_MEM];
}

ENGINE_LOCKED static double held_pe(const job_record_t *job, const struct maui_resources *machine)
{
	struct maui_resources held = {.procs = job->total_cpus, .memory = allocated_memory(job)};

	if (job->details)
		held.disk = (double)job->details->pn_min_tmp_disk * job->total_nodes;
	if (machine->gres)
		held.gres = maui_pe_gres(gres_records_held(job));
	return maui_pe(&held, machine);
}

ENGINE_LOCKED static double run_rate(const job_record_t *job,
				     const struct maui_fairshare_settings *counting,
				     const struct maui_resources *machine)
{
	const struct maui_gres *gres = NULL;
	double pe = 0;

	if (counting->metric == MAUI_FS_DEDICATEDPES)
		pe = held_pe(job, machine);
	if (counting->metric == MAUI_FS_DEDICATEDGRES)
		gres = gres_records_held(job);
	if (gres == &maui_gres_most) /* not known; the next iteration may know */
		gres = NULL;
	return maui_fairshare_rate(counting, job->total_cpus, pe, gres);
}

/*
 * Slurm's record of the pauses: suspend_time is that of the last suspension or resumption,
 * pre_sus_time what had been run before it. A job that ends while it is suspended ends at
 * suspend_time.
 */
static void run_times(const job_record_t *job, bool ended, int64_t now, struct maui_run *run)
{
	run->start = run->resumed = job->start_time;
	run->over = ended || IS_JOB_FINISHED(job);
	run->until = run->over ? job->end_time : now;
	run->paused = !run->over && IS_JOB_SUSPENDED(job);
	if (run->paused) {
		run->until = job->suspend_time;
		run->seconds = job->pre_sus_time;
		if (run->until - run->seconds > run->resumed)
			run->resumed = run->until - run->seconds;
	} else if (job->suspend_time) {
		run->resumed = job->suspend_time;
		run->seconds = job->pre_sus_time + (run->until - run->resumed);
	} else {
		run->seconds = run->until - run->start;
	}
}

bool records_run(const job_record_t *job, bool ended, struct maui_names *names, uint32_t qos,
		 uint32_t class, const struct maui_fairshare_settings *counting,
		 const struct maui_resources *machine, int64_t now, struct maui_run *ret_run)
{
	struct maui_run run = {.job_id = job->job_id, .resized = job->resize_time};

	if (!job->start_time || (IS_JOB_PENDING(job) && !ended))
		return false;
	run_times(job, ended, now, &run);
	run.rate = run_rate(job, counting, machine);
	run.credential[MAUI_USER] = maui_names_of_number(names, MAUI_USER, job->user_id);
	run.credential[MAUI_GROUP] = maui_names_of_number(names, MAUI_GROUP, job->group_id);
	run.credential[MAUI_ACCOUNT] = records_account(job, names);
	run.credential[MAUI_QOS] = qos;
	run.credential[MAUI_CLASS] = class;
	if (!qos)
		run.credential[MAUI_QOS] = qos_default(run.credential);
	*ret_run = run;
	return true;
}

double records_speed(const job_record_t *job, const struct maui_node_policy *nodes)
{
	uint32_t count = 0;
	double sum = 0;
	int last;

	if (!job->node_bitmap)
		return 1;
	last = bit_fls(job->node_bitmap);
	for (int i = bit_ffs(job->node_bitmap); i >= 0 && i <= last; i++) {
		const node_record_t *node;

		if (!bit_test(job->node_bitmap, i))
			continue;
		node = node_record_table_ptr[i];
		sum += node && node->name ? maui_node_settings(nodes, node->name)->speed : 1;
		count++;
	}
	return count ? sum / count : 1;
}

/* end_time is set when a job is requeued; the submission time is set anew when its last node is
 * clean. */
int64_t records_requeued(const job_record_t *job, int64_t since, int64_t now)
{
	if ((job->end_time >= since || !IS_JOB_PENDING(job)) && job->end_time <= now)
		return job->end_time;
	if (job->details && job->details->submit_time >= since && job->details->submit_time <= now)
		return job->details->submit_time;
	return now;
}

struct place_walk {
	const job_record_t *job;
	records_visit_t visit;
	void *context;
	part_record_t *partition;
	uint32_t place;
};

static void visit_place(uint32_t qos, void *context)
{
	struct place_walk *walk = context;

	walk->visit(walk->partition, qos, walk->place++, walk->context);
}

static int visit_partition(void *object, void *context)
{
	struct place_walk *walk = context;

	walk->partition = object;
	jobrec_each_qos(walk->job, visit_place, walk);
	return 0;
}

uint32_t records_each_place(const job_record_t *job, records_visit_t visit, void *context)
{
	struct place_walk walk = {.job = job, .visit = visit, .context = context};

	if (job->part_ptr_list)
		list_for_each_ro(job->part_ptr_list, visit_partition, &walk);
	else if (job->part_ptr)
		visit_partition(job->part_ptr, &walk);
	return walk.place;
}

struct current {
	const part_record_t *partition;
	uint32_t qos, place;
};

static void find_current(part_record_t *partition, uint32_t qos, uint32_t place, void *context)
{
	struct current *current = context;

	if (partition == current->partition && qos == current->qos)
		current->place = place;
}

uint32_t records_current_place(const job_record_t *job)
{
	struct current current = {0};

	if (!job->part_ptr_list)
		return 0;
	current.partition = job->part_ptr;
	current.qos = jobrec_qos(job);
	records_each_place(job, find_current, &current);
	return current.place;
}

/*
 * Each of the three ways to start a job (at submission, main scheduler, backfill) leaves its own
 * bit in db_flags when the job is allocated, for sacct's Flags, and the job's saved state keeps it.
 * A new start does not clear the bits of an earlier one, nor does every kind of requeue (22.05
 * masks the wrong half), so there may be several: then bit_flags tells, where the main scheduler
 * clears BACKFILL_SCHED of all pending jobs before it looks for one to start, and backfill sets it
 * when it looks at a job. A job that is cancelled while it waits may have such a bit from before,
 * too; it has a start time then, which is that of its end.
 */
bool records_backfilled(const job_record_t *job)
{
	const uint32_t others = SLURMDB_JOB_FLAG_SUBMIT | SLURMDB_JOB_FLAG_SCHED;

	if (IS_JOB_PENDING(job) || !(job->db_flags & SLURMDB_JOB_FLAG_BACKFILL))
		return false;
	if (IS_JOB_CANCELLED(job) && job->start_time == job->end_time)
		return false;
	return !(job->db_flags & others) || (job->bit_flags & BACKFILL_SCHED);
}

static unsigned int records_violations(const struct jobrec_facts *facts,
				       const part_record_t *partition)
{
	unsigned int violations = 0;

	if (facts->priority == 0)
		violations |= MAUI_VIOLATES_HOLD;
	if (facts->reason == WAIT_DEPENDENCY)
		violations |= MAUI_VIOLATES_DEPENDENCY;
	if (!partition || !(partition->state_up & PARTITION_SCHED))
		violations |= MAUI_VIOLATES_CLASS;
	return violations;
}

/* The pending tasks of a meta job, cut between two where the text is long; NULL for other jobs. */
static const char *records_tasks(const job_record_t *job, struct maui_arena *texts)
{
	char tasks[48], *all;

	if (!job->array_recs || !job->array_recs->task_id_bitmap)
		return NULL;
	all = bit_fmt_full(job->array_recs->task_id_bitmap);
	maui_task_list_cut(all ? all : "", tasks, sizeof(tasks));
	xfree(all);
	return maui_arena_text(texts, tasks, strlen(tasks));
}

void records_row(const struct jobrec_facts *facts, const part_record_t *partition, uint32_t place,
		 const struct maui_snapshot *snapshot, struct maui_snapshot_row *row)
{
	_Static_assert(MAUI_NO_TASK == NO_VAL, "a row's task is as in the record");
	*row = (struct maui_snapshot_row){
		.job_id = facts->job_id,
		.array_job_id = facts->array_id,
		.array_task_id = facts->array_task,
		.tasks = records_tasks(facts->job, snapshot->texts),
		.submitted = facts->submitted,
		.eligible_since =
			facts->begins > facts->submitted ? facts->begins : facts->submitted,
		.nice = facts->nice,
		.site_factor = facts->site_factor,
		.violations = (uint16_t)records_violations(facts, partition),
		.position = place,
		.priority = jobrec_priority_at(facts->job, place),
		.walltime_asked = jobrec_facts_walltime_asked(facts),
		.reason = facts->reason,
		.state = facts->by_hand ? MAUI_ROW_DIRECT : MAUI_ROW_IDLE,
		.user_hold = facts->reason == WAIT_HELD_USER,
		.mark = facts->mark,
		.parkable = facts->parkable,
		.waits = facts->depends || facts->begins > snapshot->time,
	};
	row->slurm_priority = row->priority;
}
