/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where a job is, and what it holds there. */
#include "plugins/compat/compat.h"

#include "plugins/engine/slurm/jobrec.h"

#include "src/common/job_resources.h"

void jobrec_each_node(const job_record_t *job, jobrec_visit_node_t visit, void *context)
{
	const job_resources_t *held = job->job_resrcs;
	int last, position = 0;

	if (!held || !held->node_bitmap)
		return;
	last = bit_fls(held->node_bitmap);
	for (int i = bit_ffs(held->node_bitmap); i >= 0 && i <= last; i++) {
		if (!bit_test(held->node_bitmap, i))
			continue;
		visit((uint32_t)i, held->cpus ? held->cpus[position] : 0,
		      held->memory_allocated ? held->memory_allocated[position] : 0, context);
		position++;
	}
}

void jobrec_each_node_cores(const job_record_t *job, jobrec_visit_cores_t visit, void *context)
{
	const job_resources_t *held = job->job_resrcs;
	uint32_t at = 0;
	int last;

	if (!held || !held->node_bitmap || !held->core_bitmap ||
	    bit_size(held->node_bitmap) != node_record_count)
		return;
	last = bit_fls(held->node_bitmap);
	for (int i = bit_ffs(held->node_bitmap); i >= 0 && i <= last; i++) {
		uint32_t cores = cr_get_coremap_offset(i + 1) - cr_get_coremap_offset(i);

		if (!bit_test(held->node_bitmap, i))
			continue;
		if (at + cores > (uint32_t)bit_size(held->core_bitmap))
			return;
		visit((uint32_t)i, held->core_bitmap, at, context);
		at += cores;
	}
}

void jobrec_held_of(const job_record_t *job, uint32_t node, uint32_t *ret_cpus,
		    uint64_t *ret_memory)
{
	const job_resources_t *held = job->job_resrcs;
	uint32_t at;

	*ret_cpus = 0;
	*ret_memory = 0;
	if (!held || !held->node_bitmap || !bit_test(held->node_bitmap, node))
		return;
	at = node ? (uint32_t)bit_set_count_range(held->node_bitmap, 0, (int)node) : 0;
	*ret_cpus = held->cpus ? held->cpus[at] : 0;
	*ret_memory = held->memory_allocated ? held->memory_allocated[at] : 0;
}

bool jobrec_has_own_cpus(const job_record_t *job)
{
	const job_resources_t *held = job->job_resrcs;

	return held && held->cpus && held->node_req != NODE_CR_AVAILABLE;
}

void jobrec_add_cores(const job_record_t *job, bitstr_t *cores)
{
	const job_resources_t *held = job->job_resrcs;
	int last, at = 0;

	if (!held || !held->node_bitmap || !held->core_bitmap)
		return;
	last = bit_fls(held->node_bitmap);
	for (int i = bit_ffs(held->node_bitmap); i >= 0 && i <= last; i++) {
		int from = (int)cr_get_coremap_offset(i), to = (int)cr_get_coremap_offset(i + 1);

		if (!bit_test(held->node_bitmap, i))
			continue;
		for (int core = from;
		     core < to && core < bit_size(cores) && at < bit_size(held->core_bitmap);
		     core++, at++)
			if (bit_test(held->core_bitmap, at))
				bit_set(cores, core);
	}
}

bool jobrec_holds_cores(const job_record_t *job, bitstr_t *whole, bitstr_t *cores)
{
	const job_resources_t *held = job->job_resrcs;
	int last, at = 0;

	if (!held || !held->node_bitmap || !held->core_bitmap ||
	    bit_size(held->node_bitmap) != bit_size(whole))
		return false;
	last = bit_fls(held->node_bitmap);
	for (int i = bit_ffs(held->node_bitmap); i >= 0 && i <= last; i++) {
		uint32_t from = cr_get_coremap_offset(i), to = cr_get_coremap_offset(i + 1);
		bool holds = bit_test(whole, i);

		if (!bit_test(held->node_bitmap, i))
			continue;
		for (uint32_t core = from; core < to && at < bit_size(held->core_bitmap);
		     core++, at++)
			holds |= core < bit_size(cores) && bit_test(held->core_bitmap, at) &&
				 bit_test(cores, core);
		if (!holds)
			return false;
	}
	return true;
}

uint32_t jobrec_got_nodes(const job_record_t *job)
{
	return job->job_resrcs ? job->job_resrcs->nhosts : 0;
}

uint64_t jobrec_got_memory(const job_record_t *job)
{
	const job_resources_t *held = job->job_resrcs;
	uint64_t memory = 0;

	for (uint32_t i = 0; held && held->memory_allocated && i < held->nhosts; i++)
		memory += held->memory_allocated[i];
	return memory;
}
