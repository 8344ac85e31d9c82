/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Each factor, times its weight. Sums are made in slurmctld's order, so that
 * they are cut to the same whole number.
 */
#include "common/import/import_points.h"

#include "common/import/import_credentials.h"

uint32_t maui_import_greatest_factor(const struct maui_import_priority *priority)
{
	uint32_t most = 1;

	for (size_t i = 0; i < priority->partition_count; i++)
		if (priority->partitions[i].factor > most)
			most = priority->partitions[i].factor;
	return most;
}

struct maui_import_greatest maui_import_greatest(const struct maui_import_priority *priority)
{
	return (struct maui_import_greatest){maui_import_greatest_factor(priority),
					     maui_import_greatest_qos(priority),
					     maui_import_greatest_assoc(priority)};
}

uint64_t maui_import_asked(const struct maui_import_request *request,
			   const struct maui_import_tres *tres)
{
	switch (tres->kind) {
	case MAUI_IMPORT_CPU:
		return request->cpus;
	case MAUI_IMPORT_MEM:
		return request->memory;
	case MAUI_IMPORT_NODE:
		return request->nodes ? request->nodes : 1;
	case MAUI_IMPORT_GRES:
		return request->gres ? request->gres(request->context, tres->name) : 0;
	case MAUI_IMPORT_NO_RESOURCE:
		break;
	}
	return 0;
}

static double points_age(const struct maui_import_priority *priority, int64_t waited)
{
	if (!priority->slurmdbd)
		return 0;
	if (waited < 0)
		waited = 0;
	return (uint64_t)waited < priority->max_age ? (double)waited / (double)priority->max_age
						    : 1;
}

/* The job's processors, or more if its nodes have more on average, by minute of its limit. */
static double points_relative(const struct maui_import_priority *priority,
			      const struct maui_import_request *request, double nodes)
{
	double size = nodes * (double)priority->cpus / priority->nodes;

	if (request->cpus > size)
		size = request->cpus;
	size /= (double)(request->minutes ? request->minutes : 1);
	size /= (double)priority->cpus;
	return priority->favor_small ? 1 - size : size;
}

static double points_size(const struct maui_import_priority *priority,
			  const struct maui_import_request *request)
{
	double nodes = request->nodes ? request->nodes : 1, size;

	if (!priority->nodes || !priority->cpus)
		return 0;
	if (priority->relative)
		size = points_relative(priority, request, nodes);
	else if (priority->favor_small)
		size = ((priority->nodes - nodes) / priority->nodes +
			((double)priority->cpus - request->cpus) / (double)priority->cpus) /
		       2;
	else
		size = (nodes / priority->nodes + request->cpus / (double)priority->cpus) / 2;
	return size < 0 ? 0 : size > 1 ? 1 : size;
}

static double points_over(uint32_t priority, uint32_t greatest, bool no_normal)
{
	if (no_normal || !priority)
		return priority;
	return priority / (double)greatest;
}

static double points_tres(const struct maui_import_priority *priority,
			  const struct maui_import_request *request)
{
	double sum = 0;

	for (size_t i = 0; i < priority->tres_count; i++) {
		const struct maui_import_tres *tres = &priority->tres[i];
		double asked = (double)maui_import_asked(request, tres);
		uint64_t units = request->partition == MAUI_IMPORT_NONE
					 ? 0
					 : tres->units[request->partition];

		if (priority->no_normal_tres)
			sum += asked * tres->weight;
		else if (units)
			sum += asked / (double)units * tres->weight;
	}
	return sum;
}

uint32_t maui_import_points(const struct maui_import_priority *priority,
			    const struct maui_import_greatest *greatest,
			    const struct maui_import_request *request)
{
	uint32_t factor = request->partition == MAUI_IMPORT_NONE
				  ? 0
				  : priority->partitions[request->partition].factor;
	uint32_t qos = request->qos == MAUI_IMPORT_NONE ? 0 : priority->qos[request->qos].priority;
	uint32_t assoc =
		request->assoc == MAUI_IMPORT_NONE ? 0 : priority->assocs[request->assoc].priority;
	const uint32_t *weight = priority->weight;
	double sum = points_age(priority, request->waited) * weight[MAUI_IMPORT_AGE];

	sum += points_over(assoc, greatest->assoc, priority->no_normal_assoc) *
	       weight[MAUI_IMPORT_ASSOC];
	sum += (priority->slurmdbd ? request->fairshare : 0) * weight[MAUI_IMPORT_FAIRSHARE];
	sum += points_size(priority, request) * weight[MAUI_IMPORT_SIZE];
	sum += points_over(factor, greatest->factor, priority->no_normal_part) *
	       weight[MAUI_IMPORT_PARTITION];
	sum += points_over(qos, greatest->qos, priority->no_normal_qos) * weight[MAUI_IMPORT_QOS];
	sum += points_tres(priority, request);
	if (sum < 1)
		return 1;
	return sum < UINT32_MAX ? (uint32_t)sum : UINT32_MAX;
}
