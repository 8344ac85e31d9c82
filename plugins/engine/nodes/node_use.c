/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sums CPUs, memory and jobs per node. Job starts and ends adjust the sums; the
 * end of a job that was suspended forces a recount.
 */
#include "plugins/compat/base.h"

#include "plugins/engine/nodes/node_use.h"

#include <string.h>

#include "common/util/idmap.h"
#include "plugins/engine/runtime/monotonic.h"
#include "plugins/engine/slurm/jobrec.h"
#include "plugins/engine/slurm/noderec.h"

/* Seconds after which all jobs are counted anew: an event that Slurm did not report must not keep
 * nodes closed for longer. */
#define LONGEST_KNOWN 60

/* Slurm's job lock guards all of this (node_use.h). */
static uint32_t *cpus; /* by node; as many as there were nodes at the last count */
static uint64_t *memory;
static uint32_t *jobs;
static uint32_t *resumed;
static struct maui_idmap counted; /* job ids: Slurm reports some jobs twice */
static uint32_t room;
static bool known;
static double counted_at; /* monotonic_seconds() */
static uint64_t changes;

static void add_held(uint32_t node, uint16_t job_cpus, uint64_t job_memory, void *context)
{
	(void)context;
	if (node >= room)
		return;
	cpus[node] += job_cpus;
	memory[node] += job_memory;
}

static void take_held(uint32_t node, uint16_t job_cpus, uint64_t job_memory, void *context)
{
	(void)context;
	if (node >= room)
		return;
	cpus[node] -= MIN(cpus[node], job_cpus);
	memory[node] -= MIN(memory[node], job_memory);
}

static void add_job(uint32_t node, uint16_t job_cpus, uint64_t job_memory, void *context)
{
	if (node < room)
		jobs[node]++;
}

static void take_job(uint32_t node, uint16_t job_cpus, uint64_t job_memory, void *context)
{
	if (node < room)
		jobs[node] -= MIN(jobs[node], 1);
}

static void add_resumed(uint32_t node, uint16_t job_cpus, uint64_t job_memory, void *context)
{
	if (node < room)
		resumed[node]++;
}

/* A suspended job is on its nodes, and holds nothing. A job that may share its CPUs holds none. */
static void count_job(const job_record_t *job)
{
	if (maui_idmap_find(&counted, jobrec_id(job)))
		return;
	maui_idmap_set(&counted, jobrec_id(job), 1);
	jobrec_each_node(job, add_job, NULL);
	if (jobrec_is_running(job) && jobrec_was_suspended(job))
		jobrec_each_node(job, add_resumed, NULL);
	if (jobrec_is_running(job) && jobrec_has_own_cpus(job))
		jobrec_each_node(job, add_held, NULL);
}

/* Of one that was never suspended. */
static void take_off(const job_record_t *job)
{
	if (!maui_idmap_find(&counted, jobrec_id(job)))
		return;
	maui_idmap_remove(&counted, jobrec_id(job));
	jobrec_each_node(job, take_job, NULL);
	if (jobrec_has_own_cpus(job))
		jobrec_each_node(job, take_held, NULL);
}

struct visitor {
	maui_engine_visit_held_t visit;
	void *context;
};

static void visit_uncounted(uint32_t node, uint16_t job_cpus, uint64_t job_memory, void *context)
{
	const struct visitor *visitor = context;

	(void)job_cpus;
	(void)job_memory;
	visitor->visit(node, 0, 0, visitor->context);
}

void node_use_of(const job_record_t *job, maui_engine_visit_held_t visit, void *context)
{
	struct visitor visitor = {visit, context};

	if (jobrec_is_running(job) && jobrec_has_own_cpus(job))
		jobrec_each_node(job, visit, context);
	else
		jobrec_each_node(job, visit_uncounted, &visitor);
}

static int count_active(job_record_t *job, void *context)
{
	(void)context;
	if (jobrec_is_active(job))
		count_job(job);
	return 0;
}

static void node_use_count_all(void)
{
	if (room != noderec_count()) {
		room = noderec_count();
		xrecalloc(cpus, room + 1, sizeof(*cpus));
		xrecalloc(memory, room + 1, sizeof(*memory));
		xrecalloc(jobs, room + 1, sizeof(*jobs));
		xrecalloc(resumed, room + 1, sizeof(*resumed));
	}
	memset(cpus, 0, room * sizeof(*cpus));
	memset(memory, 0, room * sizeof(*memory));
	memset(jobs, 0, room * sizeof(*jobs));
	memset(resumed, 0, room * sizeof(*resumed));
	maui_idmap_clear(&counted);
	jobrec_each(count_active, NULL);
	known = true;
	counted_at = monotonic_seconds();
}

void node_use_begins(const job_record_t *job)
{
	if (known && jobrec_is_active(job))
		count_job(job);
}

void node_use_ends(const job_record_t *job)
{
	if (jobrec_was_suspended(job)) /* whether it is counted depends on how it was suspended */
		known = false;
	else if (known)
		take_off(job);
}

void node_use_forget(void)
{
	changes++;
	known = false;
}

uint64_t node_use_changes(void)
{
	return changes;
}

const struct maui_engine_node_use *node_use(void)
{
	static struct maui_engine_node_use use; /* Slurm's job lock guards it */

	if (!known || room != noderec_count() || monotonic_seconds() - counted_at > LONGEST_KNOWN)
		node_use_count_all();
	use = (struct maui_engine_node_use){
		.cpus = cpus, .memory = memory, .jobs = jobs, .resumed = resumed, .count = room};
	return &use;
}

struct use_count {
	uint32_t *cpus, count;
};

static void count_node(uint32_t node, uint16_t job_cpus, uint64_t job_memory, void *context)
{
	struct use_count *use = context;

	(void)job_memory;
	if (node < use->count)
		use->cpus[node] += job_cpus;
}

static int count_cpus(job_record_t *job, void *context)
{
	if (jobrec_is_running(job))
		jobrec_each_node(job, count_node, context);
	return 0;
}

void node_use_count(uint32_t *cpus_by_node, uint32_t count)
{
	struct use_count use = {cpus_by_node, count};

	jobrec_each(count_cpus, &use);
}
