/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Simulates cons_tres: returns CPUs and memory of running jobs to their nodes,
 * in groups by end time, until the demand is met.
 */
#include "plugins/select/horizon.h"

#include <stddef.h>

#include "common/util/slurm/end_windows.h"

struct look {
	const struct horizon_running *running;
	const struct horizon_demand *demand;
	const struct horizon_span *span;
	struct horizon_node *nodes;
	uint32_t count;
	struct order_demand found; /* on the nodes that are of use */
};

static bool is_of_use(const struct look *look, const struct horizon_node *node)
{
	return node->least && node->cpus >= node->least && node->memory >= look->demand->memory;
}

static bool is_met(const struct look *look)
{
	return look->found.nodes >= look->demand->sum.nodes &&
	       look->found.cpus >= look->demand->sum.cpus;
}

static void count_now(struct look *look)
{
	for (uint32_t i = 0; i < look->count; i++) {
		if (!is_of_use(look, &look->nodes[i]))
			continue;
		look->found.nodes++;
		look->found.cpus += look->nodes[i].cpus;
	}
}

static struct horizon_node *candidate_of(const struct look *look, const struct horizon_hold *hold)
{
	struct horizon_node *node = hold->node < look->count ? &look->nodes[hold->node] : NULL;

	return node && node->least ? node : NULL;
}

static void give_back(struct look *look, const struct horizon_hold *hold, struct horizon_node *node)
{
	bool before = is_of_use(look, node);

	node->cpus += hold->cpus;
	node->memory += hold->memory;
	if (!is_of_use(look, node))
		return;
	look->found.nodes += !before;
	look->found.cpus += before ? hold->cpus : node->cpus;
}

/* False if it holds no candidate. */
static bool end_job(struct look *look, const struct horizon_job *job)
{
	bool any = false;

	for (uint32_t i = job->first; i < job->first + job->count; i++) {
		const struct horizon_hold *hold = &look->running->holds[i];
		struct horizon_node *node = candidate_of(look, hold);

		if (!node)
			continue;
		any = true;
		give_back(look, hold, node);
	}
	return any;
}

static bool ends_within(const struct look *look, uint32_t job)
{
	return job < look->running->count &&
	       (!look->span->until || look->running->jobs[job].end <= look->span->until);
}

/* Those who are gone when the span begins; returns how many they are. */
static uint32_t end_gone(struct look *look)
{
	uint32_t gone = 0;

	while (gone < look->running->count && look->running->jobs[gone].end <= look->span->from)
		(void)end_job(look, &look->running->jobs[gone++]);
	return gone;
}

/* The others in groups, until the demand is met or the span is over. Returns how many jobs have
 * ended by then. */
static uint32_t end_groups(struct look *look, uint32_t gone)
{
	const struct horizon_job *jobs = look->running->jobs;
	struct maui_end_windows windows = {.window = MAUI_FIRST_WINDOW,
					   .step = look->running->window_step};
	uint32_t ended = gone;

	for (uint32_t i = gone; ends_within(look, i); i++) {
		if (!end_job(look, &jobs[i]))
			continue;
		ended = i + 1;
		maui_end_windows_see(&windows, jobs[i].end);
		if (ends_within(look, ended) && maui_end_windows_hold(&windows, jobs[ended].end))
			continue;
		if (is_met(look))
			break;
		if (ends_within(look, ended))
			maui_end_windows_widen(&windows, jobs[ended].end);
	}
	return ended;
}

/* As end_groups(), and all those who end in the same second as the last of them. */
static uint32_t end_later(struct look *look, uint32_t gone, struct horizon_found *found)
{
	const struct horizon_job *jobs = look->running->jobs;
	uint32_t ended = end_groups(look, gone);

	if (!is_met(look)) {
		*found = (struct horizon_found){look->span->until, true};
		return ended;
	}
	found->end = jobs[ended - 1].end;
	while (ended < look->running->count && jobs[ended].end <= found->end)
		(void)end_job(look, &jobs[ended++]);
	return ended;
}

static void keep_one_of(const struct look *look, const struct horizon_job *job)
{
	struct horizon_node *first = NULL;

	for (uint32_t i = job->first; i < job->first + job->count; i++) {
		struct horizon_node *node = candidate_of(look, &look->running->holds[i]);

		if (node && node->kept)
			return;
		if (!first)
			first = node;
	}
	if (first)
		first->kept = true;
}

bool horizon_look(const struct horizon_running *running, const struct horizon_demand *demand,
		  const struct horizon_span *span, struct horizon_node *nodes, uint32_t count,
		  struct horizon_found *ret_found)
{
	struct look look = {running, demand, span, nodes, count, {0}};
	uint32_t gone, ended;

	*ret_found = (struct horizon_found){.end = span->from};
	if (span->from && running->parts_differ)
		return false;
	count_now(&look);
	gone = ended = end_gone(&look);
	if (!is_met(&look))
		ended = end_later(&look, gone, ret_found);
	if (ret_found->end <= span->now)
		return false;
	for (uint32_t i = 0; i < count; i++)
		nodes[i].of_use = nodes[i].kept = is_of_use(&look, &nodes[i]);
	for (uint32_t i = gone; i < ended; i++)
		keep_one_of(&look, &running->jobs[i]);
	return true;
}

bool horizon_shows(const struct horizon_node *node)
{
	return node->kept;
}
