/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/select/usage.h"

static uint32_t *used; /* by node; as many as there were nodes when it was counted */
static uint32_t room;
static bool known;

/* Adds a job's CPUs to its nodes, or takes them off. A job that may share its CPUs holds none. */
static void count_job(const job_record_t *job, bool add)
{
	const job_resources_t *resources = job->job_resrcs;
	int last, position = 0;

	if (!resources || !resources->node_bitmap || !resources->cpus ||
	    resources->node_req == NODE_CR_AVAILABLE)
		return;
	last = bit_fls(resources->node_bitmap);
	for (int i = bit_ffs(resources->node_bitmap); i >= 0 && i <= last; i++) {
		uint32_t cpus;

		if (!bit_test(resources->node_bitmap, i))
			continue;
		cpus = resources->cpus[position++];
		if ((uint32_t)i >= room)
			return;
		if (add)
			used[i] += cpus;
		else
			used[i] -= used[i] < cpus ? used[i] : cpus;
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
	if (room != node_record_count) {
		room = node_record_count;
		xrecalloc(used, room, sizeof(*used));
	}
	if (room)
		memset(used, 0, room * sizeof(*used));
	if (job_list)
		list_for_each_ro(job_list, count_running, NULL);
	known = true;
}

void usage_job_begins(const job_record_t *job)
{
	if (known && IS_JOB_RUNNING(job))
		count_job(job, true);
}

void usage_job_ends(const job_record_t *job)
{
	if (job->suspend_time) /* whether it is counted depends on how it was suspended */
		known = false;
	else if (known)
		count_job(job, false);
}

void usage_forget(void)
{
	known = false;
}

uint32_t usage_free_cpus(const node_record_t *node)
{
	uint32_t held;

	if (!known)
		count_all();
	held = node->index < room ? used[node->index] : 0;
	return held < node->cpus_efctv ? node->cpus_efctv - held : 0;
}
