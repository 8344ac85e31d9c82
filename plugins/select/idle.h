/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the engine's count of the jobs leaves on a node, and with how little of it a node is of use
 * to a job. CPUs are numbers, memory is in MB. Job write lock, node read lock.
 */
#ifndef MAUI_SELECT_IDLE_H
#define MAUI_SELECT_IDLE_H

#include "plugins/compat/node_room.h"
#include "plugins/compat/select_api.h"
#include "plugins/engine/api/select.h"

/* The least with which a node is of use. */
struct idle_least {
	uint32_t cpus;
	uint64_t memory; /* 0: nodes are not chosen by memory */
	bool whole;      /* all of its CPUs */
};

static inline uint32_t idle_cpus(const node_record_t *node, const struct maui_engine_node_use *use)
{
	uint32_t held = node->index < use->count ? use->cpus[node->index] : 0;

	return node_job_cpus(node) - MIN(node_job_cpus(node), held);
}

static inline uint64_t idle_memory(const node_record_t *node,
				   const struct maui_engine_node_use *use)
{
	uint64_t held = node->index < use->count ? use->memory[node->index] : 0;

	return node_job_memory(node) - MIN(node_job_memory(node), held);
}

static inline uint32_t idle_least_cpus(const node_record_t *node, const struct idle_least *least)
{
	return least->whole ? node_job_cpus(node) : least->cpus;
}

/* Its idle CPUs; 0 if these, or its memory, are too few. */
static inline uint32_t idle_cpus_of_use(const node_record_t *node,
					const struct maui_engine_node_use *use,
					const struct idle_least *least)
{
	uint32_t cpus = idle_cpus(node, use);

	if (cpus < idle_least_cpus(node, least))
		return 0;
	return least->memory && idle_memory(node, use) < least->memory ? 0 : cpus;
}

#endif
