/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a node has for jobs: its CPUs and memory without those that slurm.conf
 * keeps for the system (CoreSpecCount, CpuSpecList, MemSpecLimit). Every count of
 * tasks, idle CPUs or available memory begins with these.
 */
#ifndef MAUI_COMPAT_NODE_ROOM_H
#define MAUI_COMPAT_NODE_ROOM_H

#include "plugins/compat/compat.h"

static inline uint16_t node_job_cpus(const node_record_t *node)
{
	return node->cpus_efctv;
}

static inline uint64_t node_job_memory(const node_record_t *node) /* MB */
{
	return node->real_memory - MIN(node->real_memory, node->mem_spec_limit);
}

#endif
