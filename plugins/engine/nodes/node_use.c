/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/compat/compat.h"

#include "plugins/engine/nodes/node_use.h"

#include "src/common/job_resources.h"

static uint32_t *cpus; /* by node; as many as there were nodes when it was counted */
static uint64_t *memory;
static uint32_t room;
static bool known;

static void count_on(uint32_t node, uint32_t job_cpus, uint64_t job_memory, bool add)
{
	if (add) {
		cpus[node] += job_cpus;
		memory[node] += job_memory;
	} else {
		cpus[node] -= MIN(cpus[node], job_cpus);
		memory[node] -= MIN(memory[node], job_memory);
	}
}

/* Adds what a job holds to its nodes, or takes it off. A job that may share its CPUs holds none. */
static void count_job(const job_record_t *job, bool add)
{
	const job_resources_t *resources = job->job_resrcs;
	int last, position = 0;

	if (!resources || !resources->node_bitmap || !resources->cpus ||
	    resources->node_req == NODE_CR_AVAILABLE)
		return;
	last = bit_fls(resources->node_bitmap);
	for (int i = bit_ffs(resources->node_bitmap); i >= 0 && i <= last; i++) {
		if (!bit_test(resources->node_bitmap, i))
			continue;
		if ((uint32_t)i >= room)
			return;
		count_on(i, resources->cpus[position],
			 resources->memory_allocated ? resources->memory_allocated[position] : 0,
			 add);
		position++;
	}
}

static int count_running(void *element, void *context)
{
	const job_record_t *job = element;

	(void)context;
	if (IS_JOB_RUNNING(job))
		count_job(job, true);
	return 0;
}

static void count_all(void)
{
	if (room != (uint32_t)node_record_count) {
		room = (uint32_t)node_record_count;
		xrecalloc(cpus, room + 1, sizeof(*cpus));
		xrecalloc(memory, room + 1, sizeof(*memory));
	}
	memset(cpus, 0, room * sizeof(*cpus));
	memset(memory, 0, room * sizeof(*memory));
	if (job_list)
		list_for_each_ro(job_list, count_running, NULL);
	known = true;
}

void node_use_begins(const job_record_t *job)
{
	if (known && IS_JOB_RUNNING(job))
		count_job(job, true);
}

void node_use_ends(const job_record_t *job)
{
	if (job->suspend_time) /* whether it is counted depends on how it was suspended */
		known = false;
	else if (known)
		count_job(job, false);
}

void node_use_forget(void)
{
	known = false;
}

const struct maui_engine_node_use *node_use(void)
{
	static struct maui_engine_node_use use;

	if (!known || room != (uint32_t)node_record_count)
		count_all();
	use = (struct maui_engine_node_use){.cpus = cpus, .memory = memory, .count = room};
	return &use;
}

struct use_count {
	uint32_t *cpus, count;
};

static int count_cpus(void *element, void *context)
{
	const job_record_t *job = element;
	const job_resources_t *resources = job->job_resrcs;
	struct use_count *use = context;
	int last, position = 0;

	if (!IS_JOB_RUNNING(job) || !resources || !resources->node_bitmap || !resources->cpus)
		return 0;
	last = bit_fls(resources->node_bitmap);
	for (int i = bit_ffs(resources->node_bitmap); i >= 0 && i <= last; i++)
		if (bit_test(resources->node_bitmap, i) && (uint32_t)i < use->count)
			use->cpus[i] += resources->cpus[position++];
	return 0;
}

void node_use_count(uint32_t *cpus_by_node, uint32_t count)
{
	struct use_count use = {cpus_by_node, count};

	if (job_list)
		list_for_each_ro(job_list, count_cpus, &use);
}
