/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Proves that a job cannot start now, from what the engine has counted on the candidates. */
#include "plugins/select/no_room.h"

#include "plugins/select/idle.h"
#include "plugins/select/request.h"

/* What the candidates have together, at most. */
struct room {
	uint32_t nodes;
	uint64_t cpus;
	uint32_t largest; /* the CPUs of one node */
};

static bool is_enough(const struct room *room, const struct compat_job_test *test)
{
	uint64_t cpus = MIN(room->cpus, (uint64_t)room->largest * test->max_nodes);

	return room->nodes >= test->min_nodes && cpus >= test->job->details->min_cpus;
}

/* A job that was resumed may run on cores that another job has got in its pause. */
static bool is_shared(const node_record_t *node, const struct maui_engine_node_use *use)
{
	return node->index >= use->count || use->resumed[node->index];
}

/* Its CPUs are neither its cores nor their threads: how many of them a job blocks is not known. */
static bool has_odd_cpus(const node_record_t *node)
{
	return node->cpus != (uint32_t)node->tot_cores * node->tpc;
}

bool no_room(const struct compat_job_test *test, const struct maui_engine_node_use *use)
{
	struct idle_least least;
	struct room room = {0};
	int last;

	if (!request_counts_alone(test))
		return false;
	least = request_least(test->job);
	last = bit_fls(test->nodes);
	for (int i = bit_ffs(test->nodes); i >= 0 && i <= last; i++) {
		const node_record_t *node = node_record_table_ptr[i];
		uint32_t cpus;

		if (!bit_test(test->nodes, i) || !node)
			continue;
		if (has_odd_cpus(node))
			return false;
		cpus = is_shared(node, use) ? node_job_cpus(node)
					    : idle_cpus_of_use(node, use, &least);
		room.nodes += cpus > 0;
		room.cpus += cpus;
		room.largest = MAX(room.largest, cpus);
		if (is_enough(&room, test))
			return false;
	}
	log_flag(SELECT_TYPE, "Maui: %pJ has no room: %u nodes, %" PRIu64 " CPUs", test->job,
		 room.nodes, room.cpus);
	return true;
}
