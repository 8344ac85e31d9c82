/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes one request for all jobs that ask for the same, and its set of nodes by
 * partition and constraint. Drops jobs that fit nowhere.
 */
#include "common/replay/nodes/requests.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/replay/nodes/partitions.h"
#include "common/util/slurm/gres.h"
#include "common/util/grow.h"
#include "common/util/list.h"
#include "common/util/memory.h"
#include "common/util/text.h"

#define NAME_SIZE 128

/* ---- GRES of jobs ---- */

/* One of `gpu=4,gpu:a100=4`: its name, and how many. */
static bool next_gres(const char **list, struct maui_item *name, uint64_t *ret_count)
{
	struct maui_item item;
	const char *equals;
	uint64_t count;

	while (maui_list_next(list, ",", &item)) {
		equals = memchr(item.text, '=', item.size);
		if (!equals || equals == item.text)
			continue;
		*name = (struct maui_item){item.text, (size_t)(equals - item.text)};
		equals++;
		if (!maui_gres_count_parse(equals, (size_t)(item.text + item.size - equals),
					   &count) ||
		    !count)
			continue;
		*ret_count = count;
		return true;
	}
	return false;
}

static size_t bare_size(const char *name, size_t size)
{
	const char *colon = memchr(name, ':', size);

	return colon ? (size_t)(colon - name) : size;
}

/* Whether a name is that of another without its type. Slurm accounts in lower case. */
static bool requests_covers(struct maui_item name, const char *other, size_t other_size)
{
	return (name.size == other_size || name.size == bare_size(other, other_size)) &&
	       !strncasecmp(name.text, other, name.size);
}

uint64_t maui_replay_gres_amount(const struct maui_replay_trace *trace, uint32_t gres,
				 const char *name)
{
	const char *list = maui_intern_name(trace->gres, gres);
	struct maui_item wanted = {name, strlen(name)}, item;
	uint64_t count, exact = 0, typed = 0;

	while (next_gres(&list, &item, &count)) {
		if (item.size == wanted.size && requests_covers(wanted, item.text, item.size))
			exact = maui_gres_plus(exact, count);
		else if (requests_covers(wanted, item.text, item.size))
			typed = maui_gres_plus(typed, count);
	}
	return exact > typed ? exact : typed; /* Slurm counts one with a type under both names */
}

/* Whether the list has one of its types, which says all that is asked for. */
static bool has_types(const char *list, struct maui_item name)
{
	struct maui_item item;
	uint64_t count;

	while (next_gres(&list, &item, &count))
		if (item.size != name.size && requests_covers(name, item.text, item.size))
			return true;
	return false;
}

static uint64_t mask_of(const struct maui_replay_nodes *nodes, struct maui_item name)
{
	uint64_t mask = 0;

	for (uint32_t i = 1; i <= maui_intern_count(nodes->gres); i++) {
		const char *other = maui_intern_name(nodes->gres, i);

		if (requests_covers(name, other, strlen(other)))
			mask |= UINT64_C(1) << (i - 1);
	}
	return mask;
}

uint64_t maui_replay_gres_mask(const struct maui_replay_nodes *nodes, const char *name)
{
	return mask_of(nodes, (struct maui_item){name, strlen(name)});
}

/* False: there are too many of them. */
static bool read_wants(struct maui_replay_request *request, const struct maui_replay_nodes *nodes,
		       const char *list)
{
	const char *whole = list;
	struct maui_item name;
	uint64_t count;

	while (maui_intern_count(nodes->gres) && next_gres(&list, &name, &count)) {
		if (has_types(whole, name))
			continue;
		if (request->want_count == MAUI_REPLAY_WANTS)
			return false;
		request->want[request->want_count++] =
			(struct maui_replay_want){.gres = mask_of(nodes, name), .count = count};
	}
	return true;
}

/* ---- where a job may run ---- */

static bool has_feature(const struct maui_replay_node *node, uint32_t feature)
{
	for (uint32_t i = 0; feature && i < node->feature_count; i++)
		if (node->features[i] == feature)
			return true;
	return false;
}

static bool requests_suits(const struct maui_replay_nodes *nodes,
			   const struct maui_replay_node *node, const char *constraint, bool any)
{
	struct maui_item item;
	char name[NAME_SIZE];

	while (maui_list_next(&constraint, "&,|", &item)) {
		maui_item_copy(item, name, sizeof(name));
		if (has_feature(node, maui_intern_find(nodes->features, name)) == any)
			return any;
	}
	return !any;
}

static void fill_set(struct maui_replay_set *set, const struct maui_replay_nodes *nodes,
		     const char *constraint)
{
	bool any = constraint && strchr(constraint, '|');

	for (uint32_t i = 0; i < nodes->count; i++)
		if ((set->partition == UINT32_MAX ||
		     maui_replay_has(nodes->partitions[set->partition].members, i)) &&
		    (!constraint || requests_suits(nodes, &nodes->nodes[i], constraint, any)))
			maui_replay_put(set->members, i);
}

/* More than names that are joined by & or by |. */
static bool is_other(const char *constraint)
{
	return constraint && (strpbrk(constraint, "[]()*!{}") ||
			      (strchr(constraint, '|') && strpbrk(constraint, "&,")));
}

static uint32_t set_of(struct maui_replay_requests *requests, const struct maui_replay_trace *trace,
		       const struct maui_replay_job *job)
{
	const struct maui_replay_nodes *nodes = requests->nodes;
	const char *constraint = maui_intern_name(trace->constraints, job->constraint);
	struct maui_replay_set set = {.class = job->credential[MAUI_CLASS],
				      .constraint = job->constraint};

	for (uint32_t i = 0; i < requests->set_count; i++)
		if (requests->sets[i].class == set.class &&
		    requests->sets[i].constraint == set.constraint)
			return i;
	requests->sets = maui_grow(requests->sets, requests->set_count + (size_t)1,
				   &requests->set_room, sizeof(*requests->sets));
	set.members = maui_arena_alloc(requests->arena, maui_replay_words(nodes->count),
				       sizeof(*set.members));
	set.partition = maui_replay_partition_of(trace, nodes, set.class);
	if (is_other(constraint) || !maui_intern_count(nodes->features))
		constraint = NULL;
	fill_set(&set, nodes, constraint);
	requests->sets[requests->set_count] = set;
	return requests->set_count++;
}

/* ---- whether the machine can hold it ---- */

/* On the empty machine. */
static bool requests_fits(const struct maui_replay_requests *requests,
			  const struct maui_replay_request *request, uint32_t *have)
{
	const struct maui_replay_nodes *nodes = requests->nodes;
	struct maui_replay_tally tally;

	maui_replay_tally_open(&tally, request, requests->most_cpus, have);
	for (uint32_t i = 0; i < nodes->count; i++) {
		const struct maui_replay_node *node = &nodes->nodes[i];
		uint64_t units[MAUI_REPLAY_MAX_GRES] = {0};

		if (!maui_replay_has(requests->sets[request->set].members, i))
			continue;
		for (uint32_t j = 0; j < node->gres_count; j++)
			units[node->gres[j].gres - 1] = node->gres[j].count;
		maui_replay_tally_add(&tally,
				      maui_replay_capacity(request, node->cpus,
							   node->memory ? node->memory : INT64_MAX,
							   units));
	}
	return maui_replay_tally_enough(&tally);
}

/* ---- all jobs ---- */

#define NOWHERE UINT32_MAX /* of a job: the machine cannot hold it */

struct reading {
	struct maui_replay_requests *requests;
	struct maui_replay_trace *trace;
	uint32_t *first; /* by hash: the first job with a request; UINT32_MAX */
	size_t mask;
	uint32_t *have; /* of a tally */
};

static bool requests_alike(const struct maui_replay_job *a, const struct maui_replay_job *b)
{
	return a->procs == b->procs && a->nodes == b->nodes && a->had_nodes == b->had_nodes &&
	       a->split == b->split && a->running == b->running && a->memory == b->memory &&
	       a->constraint == b->constraint && a->gres == b->gres &&
	       a->credential[MAUI_CLASS] == b->credential[MAUI_CLASS];
}

static uint32_t hash_of(const struct maui_replay_job *job)
{
	uint64_t parts[] = {job->procs,      job->nodes,   job->had_nodes,
			    job->split,      job->running, (uint64_t)job->memory,
			    job->constraint, job->gres,    job->credential[MAUI_CLASS]};

	return maui_hash(MAUI_HASH_SEED, parts, sizeof(parts), false);
}

/* What runs already is where it is. */
static void limit_nodes(const struct maui_replay_requests *requests,
			const struct maui_replay_job *job, struct maui_replay_request *request)
{
	uint32_t partition = requests->sets[request->set].partition;

	if (job->running || partition == UINT32_MAX)
		return;
	request->nodes = requests->nodes->partitions[partition].min_nodes;
	request->most = requests->nodes->partitions[partition].max_nodes;
}

/* The number of a job's request, or NOWHERE. */
static uint32_t requests_make(struct reading *reading, const struct maui_replay_job *job)
{
	struct maui_replay_requests *requests = reading->requests;
	struct maui_replay_request request = {.set = set_of(requests, reading->trace, job)};
	bool few = read_wants(&request, requests->nodes,
			      maui_intern_name(reading->trace->gres, job->gres));

	limit_nodes(requests, job, &request);
	maui_replay_divide(&request, job, maui_intern_name(reading->trace->splits, job->split));
	if (!few || !requests_fits(requests, &request, reading->have))
		return NOWHERE;
	requests->requests = maui_grow(requests->requests, requests->count + (size_t)1,
				       &requests->room, sizeof(*requests->requests));
	requests->requests[requests->count] = request;
	return requests->count++;
}

static void requests_find(struct reading *reading, uint32_t job)
{
	const struct maui_replay_job *jobs = reading->trace->jobs;
	size_t at = hash_of(&jobs[job]) & reading->mask;

	while (reading->first[at] != UINT32_MAX &&
	       !requests_alike(&jobs[reading->first[at]], &jobs[job]))
		at = (at + 1) & reading->mask;
	if (reading->first[at] != UINT32_MAX) {
		reading->requests->of[job] = reading->requests->of[reading->first[at]];
		return;
	}
	reading->first[at] = job;
	reading->requests->of[job] = requests_make(reading, &jobs[job]);
}

static void count_lacks(struct maui_replay_requests *requests, struct maui_replay_trace *trace,
			const struct maui_replay_job *job, uint32_t set)
{
	trace->lacking[MAUI_REPLAY_NO_PARTITION] +=
		requests->nodes->partition_count && requests->sets[set].partition == UINT32_MAX;
	trace->lacking[MAUI_REPLAY_OTHER_CONSTRAINT] +=
		is_other(maui_intern_name(trace->constraints, job->constraint));
}

static void leave_out(struct maui_replay_requests *requests, struct maui_replay_trace *trace)
{
	size_t kept = 0;

	for (size_t i = 0; i < trace->count; i++) {
		if (requests->of[i] >= requests->count) { /* NOWHERE */
			trace->lacking[MAUI_REPLAY_NO_NODES]++;
			continue;
		}
		count_lacks(requests, trace, &trace->jobs[i],
			    requests->requests[requests->of[i]].set);
		requests->of[kept] = requests->of[i];
		trace->jobs[kept++] = trace->jobs[i];
	}
	trace->count = kept;
}

static void requests_read_all(struct reading *reading)
{
	size_t size = 16;

	while (size < 2 * reading->trace->count)
		size *= 2;
	reading->first = maui_malloc(size, sizeof(*reading->first));
	reading->requests->of =
		maui_calloc(reading->trace->count + 1, sizeof(*reading->requests->of));
	memset(reading->first, 0xff, size * sizeof(*reading->first)); /* UINT32_MAX */
	reading->mask = size - 1;
	for (uint32_t i = 0; i < reading->trace->count; i++)
		requests_find(reading, i);
}

struct maui_replay_requests *maui_replay_requests_new(struct maui_replay_trace *trace,
						      const struct maui_replay_nodes *nodes)
{
	struct maui_replay_requests *requests = maui_calloc(1, sizeof(*requests));
	struct reading reading = {requests, trace, NULL, 0, NULL};

	requests->nodes = nodes;
	requests->arena = maui_arena_new();
	for (uint32_t i = 0; i < nodes->count; i++)
		if (nodes->nodes[i].cpus > requests->most_cpus)
			requests->most_cpus = nodes->nodes[i].cpus;
	reading.have = maui_calloc(maui_replay_tally_room(requests), sizeof(*reading.have));
	requests_read_all(&reading);
	free(reading.first);
	free(reading.have);
	leave_out(requests, trace);
	return requests;
}

struct maui_replay_requests *maui_replay_requests_free(struct maui_replay_requests *requests)
{
	if (!requests)
		return NULL;
	maui_arena_free(requests->arena);
	free(requests->of);
	free(requests->requests);
	free(requests->sets);
	free(requests);
	return NULL;
}
