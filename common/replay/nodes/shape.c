/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Divides a job into equal tasks or into parts, computes how many fit on a
 * node, and tallies whether all nodes together suffice.
 */
#include "common/replay/nodes/shape.h"

#include <stdlib.h>
#include <string.h>

/* ---- tasks ---- */

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
	while (b) {
		uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

static void divide_into_tasks(struct maui_replay_request *request,
			      const struct maui_replay_job *job)
{
	uint32_t tasks = job->procs;
	uint32_t least = job->nodes > request->nodes ? job->nodes : request->nodes;

	for (uint32_t i = 0; i < request->want_count; i++)
		tasks = (uint32_t)common_divisor(tasks, request->want[i].count);
	request->tasks = tasks;
	request->cpus = job->procs / tasks;
	request->memory = (job->memory + tasks - 1) / tasks;
	request->nodes = least > tasks ? tasks : least ? least : 1;
	for (uint32_t i = 0; i < request->want_count; i++)
		request->want[i].count /= tasks;
}

/* ---- parts ---- */

/* Of so many things the first parts have one more than the others: how many of the parts do. */
static void add_remainder(uint32_t *firsts, uint32_t *count, uint32_t remainder)
{
	uint32_t at = 0;

	while (at < *count && firsts[at] < remainder)
		at++;
	if (at < *count && firsts[at] == remainder)
		return;
	memmove(&firsts[at + 1], &firsts[at], (*count - at) * sizeof(*firsts));
	firsts[at] = remainder;
	++*count;
}

/* How many nodes are in the next piece of a split, and the processors of each. */
static bool next_of_split(const char **split, uint32_t *ret_nodes, uint32_t *ret_cpus)
{
	char *end;

	if (!*split || !**split)
		return false;
	*ret_nodes = (uint32_t)strtoul(*split, &end, 10);
	*ret_cpus = (uint32_t)strtoul(end + 1, &end, 10);
	*split = *end ? end + 1 : end;
	return true;
}

/* Processors of the part of a number, of which the first have most. */
static uint32_t cpus_of(const struct maui_replay_job *job, const char *split, uint32_t nodes,
			uint32_t number)
{
	uint32_t here, cpus, passed = 0;

	while (next_of_split(&split, &here, &cpus)) {
		passed += here;
		if (number < passed)
			return cpus;
	}
	return job->procs / nodes + (number < job->procs % nodes);
}

/* From the part of this number on, up to the next smaller one. */
static struct maui_replay_part part_from(const struct maui_replay_request *request,
					 const struct maui_replay_job *job, const char *split,
					 uint32_t nodes, uint32_t first)
{
	struct maui_replay_part part = {.upto = nodes - first,
					.cpus = cpus_of(job, split, nodes, first)};

	for (uint32_t i = 0; i < request->want_count; i++)
		part.units[i] =
			request->want[i].count / nodes + (first < request->want[i].count % nodes);
	return part;
}

/* Where parts of another number of processors begin. */
static void add_split(uint32_t *firsts, uint32_t *count, const char *split)
{
	uint32_t nodes, cpus, passed = 0;

	while (next_of_split(&split, &nodes, &cpus)) {
		add_remainder(firsts, count, passed);
		passed += nodes;
	}
}

static void divide_into_parts(struct maui_replay_request *request,
			      const struct maui_replay_job *job, const char *split)
{
	uint32_t nodes = job->had_nodes < job->procs ? job->had_nodes : job->procs;
	uint32_t firsts[MAUI_REPLAY_SIZES] = {0}, count = 1;

	if (split)
		add_split(firsts, &count, split);
	else
		add_remainder(firsts, &count, job->procs % nodes);
	for (uint32_t i = 0; i < request->want_count; i++)
		add_remainder(firsts, &count, (uint32_t)(request->want[i].count % nodes));
	while (count)
		request->part[request->sizes++] =
			part_from(request, job, split, nodes, firsts[--count]);
}

void maui_replay_divide(struct maui_replay_request *request, const struct maui_replay_job *job,
			const char *split)
{
	if (job->had_nodes)
		divide_into_parts(request, job, split);
	divide_into_tasks(request, job);
	if (!request->sizes)
		return;
	request->nodes = request->part[request->sizes - 1].upto;
	request->memory = (job->memory + request->nodes - 1) / request->nodes;
}

/* ---- on a node ---- */

uint32_t maui_replay_most(const struct maui_replay_want *want, const uint64_t *units)
{
	uint64_t left = want->gres;
	uint32_t most = left ? (uint32_t)__builtin_ctzll(left) : 0;

	for (; left; left &= left - 1)
		if (units[__builtin_ctzll(left)] > units[most])
			most = (uint32_t)__builtin_ctzll(left);
	return most;
}

static uint32_t tasks_on(const struct maui_replay_request *request, uint32_t cpus, int64_t memory,
			 const uint64_t *units)
{
	uint32_t tasks = cpus / request->cpus;

	if (tasks && request->memory && memory < request->memory * tasks)
		tasks = memory > 0 ? (uint32_t)(memory / request->memory) : 0;
	for (uint32_t i = 0; tasks && i < request->want_count; i++) {
		uint64_t there = units[maui_replay_most(&request->want[i], units)];

		if (!request->want[i].gres)
			return 0;
		if (there / request->want[i].count < tasks)
			tasks = (uint32_t)(there / request->want[i].count);
	}
	return tasks < request->tasks ? tasks : request->tasks;
}

static uint32_t part_on(const struct maui_replay_request *request, uint32_t cpus, int64_t memory,
			const uint64_t *units)
{
	uint32_t size = request->memory && memory < request->memory ? 0 : request->sizes;

	while (size && request->part[size - 1].cpus > cpus)
		size--;
	for (uint32_t i = 0; size && i < request->want_count; i++) {
		uint64_t there = request->want[i].gres
					 ? units[maui_replay_most(&request->want[i], units)]
					 : 0;

		while (size && request->part[size - 1].units[i] > there)
			size--;
	}
	return size;
}

uint32_t maui_replay_capacity(const struct maui_replay_request *request, uint32_t cpus,
			      int64_t memory, const uint64_t *units)
{
	return request->sizes ? part_on(request, cpus, memory, units)
			      : tasks_on(request, cpus, memory, units);
}

void maui_replay_amount_of(const struct maui_replay_request *request,
			   const struct maui_replay_share *share,
			   struct maui_replay_amount *ret_amount)
{
	const struct maui_replay_part *part = share->part ? &request->part[share->part - 1] : NULL;
	uint32_t tasks = share->cpus / request->cpus;

	ret_amount->memory = part ? request->memory : request->memory * tasks;
	for (uint32_t i = 0; i < request->want_count; i++)
		ret_amount->units[i] = part ? part->units[i] : request->want[i].count * tasks;
}

/* ---- all nodes ---- */

void maui_replay_tally_open(struct maui_replay_tally *tally,
			    const struct maui_replay_request *request, uint32_t most_cpus,
			    uint32_t *have)
{
	uint32_t tasks = request->tasks < most_cpus ? request->tasks : most_cpus;

	*tally = (struct maui_replay_tally){.request = request, .have = have};
	tally->largest = request->sizes ? request->sizes : request->most ? tasks : 0;
	memset(have, 0, (tally->largest + (size_t)1) * sizeof(*have));
}

/* Of as many nodes as there may be. */
static uint64_t tasks_on_largest(const struct maui_replay_tally *tally)
{
	uint32_t left = tally->request->most;
	uint64_t tasks = 0;

	for (uint32_t capacity = tally->largest; left && capacity; capacity--) {
		uint32_t nodes = tally->have[capacity] < left ? tally->have[capacity] : left;

		tasks += (uint64_t)nodes * capacity;
		left -= nodes;
	}
	return tasks;
}

/* A node that holds a part holds each smaller one. */
static bool hold_all_parts(const struct maui_replay_tally *tally)
{
	const struct maui_replay_request *request = tally->request;
	uint32_t placed = 0;

	for (uint32_t size = 1; size <= request->sizes; size++) {
		uint32_t upto = request->part[size - 1].upto;

		placed = tally->have[size] < upto - placed ? placed + tally->have[size] : upto;
	}
	return placed == request->nodes;
}

bool maui_replay_tally_enough(const struct maui_replay_tally *tally)
{
	const struct maui_replay_request *request = tally->request;

	if (tally->used < request->nodes)
		return false;
	if (request->sizes)
		return hold_all_parts(tally);
	if (tally->tasks < request->tasks)
		return false;
	return !request->most || tally->used <= request->most ||
	       tasks_on_largest(tally) >= request->tasks;
}
