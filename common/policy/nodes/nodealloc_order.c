/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The policies that order nodes individually: FIRSTAVAILABLE, LASTAVAILABLE, PRIORITY, CPULOAD,
 * MINRESOURCE, FASTEST, LOCAL. Each computes keys, least first; affinity is the level above them.
 */
#include <errno.h>
#include <math.h>

#include "common/policy/nodes/nodealloc_private.h"

#define TIER 0.1 /* CPULOAD: differences of processors up to this do not count */

/* MINRESOURCE's lowest class of memory, in MB; each further one is twice as large. */
#define FIRST_MEMORY_CLASS 64.0

void maui_order_list(struct maui_nodealloc_order *order, bool reverse)
{
	for (uint32_t i = 0; i < order->count; i++) {
		uint32_t index = reverse ? order->count - 1 - i : i;

		order->entries[i] =
			(struct maui_keysort_entry){0, index, order->candidates[index].affinity};
	}
}

void maui_order_sort(struct maui_nodealloc_order *order)
{
	maui_keysort(order->entries, order->workspace->scratch, order->count);
}

static const struct maui_node_candidate *node_at(const struct maui_nodealloc_order *order,
						 uint32_t place)
{
	return &order->candidates[order->entries[place].index];
}

void maui_order_first(struct maui_nodealloc_order *order)
{
	maui_order_list(order, false);
	maui_order_sort(order);
}

void maui_order_last(struct maui_nodealloc_order *order)
{
	maui_order_list(order, true);
	for (uint32_t i = 0; i < order->count; i++)
		order->entries[i].key = (uint64_t)node_at(order, i)->available_until ^
					UINT64_C(1) << 63; /* as an unsigned number */
	maui_order_sort(order);
}

void maui_order_priority(struct maui_nodealloc_order *order)
{
	bool immediate = order->need->immediate;

	order->shared = true;
	maui_order_list(order, false);
	for (uint32_t i = 0; i < order->count; i++)
		order->entries[i].key =
			maui_keysort_descending(maui_node_value(node_at(order, i), immediate));
	maui_order_sort(order);
}

static double idle_procs(const struct maui_node_candidate *node)
{
	double dedicated = maui_amount(node->dedicated_procs), load = maui_amount(node->load);

	return maui_amount(node->procs) - maui_amount(node->system_procs) -
	       (dedicated > load ? dedicated : load);
}

/* The most idle node forms a tier with all nodes within TIER of it; then the next one. */
static void number_tiers(struct maui_nodealloc_order *order)
{
	uint32_t level = MAUI_AFFINITIES;
	uint64_t tier = 0;
	double most = 0;

	for (uint32_t i = 0; i < order->count; i++) {
		double idle = idle_procs(node_at(order, i));

		if (order->entries[i].level != level || !(idle >= most - TIER)) {
			level = order->entries[i].level;
			most = idle;
			tier++;
		}
		order->entries[i].key = tier;
	}
}

void maui_order_cpuload(struct maui_nodealloc_order *order)
{
	/* A tier is walked from the end of the list, whichever of its nodes is the most idle. */
	maui_order_list(order, false);
	for (uint32_t i = 0; i < order->count; i++)
		order->entries[i].key = maui_keysort_descending(idle_procs(node_at(order, i)));
	maui_order_sort(order);
	number_tiers(order);
	for (uint32_t i = 0; i < order->count; i++)
		order->entries[i].key =
			order->entries[i].key << 32 | (UINT32_MAX - order->entries[i].index);
	maui_order_sort(order);
}

/*
 * 0 up to 64 MB, 1 up to 128 MB, ... The original stops at 8192 MB. The manual's best fit needs no
 * end: a node with 64 GB serves small jobs before one with 1 TB.
 */
static uint64_t memory_class(double memory)
{
	double most = FIRST_MEMORY_CLASS;
	uint64_t number = 0;

	while (memory > most) {
		most *= 2;
		number++;
	}
	return number;
}

void maui_order_minresource(struct maui_nodealloc_order *order)
{
	maui_order_list(order, true);
	for (uint32_t i = 0; i < order->count; i++) {
		const struct maui_node_candidate *node = node_at(order, i);

		order->entries[i].key = maui_keysort_real(
			maui_configured(maui_settings_of(node)->disk, node->disk));
	}
	maui_order_sort(order);
	for (uint32_t i = 0; i < order->count; i++)
		order->entries[i].key = maui_keysort_real(maui_amount(node_at(order, i)->procs));
	maui_order_sort(order);
	for (uint32_t i = 0; i < order->count; i++) {
		const struct maui_node_candidate *node = node_at(order, i);

		order->entries[i].key =
			memory_class(maui_configured(maui_settings_of(node)->memory, node->memory));
	}
	maui_order_sort(order);
}

bool maui_order_by_speed(const struct maui_nodealloc_order *order)
{
	for (uint32_t i = 1; i < order->count; i++)
		if (maui_settings_of(&order->candidates[i])->speed !=
		    maui_settings_of(&order->candidates[0])->speed)
			return true;
	return false;
}

double maui_order_speed(const struct maui_nodealloc_order *order,
			const struct maui_node_candidate *node, bool by_speed)
{
	const struct maui_node_settings *settings = maui_settings_of(node);

	return maui_amount(by_speed ? settings->speed : settings->procspeed);
}

void maui_order_fastest(struct maui_nodealloc_order *order)
{
	bool by_speed = maui_order_by_speed(order);

	order->shared = true;
	maui_order_list(order, false);
	for (uint32_t i = 0; i < order->count; i++)
		order->entries[i].key = maui_keysort_descending(
			maui_order_speed(order, node_at(order, i), by_speed));
	maui_order_sort(order);
}

static void nodealloc_order_describe(const struct maui_node_candidate *node, bool immediate,
				     struct maui_nodealloc_local_node *local)
{
	const struct maui_node_settings *settings = maui_settings_of(node);

	*local = (struct maui_nodealloc_local_node){
		.name = node->name,
		.position = node->position,
		.tasks = node->tasks,
		.affinity = (int32_t)node->affinity,
		.preferred = node->preferred,
		.available_until = node->available_until,
		.procs = maui_amount(node->procs),
		.dedicated_procs = maui_amount(node->dedicated_procs),
		.memory = maui_configured(settings->memory, node->memory),
		.disk = maui_configured(settings->disk, node->disk),
		.swap = maui_configured(settings->swap, node->swap),
		.available_memory = maui_amount(node->available_memory),
		.available_disk = maui_amount(node->available_disk),
		.available_swap = maui_amount(node->available_swap),
		.load = maui_amount(node->load),
		.jobs = maui_amount(node->jobs),
		.usage = maui_amount(node->usage),
		.speed = settings->speed,
		.procspeed = settings->procspeed,
		.priority = settings->priority,
		.priority_function = maui_node_value(node, immediate),
	};
}

int maui_order_local(struct maui_nodealloc_order *order)
{
	const struct maui_nodealloc_need *need = order->need;
	struct maui_nodealloc_workspace *workspace = order->workspace;
	struct maui_nodealloc_local_request request = {
		.version = MAUI_NODEALLOC_LOCAL_VERSION,
		.node_count = order->count,
		.node_size = sizeof(*workspace->local),
		.nodes = workspace->local,
		.job = need->local_job,
		.tasks = need->tasks,
		.nodes_wanted = need->nodes,
		.tasks_per_node = need->tasks_per_node,
		.immediate = need->immediate,
	};
	int rc;

	if (!need->local || !workspace->local)
		return -ENOSYS;
	for (uint32_t i = 0; i < order->count; i++) {
		nodealloc_order_describe(&order->candidates[i], need->immediate,
					 &workspace->local[i]);
		workspace->local_ranks[i] = 0;
	}
	rc = need->local(&request, workspace->local_ranks);
	if (rc)
		return rc;
	order->shared = true;
	maui_order_list(order, false);
	for (uint32_t i = 0; i < order->count; i++)
		order->entries[i].key = workspace->local_ranks[order->entries[i].index];
	maui_order_sort(order);
	return 0;
}
