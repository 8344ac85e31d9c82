/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What jobs hold, by credential and by the pairs that limits are about. Kept as jobs come and go.
 *
 * The outstanding seconds of a running job are its end less now, so those of all running jobs are
 * SUM end - count * now: two numbers, which need no touching as time passes. A job past its end would
 * take from the others; it is found by a wheel of the seconds of jobs' ends, and moved out of the
 * sums when its end has come.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/policy/limits_private.h"

#define MAX_COUNT  (INT64_C(1) << 24)
#define MAX_MEMORY (INT64_C(1) << 40)

static int64_t within(int64_t value, int64_t most)
{
	if (value < 0)
		return 0;
	return value < most ? value : most;
}

void maui_limit_request(const struct maui_limit_job *job, int64_t ret_request[LIMIT_WIDTH])
{
	int64_t procs = within(job->procs, MAX_COUNT);
	int64_t walltime = within(job->walltime, MAUI_INFINITY);

	ret_request[MAUI_LIMIT_JOB] = !job->part;
	ret_request[MAUI_LIMIT_PROC] = procs;
	ret_request[MAUI_LIMIT_NODE] = within(job->nodes, MAX_COUNT);
	ret_request[MAUI_LIMIT_PS] = procs * walltime;
	ret_request[MAUI_LIMIT_PE] = within(job->pe, MAX_COUNT);
	ret_request[MAUI_LIMIT_WC] = walltime;
	ret_request[MAUI_LIMIT_MEM] = within(job->memory, MAX_MEMORY);
	ret_request[MAUI_LIMIT_METRICS] = 0;
}

struct maui_limit_usage *maui_limit_usage_new(const struct maui_limits *limits, int64_t now)
{
	struct maui_limit_usage *usage = calloc(1, sizeof(*usage));

	if (!usage)
		return NULL;
	usage->base = usage->now = now;
	usage->kind_count = limits ? limits->kind_count : 0;
	for (unsigned int kind = 0; kind < usage->kind_count; kind++) {
		usage->kinds[kind].first = limits->kinds[kind].first;
		usage->kinds[kind].second = limits->kinds[kind].second;
		usage->kinds[kind].modes = limits->kinds[kind].modes;
	}
	return usage;
}

struct maui_limit_usage *maui_limit_usage_free(struct maui_limit_usage *usage)
{
	if (!usage)
		return NULL;
	for (unsigned int type = 0; type < MAUI_LIMIT_HOLDERS; type++)
		free(usage->cells[type]);
	limit_map_clear(&usage->pairs);
	free(usage->pair_cells);
	free(usage->pair_keys);
	free(usage);
	return NULL;
}

/* ---- cells --------------------------------------------------------------------------------- */

static int reserve_id(struct maui_limit_usage *usage, unsigned int type, uint32_t id)
{
	uint32_t count = id + id / 2 + 16;
	struct limit_cell *grown;

	if (id >= MAUI_LIMIT_IDS)
		return -ERANGE;
	if (id < usage->count[type])
		return 0;
	grown = realloc(usage->cells[type], count * sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	memset(grown + usage->count[type], 0, (count - usage->count[type]) * sizeof(*grown));
	usage->cells[type] = grown;
	usage->count[type] = count;
	return 0;
}

static int grow_pairs(struct maui_limit_usage *usage)
{
	uint32_t room = usage->pair_room ? usage->pair_room * 2 : 64;
	struct limit_cell *cells = realloc(usage->pair_cells, room * sizeof(*cells));
	uint64_t *keys;

	if (!cells)
		return -ENOMEM;
	usage->pair_cells = cells;
	keys = realloc(usage->pair_keys, room * sizeof(*keys));
	if (!keys)
		return -ENOMEM;
	usage->pair_keys = keys;
	usage->pair_room = room;
	return 0;
}

static int reserve_pair(struct maui_limit_usage *usage, uint64_t key)
{
	uint32_t number = usage->pair_count + 1;

	if (limit_map_find(&usage->pairs, key))
		return 0;
	if (number >= usage->pair_room && grow_pairs(usage))
		return -ENOMEM;
	if (limit_map_add(&usage->pairs, key, number))
		return -ENOMEM;
	usage->pair_cells[number] = (struct limit_cell){0};
	usage->pair_keys[number] = key;
	usage->pair_count = number;
	return 0;
}

/* Both ids of a job in a kind of pairs, if they count in this mode. */
static bool pair_key(const struct maui_limit_usage *usage, unsigned int kind,
		     enum maui_limit_mode mode, const struct maui_limit_job *job, uint64_t *ret_key)
{
	uint32_t first, second;

	if (!(usage->kinds[kind].modes & MAUI_LIMIT_BIT(mode)) ||
	    !limit_holder(job, usage->kinds[kind].first, &first) ||
	    !limit_holder(job, usage->kinds[kind].second, &second))
		return false;
	*ret_key = limit_map_key(kind, first, second);
	return true;
}

int maui_limit_usage_reserve(struct maui_limit_usage *usage, const struct maui_limit_job *job,
			     enum maui_limit_mode mode)
{
	uint32_t id;
	uint64_t key;
	int rc = 0;

	for (unsigned int type = 0; !rc && type < MAUI_LIMIT_HOLDERS; type++)
		if (limit_holder(job, type, &id))
			rc = reserve_id(usage, type, id);
	for (unsigned int kind = 0; !rc && kind < usage->kind_count; kind++)
		if (pair_key(usage, kind, mode, job, &key))
			rc = reserve_pair(usage, key);
	return rc;
}

/* The cells of a job, which have been reserved. Returns their number. */
#define MAX_CELLS (MAUI_LIMIT_HOLDERS + LIMIT_KINDS)
static unsigned int cells_of(struct maui_limit_usage *usage, enum maui_limit_mode mode,
			     const struct maui_limit_job *job,
			     struct limit_cell *ret_cells[MAX_CELLS])
{
	unsigned int count = 0;
	uint32_t id;
	uint64_t key;

	for (unsigned int type = 0; type < MAUI_LIMIT_HOLDERS; type++)
		if (limit_holder(job, type, &id))
			ret_cells[count++] = &usage->cells[type][id];
	for (unsigned int kind = 0; kind < usage->kind_count; kind++)
		if (pair_key(usage, kind, mode, job, &key))
			ret_cells[count++] = &usage->pair_cells[limit_map_find(&usage->pairs, key)];
	return count;
}

/* ---- active jobs --------------------------------------------------------------------------- */

/* What a job is in its cells: added, or with sign -1 taken. */
struct share {
	int64_t amount[LIMIT_WIDTH];
	uint64_t ends_ps, rate_ps, ends_wc, rate_wc;
};

/* The part of a running job that shrinks. */
static void running_share(const struct maui_limit_usage *usage,
			  const struct maui_limit_holding *holding, struct share *share)
{
	uint64_t procs = (uint64_t)within(holding->job.procs, MAX_COUNT);

	share->rate_wc = 1;
	share->rate_ps = procs;
	share->ends_wc = (uint64_t)(holding->ends - usage->base);
	share->ends_ps = procs * share->ends_wc;
}

static void change(struct limit_cell *cell, const struct share *share, int sign)
{
	uint64_t factor = (uint64_t)(int64_t)sign;

	for (unsigned int i = 0; i < LIMIT_WIDTH; i++)
		cell->amount[MAUI_LIMIT_ACTIVE][i] += sign * share->amount[i];
	cell->ends_ps += factor * share->ends_ps;
	cell->rate_ps += factor * share->rate_ps;
	cell->ends_wc += factor * share->ends_wc;
	cell->rate_wc += factor * share->rate_wc;
}

static void change_all(struct maui_limit_usage *usage, const struct maui_limit_job *job,
		       const struct share *share, int sign)
{
	struct limit_cell *cells[MAX_CELLS];
	unsigned int count = cells_of(usage, MAUI_LIMIT_ACTIVE, job, cells);

	for (unsigned int i = 0; i < count; i++)
		change(cells[i], share, sign);
}

static void unlink_end(struct maui_limit_holding *holding)
{
	*holding->link = holding->next;
	if (holding->next)
		holding->next->link = holding->link;
	holding->link = NULL;
	holding->next = NULL;
}

static void link_end(struct maui_limit_usage *usage, struct maui_limit_holding *holding)
{
	struct maui_limit_holding **head =
		&usage->wheel[(uint64_t)holding->ends & (LIMIT_WHEEL - 1)];

	holding->next = *head;
	holding->link = head;
	if (holding->next)
		holding->next->link = &holding->next;
	*head = holding;
}

/* All of a job's share, as it is now. */
static struct share share_of(const struct maui_limit_usage *usage,
			     const struct maui_limit_holding *holding)
{
	struct share share = {0};

	maui_limit_request(&holding->job, share.amount);
	if (holding->ends == MAUI_LIMIT_SUSPENDED)
		return share;
	share.amount[MAUI_LIMIT_PS] = share.amount[MAUI_LIMIT_WC] = 0;
	if (holding->link)
		running_share(usage, holding, &share);
	return share;
}

int maui_limit_usage_add(struct maui_limit_usage *usage, struct maui_limit_holding *holding,
			 const struct maui_limit_job *job, int64_t ends)
{
	int rc = maui_limit_usage_reserve(usage, job, MAUI_LIMIT_ACTIVE);
	struct share share;

	if (rc)
		return rc;
	/* No end is further away than for ever. */
	if (ends != MAUI_LIMIT_SUSPENDED && ends > usage->now + MAUI_INFINITY)
		ends = usage->now + MAUI_INFINITY;
	*holding = (struct maui_limit_holding){.job = *job, .ends = ends};
	if (ends > usage->now)
		link_end(usage, holding);
	share = share_of(usage, holding);
	change_all(usage, job, &share, 1);
	return 0;
}

void maui_limit_usage_take(struct maui_limit_usage *usage, struct maui_limit_holding *holding)
{
	struct share share = share_of(usage, holding);

	change_all(usage, &holding->job, &share, -1);
	if (holding->link)
		unlink_end(holding);
}

/* Its end has come. */
static void expire(struct maui_limit_usage *usage, struct maui_limit_holding *holding)
{
	struct share share = {0};

	running_share(usage, holding, &share);
	change_all(usage, &holding->job, &share, -1);
	unlink_end(holding);
}

void maui_limit_usage_advance(struct maui_limit_usage *usage, int64_t now)
{
	int64_t passed = now > usage->now ? now - usage->now : 0;

	if (!passed)
		return;
	if (passed > LIMIT_WHEEL)
		passed = LIMIT_WHEEL;
	for (int64_t i = 0; i < passed; i++) {
		struct maui_limit_holding *next,
			*holding = usage->wheel[(uint64_t)(now - i) & (LIMIT_WHEEL - 1)];

		for (; holding; holding = next) {
			next = holding->next;
			if (holding->ends <= now)
				expire(usage, holding);
		}
	}
	usage->now = now;
}

/* ---- idle jobs ----------------------------------------------------------------------------- */

int maui_limit_usage_add_idle(struct maui_limit_usage *usage, const struct maui_limit_job *job)
{
	struct limit_cell *cells[MAX_CELLS];
	int64_t request[LIMIT_WIDTH];
	unsigned int count;
	int rc = maui_limit_usage_reserve(usage, job, MAUI_LIMIT_IDLE);

	if (rc)
		return rc;
	maui_limit_request(job, request);
	count = cells_of(usage, MAUI_LIMIT_IDLE, job, cells);
	for (unsigned int i = 0; i < count; i++)
		for (unsigned int metric = 0; metric < MAUI_LIMIT_METRICS; metric++)
			cells[i]->amount[MAUI_LIMIT_IDLE][metric] += request[metric];
	return 0;
}

static void clear_idle(struct limit_cell *cell)
{
	memset(cell->amount[MAUI_LIMIT_IDLE], 0, sizeof(cell->amount[MAUI_LIMIT_IDLE]));
}

void maui_limit_usage_clear_idle(struct maui_limit_usage *usage)
{
	for (unsigned int type = 0; type < MAUI_LIMIT_HOLDERS; type++)
		for (uint32_t id = 0; id < usage->count[type]; id++)
			clear_idle(&usage->cells[type][id]);
	for (uint32_t i = 1; i <= usage->pair_count; i++)
		clear_idle(&usage->pair_cells[i]);
}

/* ---- copies -------------------------------------------------------------------------------- */

static void *copied(const void *array, size_t count, size_t size)
{
	void *copy = calloc(count + 1, size);

	if (copy && count)
		memcpy(copy, array, count * size);
	return copy;
}

struct maui_limit_usage *maui_limit_usage_copy(const struct maui_limit_usage *usage)
{
	struct maui_limit_usage *copy = maui_limit_usage_new(NULL, usage->now);
	bool short_of_memory = false;

	if (!copy)
		return NULL;
	copy->base = usage->base;
	memcpy(copy->kinds, usage->kinds, sizeof(copy->kinds));
	copy->kind_count = usage->kind_count;
	for (unsigned int type = 0; type < MAUI_LIMIT_HOLDERS; type++) {
		copy->cells[type] =
			copied(usage->cells[type], usage->count[type], sizeof(struct limit_cell));
		copy->count[type] = copy->cells[type] ? usage->count[type] : 0;
		short_of_memory |= !copy->cells[type];
	}
	if (usage->pair_room) {
		copy->pair_cells =
			copied(usage->pair_cells, usage->pair_room, sizeof(*usage->pair_cells));
		copy->pair_keys =
			copied(usage->pair_keys, usage->pair_room, sizeof(*usage->pair_keys));
		short_of_memory |= !copy->pair_cells || !copy->pair_keys ||
				   limit_map_copy(&usage->pairs, &copy->pairs);
		copy->pair_room = usage->pair_room;
		copy->pair_count = usage->pair_count;
	}
	return short_of_memory ? maui_limit_usage_free(copy) : copy;
}

static void set_idle(struct limit_cell *cell, const struct limit_cell *from)
{
	memcpy(cell->amount[MAUI_LIMIT_IDLE], from->amount[MAUI_LIMIT_IDLE],
	       sizeof(cell->amount[MAUI_LIMIT_IDLE]));
}

int maui_limit_usage_set_idle(struct maui_limit_usage *usage, const struct maui_limit_usage *copy)
{
	int rc = 0;

	for (unsigned int type = 0; !rc && type < MAUI_LIMIT_HOLDERS; type++)
		if (copy->count[type])
			rc = reserve_id(usage, type, copy->count[type] - 1);
	for (uint32_t i = 1; !rc && i <= copy->pair_count; i++)
		rc = reserve_pair(usage, copy->pair_keys[i]);
	if (rc)
		return rc;
	maui_limit_usage_clear_idle(usage);
	for (unsigned int type = 0; type < MAUI_LIMIT_HOLDERS; type++)
		for (uint32_t id = 0; id < copy->count[type]; id++)
			set_idle(&usage->cells[type][id], &copy->cells[type][id]);
	for (uint32_t i = 1; i <= copy->pair_count; i++)
		set_idle(&usage->pair_cells[limit_map_find(&usage->pairs, copy->pair_keys[i])],
			 &copy->pair_cells[i]);
	return 0;
}

/* ---- reading ------------------------------------------------------------------------------- */

int64_t limit_cell_amount(const struct maui_limit_usage *usage, const struct limit_cell *cell,
			  enum maui_limit_mode mode, enum maui_limit_metric metric)
{
	int64_t amount = cell->amount[mode][metric], now = usage->now - usage->base;

	if (mode == MAUI_LIMIT_ACTIVE && metric == MAUI_LIMIT_PS)
		amount += limit_outstanding(cell->ends_ps, cell->rate_ps, now);
	if (mode == MAUI_LIMIT_ACTIVE && metric == MAUI_LIMIT_WC)
		amount += limit_outstanding(cell->ends_wc, cell->rate_wc, now);
	return amount;
}

int64_t maui_limit_usage_get(const struct maui_limit_usage *usage, unsigned int type, uint32_t id,
			     enum maui_limit_mode mode, enum maui_limit_metric metric)
{
	if (type >= MAUI_LIMIT_HOLDERS || id >= usage->count[type] || mode > MAUI_LIMIT_IDLE ||
	    metric >= MAUI_LIMIT_METRICS)
		return 0;
	return limit_cell_amount(usage, &usage->cells[type][id], mode, metric);
}

/* ---- the recount --------------------------------------------------------------------------- */

static const struct limit_cell nothing;

/* -EUCLEAN where two cells differ; what says whose they are. */
static int compare(const struct maui_limit_usage *usage, const struct limit_cell *kept,
		   const struct limit_cell *counted, const char *what, uint64_t id,
		   struct maui_error *error)
{
	for (unsigned int metric = 0; metric < MAUI_LIMIT_METRICS; metric++) {
		int64_t ours = limit_cell_amount(usage, kept, MAUI_LIMIT_ACTIVE, metric);
		int64_t right = limit_cell_amount(usage, counted, MAUI_LIMIT_ACTIVE, metric);

		if (ours != right)
			return maui_error_set(error, EUCLEAN,
					      "usage of %s %" PRIu64
					      ", metric %u, is kept as %" PRId64
					      ", a recount gives %" PRId64,
					      what, id, metric, ours, right);
	}
	return 0;
}

static const struct limit_cell *cell_or_nothing(const struct maui_limit_usage *usage,
						unsigned int type, uint32_t id)
{
	return id < usage->count[type] ? &usage->cells[type][id] : &nothing;
}

static int compare_all(const struct maui_limit_usage *usage, const struct maui_limit_usage *counted,
		       struct maui_error *error)
{
	int rc = 0;

	for (unsigned int type = 0; type < MAUI_LIMIT_HOLDERS; type++) {
		uint32_t count = usage->count[type] > counted->count[type] ? usage->count[type]
									   : counted->count[type];

		for (uint32_t id = 0; !rc && id < count; id++)
			rc = compare(usage, cell_or_nothing(usage, type, id),
				     cell_or_nothing(counted, type, id),
				     type == MAUI_WHOLE_SYSTEM ? "the system"
							       : maui_credential_name(type),
				     id, error);
	}
	for (uint32_t i = 1; !rc && i <= usage->pair_count; i++) {
		uint32_t other = limit_map_find(&counted->pairs, usage->pair_keys[i]);

		rc = compare(usage, &usage->pair_cells[i],
			     other ? &counted->pair_cells[other] : &nothing, "pair",
			     usage->pair_keys[i], error);
	}
	for (uint32_t i = 1; !rc && i <= counted->pair_count; i++)
		if (!limit_map_find(&usage->pairs, counted->pair_keys[i]))
			rc = compare(usage, &nothing, &counted->pair_cells[i], "pair",
				     counted->pair_keys[i], error);
	return rc;
}

int maui_limit_usage_recount(const struct maui_limit_usage *usage,
			     const struct maui_limit_holding *const *holdings, size_t count,
			     struct maui_error *error)
{
	struct maui_limit_usage *counted = maui_limit_usage_new(NULL, usage->now);
	struct maui_limit_holding *copies = calloc(count ? count : 1, sizeof(*copies));
	int rc = counted && copies ? 0 : -ENOMEM;

	if (!rc) {
		counted->base = usage->base;
		memcpy(counted->kinds, usage->kinds, sizeof(counted->kinds));
		counted->kind_count = usage->kind_count;
	}
	for (size_t i = 0; !rc && i < count; i++)
		rc = maui_limit_usage_add(counted, &copies[i], &holdings[i]->job,
					  holdings[i]->ends);
	if (rc)
		maui_error_set(error, -rc, "out of memory, limits' usage is not recounted");
	else
		rc = compare_all(usage, counted, error);
	maui_limit_usage_free(counted);
	free(copies);
	return rc;
}
