/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds a class's partition, applies DefaultTime or MaxTime, and drops jobs
 * beyond the partition's limits from the trace.
 */
#include "common/replay/nodes/partitions.h"

#include <stdlib.h>

#include "common/util/memory.h"

static uint32_t default_partition(const struct maui_replay_nodes *nodes)
{
	uint32_t i = 0;

	while (i < nodes->partition_count && !nodes->partitions[i].is_default)
		i++;
	return i < nodes->partition_count ? i : UINT32_MAX;
}

uint32_t maui_replay_partition_of(const struct maui_replay_trace *trace,
				  const struct maui_replay_nodes *nodes, uint32_t class)
{
	const char *name = maui_intern_name(trace->names[MAUI_CLASS], class);
	const struct maui_replay_partition *found =
		name ? maui_replay_nodes_find_partition(nodes, name) : NULL;

	if (!name)
		return default_partition(nodes);
	return found ? (uint32_t)(found - nodes->partitions) : UINT32_MAX;
}

static void partitions_limit(struct maui_replay_trace *trace, struct maui_replay_job *job,
			     const struct maui_replay_partition *partition)
{
	int64_t most = partition->default_time ? partition->default_time : partition->max_time;

	if (!job->no_limit || !most)
		return;
	job->no_limit = false;
	trace->lacking[MAUI_REPLAY_NO_ESTIMATE]--;
	if (job->estimate < most)
		job->estimate = most;
}

/* Why it does not let the job in; MAUI_REPLAY_LACKS: it does. */
static enum maui_replay_lack keeps_out(const struct maui_replay_partition *partition,
				       const struct maui_replay_job *job)
{
	uint32_t nodes = job->had_nodes ? job->had_nodes : job->nodes;
	/* Who asks for fewer is given MinNodes, unless the number is known. */
	uint32_t least =
		job->had_nodes || nodes > partition->min_nodes ? nodes : partition->min_nodes;

	if (partition->closed)
		return MAUI_REPLAY_CLOSED;
	if (partition->max_nodes && least > partition->max_nodes)
		return MAUI_REPLAY_MAX_NODES_OF;
	if (job->had_nodes && job->had_nodes < partition->min_nodes)
		return MAUI_REPLAY_MIN_NODES_OF;
	if (partition->max_time && job->estimate > partition->max_time)
		return MAUI_REPLAY_MAX_TIME_OF;
	return MAUI_REPLAY_LACKS;
}

void maui_replay_apply_partitions(struct maui_replay_trace *trace,
				  const struct maui_replay_nodes *nodes)
{
	uint32_t classes = maui_intern_count(trace->names[MAUI_CLASS]) + 1;
	uint32_t *of = maui_malloc(classes, sizeof(*of));
	size_t kept = 0;

	for (uint32_t i = 0; i < classes; i++)
		of[i] = maui_replay_partition_of(trace, nodes, i);
	for (size_t i = 0; i < trace->count; i++) {
		struct maui_replay_job *job = &trace->jobs[i];
		uint32_t number = of[job->credential[MAUI_CLASS]];
		enum maui_replay_lack why = MAUI_REPLAY_LACKS;

		if (number != UINT32_MAX && !job->running) {
			partitions_limit(trace, job, &nodes->partitions[number]);
			why = keeps_out(&nodes->partitions[number], job);
		}
		if (why == MAUI_REPLAY_LACKS)
			trace->jobs[kept++] = *job;
		else
			trace->lacking[why]++;
	}
	trace->count = kept;
	free(of);
}
