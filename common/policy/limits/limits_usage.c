/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What jobs hold, by credential and by the pairs that limits cover. Updated as jobs come and go.
 *
 * The outstanding seconds of a running job are its end minus now, so those of all running jobs are
 * SUM end - count * now: two numbers, which need no update as time passes. A job past its end would
 * subtract from the others; a timer wheel of the ends finds it, and it is removed from the sums
 * when its end comes.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/policy/limits/limits_private.h"
#include "common/util/memory.h"

/* ---- cells --------------------------------------------------------------------------------- */

void *limit_lines_grow(void *lines, size_t size, size_t count, size_t new_count)
{
	char *grown = aligned_alloc(LIMIT_CACHE, new_count * size);

	if (!grown)
		maui_memory_short(new_count * size);
	if (count)
		memcpy(grown, lines, count * size);
	memset(grown + count * size, 0, (new_count - count) * size);
	free(lines);
	return grown;
}

static void cells_clear(struct limit_cells *cells)
{
	free(cells->active);
	free(cells->idle);
	*cells = (struct limit_cells){0};
}

/* Make sure there is a cell of this number. */
static void cells_reserve(struct limit_cells *cells, uint32_t number)
{
	uint32_t count = number + number / 2 + 16;

	if (number < cells->count)
		return;
	cells->active =
		limit_lines_grow(cells->active, sizeof(*cells->active), cells->count, count);
	cells->idle = limit_lines_grow(cells->idle, sizeof(*cells->idle), cells->count, count);
	cells->count = count;
}

static void cells_copy(const struct limit_cells *cells, struct limit_cells *ret_copy)
{
	if (!cells->count)
		return;
	ret_copy->active = limit_lines_grow(NULL, sizeof(*cells->active), 0, cells->count);
	ret_copy->idle = limit_lines_grow(NULL, sizeof(*cells->idle), 0, cells->count);
	memcpy(ret_copy->active, cells->active, cells->count * sizeof(*cells->active));
	memcpy(ret_copy->idle, cells->idle, cells->count * sizeof(*cells->idle));
	ret_copy->count = cells->count;
}

static void cells_clear_idle(struct limit_cells *cells)
{
	if (cells->count)
		memset(cells->idle, 0, cells->count * sizeof(*cells->idle));
}

/* ---- the usage, and where a job counts in it ------------------------------------------------ */

struct maui_limit_usage *maui_limit_usage_new(const struct maui_limits *limits, int64_t now)
{
	struct maui_limit_usage *usage = maui_calloc(1, sizeof(*usage));

	usage->base = usage->now = now;
	for (unsigned int i = 0; limits && i < limits->gres_count; i++) {
		if (!limits->gres[i].limits)
			continue;
		usage->gres[i] = maui_limit_usage_new(limits->gres[i].limits, now);
		usage->gres[i]->of_gres = true;
		usage->gres_mask |= UINT32_C(1) << i;
	}
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
		cells_clear(&usage->cells[type]);
	cells_clear(&usage->pair_cells);
	limit_map_clear(&usage->pairs);
	limit_gres_free(usage);
	free(usage);
	return NULL;
}

static void reserve_pair(struct maui_limit_usage *usage, uint64_t key)
{
	if (limit_map_find(&usage->pairs, key))
		return;
	cells_reserve(&usage->pair_cells, usage->pairs.count + 1);
	limit_map_add(&usage->pairs, key);
}

/* Both ids of a job for a kind of pairs, if they count in this mode. */
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

	for (unsigned int type = 0; type < MAUI_LIMIT_HOLDERS; type++) {
		if (!limit_holder(job, type, &id))
			continue;
		if (id >= MAUI_LIMIT_IDS)
			return -ERANGE;
		cells_reserve(&usage->cells[type], id);
	}
	for (unsigned int kind = 0; kind < usage->kind_count; kind++)
		if (pair_key(usage, kind, mode, job, &key))
			reserve_pair(usage, key);
	return usage->gres_mask & maui_gres_mask(job->gres) ? limit_gres_reserve(usage, job, mode)
							    : 0;
}

/* A cell of a job, which has been reserved. */
struct place {
	const struct limit_cells *cells;
	uint32_t number;
};
#define MAX_PLACES (MAUI_LIMIT_HOLDERS + LIMIT_KINDS)

static unsigned int places_of(const struct maui_limit_usage *usage, enum maui_limit_mode mode,
			      const struct maui_limit_job *job, struct place ret_places[MAX_PLACES])
{
	unsigned int count = 0;
	uint32_t id;
	uint64_t key;

	for (unsigned int type = 0; type < MAUI_LIMIT_HOLDERS; type++)
		if (limit_holder(job, type, &id))
			ret_places[count++] = (struct place){&usage->cells[type], id};
	for (unsigned int kind = 0; kind < usage->kind_count; kind++)
		if (pair_key(usage, kind, mode, job, &key))
			ret_places[count++] = (struct place){&usage->pair_cells,
							     limit_map_find(&usage->pairs, key)};
	return count;
}

/* ---- active jobs --------------------------------------------------------------------------- */

/* The part of a running job's share that shrinks. A GRES's share has nothing yet in its upper halves. */
static void running_share(const struct maui_limit_usage *usage,
			  const struct maui_limit_holding *holding, struct limit_active *share)
{
	uint64_t procs =
		(uint64_t)(usage->of_gres ? holding->job.procs : limit_procs(holding->job.procs));
	uint64_t rest = (uint64_t)(holding->ends - usage->base);

	share->running = 1;
	share->running_procs = procs;
	share->amount[MAUI_LIMIT_WC - 1] = rest;
	share->amount[MAUI_LIMIT_PS - 1] = procs * rest;
	if (usage->of_gres)
		share->amount[LIMIT_PS_HIGH] = (uint64_t)((limit_wide)procs * rest >> 64);
}

/* A job's whole share, as it is now. */
static struct limit_active share_of(const struct maui_limit_usage *usage,
				    const struct maui_limit_holding *holding)
{
	int64_t request[MAUI_LIMIT_METRICS];
	struct limit_active share = {0};

	maui_limit_request(&holding->job, request);
	share.jobs = (uint32_t)request[MAUI_LIMIT_JOB];
	for (unsigned int metric = 1; metric < MAUI_LIMIT_METRICS; metric++)
		share.amount[metric - 1] = (uint64_t)request[metric];
	if (holding->ends == MAUI_LIMIT_SUSPENDED)
		return share;
	/* Past its end it holds no time. */
	share.amount[MAUI_LIMIT_WC - 1] = share.amount[MAUI_LIMIT_PS - 1] = 0;
	if (holding->link)
		running_share(usage, holding, &share);
	return share;
}

/* What the lower halves of a GRES's sums pass on to the upper ones when a share has been added. */
static void limits_usage_carry(struct limit_active *cell, const struct limit_active *share)
{
	static const enum maui_limit_metric low[] = {MAUI_LIMIT_PROC, MAUI_LIMIT_PS};
	static const unsigned int high[] = {LIMIT_PROC_HIGH, LIMIT_PS_HIGH};

	for (size_t i = 0; i < 2; i++)
		cell->amount[high[i]] += cell->amount[low[i] - 1] < share->amount[low[i] - 1];
	cell->amount[LIMIT_RUNNING_HIGH] += cell->running_procs < share->running_procs;
}

static void limits_usage_add(struct limit_active *cell, const struct limit_active *share)
{
	cell->jobs += share->jobs;
	cell->running += share->running;
	cell->running_procs += share->running_procs;
#pragma GCC unroll MAUI_LIMIT_METRICS
	for (unsigned int metric = 1; metric < MAUI_LIMIT_METRICS; metric++)
		cell->amount[metric - 1] += share->amount[metric - 1];
}

/* The negative of a share; of a GRES's the upper halves, too. */
static struct limit_active limits_usage_taken(const struct maui_limit_usage *usage,
					      const struct limit_active *share)
{
	struct limit_active ret = {.jobs = -share->jobs,
				   .running = -share->running,
				   .running_procs = -share->running_procs};

	for (unsigned int metric = 1; metric < MAUI_LIMIT_METRICS; metric++)
		ret.amount[metric - 1] = -share->amount[metric - 1];
	if (usage->of_gres) {
		ret.amount[LIMIT_PROC_HIGH] -= share->amount[MAUI_LIMIT_PROC - 1] != 0;
		ret.amount[LIMIT_PS_HIGH] -= share->amount[MAUI_LIMIT_PS - 1] != 0;
		ret.amount[LIMIT_RUNNING_HIGH] -= share->running_procs != 0;
	}
	return ret;
}

static void add_to_all(struct maui_limit_usage *usage, const struct maui_limit_job *job,
		       const struct limit_active *share)
{
	struct place places[MAX_PLACES];
	unsigned int count = places_of(usage, MAUI_LIMIT_ACTIVE, job, places);

	for (unsigned int i = 0; i < count; i++) {
		struct limit_active *cell = &places[i].cells->active[places[i].number];

		limits_usage_add(cell, share);
		if (usage->of_gres)
			limits_usage_carry(cell, share);
	}
}

static void take_from_all(struct maui_limit_usage *usage, const struct maui_limit_job *job,
			  const struct limit_active *share)
{
	struct limit_active negative = limits_usage_taken(usage, share);

	add_to_all(usage, job, &negative);
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

int maui_limit_usage_add(struct maui_limit_usage *usage, struct maui_limit_holding *holding,
			 const struct maui_limit_job *job, int64_t ends)
{
	int rc = maui_limit_usage_reserve(usage, job, MAUI_LIMIT_ACTIVE);
	struct limit_active share;

	if (rc)
		return rc;
	/* No end is further away than forever. */
	if (ends != MAUI_LIMIT_SUSPENDED && ends > usage->now + MAUI_INFINITY)
		ends = usage->now + MAUI_INFINITY;
	*holding = (struct maui_limit_holding){.job = *job, .ends = ends};
	if (usage->gres_mask & maui_gres_mask(job->gres))
		limit_gres_add(usage, holding);
	if (ends > usage->now)
		link_end(usage, holding);
	share = share_of(usage, holding);
	add_to_all(usage, job, &share);
	return 0;
}

void maui_limit_usage_take(struct maui_limit_usage *usage, struct maui_limit_holding *holding)
{
	struct limit_active share = share_of(usage, holding);

	take_from_all(usage, &holding->job, &share);
	if (holding->link)
		unlink_end(holding);
	if (holding->gres)
		limit_gres_take(usage, holding);
}

/* Its end has come. */
static void limits_usage_expire(struct maui_limit_usage *usage, struct maui_limit_holding *holding)
{
	struct limit_active share = {0};

	running_share(usage, holding, &share);
	take_from_all(usage, &holding->job, &share);
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
				limits_usage_expire(usage, holding);
		}
	}
	usage->now = now;
	LIMIT_EACH_GRES(usage->gres_mask, i)
	maui_limit_usage_advance(usage->gres[i], now);
}

/* ---- idle jobs ----------------------------------------------------------------------------- */

void maui_limit_usage_count_idle(struct maui_limit_usage *usage, const struct maui_limit_job *job)
{
	struct place places[MAX_PLACES];
	unsigned int count = places_of(usage, MAUI_LIMIT_IDLE, job, places);
	int64_t request[MAUI_LIMIT_METRICS];

	maui_limit_request(job, request);
	for (unsigned int i = 0; i < count; i++) {
		struct limit_idle *cell = &places[i].cells->idle[places[i].number];

		for (unsigned int metric = 0; metric < MAUI_LIMIT_METRICS; metric++)
			cell->amount[metric] += request[metric];
		for (unsigned int metric = 0; usage->of_gres && metric < MAUI_LIMIT_METRICS;
		     metric++)
			cell->amount[metric] = limit_within(cell->amount[metric], MAUI_GRES_MOST);
	}
	LIMIT_EACH_GRES(usage->gres_mask & maui_gres_mask(job->gres), i)
	{
		struct maui_limit_job as_procs = limit_gres_job(job, i);

		maui_limit_usage_count_idle(usage->gres[i], &as_procs);
	}
}

void maui_limit_usage_clear_idle(struct maui_limit_usage *usage)
{
	for (unsigned int type = 0; type < MAUI_LIMIT_HOLDERS; type++)
		cells_clear_idle(&usage->cells[type]);
	cells_clear_idle(&usage->pair_cells);
	LIMIT_EACH_GRES(usage->gres_mask, i)
	maui_limit_usage_clear_idle(usage->gres[i]);
}

/* ---- copies -------------------------------------------------------------------------------- */

struct maui_limit_usage *limit_usage_like(const struct maui_limit_usage *usage)
{
	struct maui_limit_usage *like = maui_limit_usage_new(NULL, usage->now);

	like->base = usage->base;
	like->of_gres = usage->of_gres;
	memcpy(like->kinds, usage->kinds, sizeof(like->kinds));
	like->kind_count = usage->kind_count;
	LIMIT_EACH_GRES(usage->gres_mask, i)
	like->gres[i] = limit_usage_like(usage->gres[i]);
	like->gres_mask = usage->gres_mask;
	return like;
}

static void copy_cells(const struct maui_limit_usage *usage, struct maui_limit_usage *copy)
{
	for (unsigned int type = 0; type < MAUI_LIMIT_HOLDERS; type++)
		cells_copy(&usage->cells[type], &copy->cells[type]);
	cells_copy(&usage->pair_cells, &copy->pair_cells);
	limit_map_copy(&usage->pairs, &copy->pairs);
	LIMIT_EACH_GRES(usage->gres_mask, i)
	copy_cells(usage->gres[i], copy->gres[i]);
}

struct maui_limit_usage *maui_limit_usage_copy(const struct maui_limit_usage *usage)
{
	struct maui_limit_usage *copy = limit_usage_like(usage);

	copy_cells(usage, copy);
	return copy;
}

static void reserve_idle(struct maui_limit_usage *usage, const struct maui_limit_usage *copy)
{
	for (unsigned int type = 0; type < MAUI_LIMIT_HOLDERS; type++)
		if (copy->cells[type].count)
			cells_reserve(&usage->cells[type], copy->cells[type].count - 1);
	for (uint32_t i = 1; i <= copy->pairs.count; i++)
		reserve_pair(usage, copy->pairs.keys[i]);
	LIMIT_EACH_GRES(usage->gres_mask & copy->gres_mask, i)
	reserve_idle(usage->gres[i], copy->gres[i]);
}

static void take_idle(struct maui_limit_usage *usage, const struct maui_limit_usage *copy)
{
	for (unsigned int type = 0; type < MAUI_LIMIT_HOLDERS; type++)
		if (copy->cells[type].count)
			memcpy(usage->cells[type].idle, copy->cells[type].idle,
			       copy->cells[type].count * sizeof(struct limit_idle));
	for (uint32_t i = 1; i <= copy->pairs.count; i++)
		usage->pair_cells.idle[limit_map_find(&usage->pairs, copy->pairs.keys[i])] =
			copy->pair_cells.idle[i];
	LIMIT_EACH_GRES(usage->gres_mask & copy->gres_mask, i)
	take_idle(usage->gres[i], copy->gres[i]);
}

void maui_limit_usage_set_idle(struct maui_limit_usage *usage, const struct maui_limit_usage *copy)
{
	reserve_idle(usage, copy);
	maui_limit_usage_clear_idle(usage);
	take_idle(usage, copy);
}

/* ---- reading ------------------------------------------------------------------------------- */

int64_t maui_limit_usage_get(const struct maui_limit_usage *usage, unsigned int type, uint32_t id,
			     enum maui_limit_mode mode, enum maui_limit_metric metric)
{
	if (type >= MAUI_LIMIT_HOLDERS || mode > MAUI_LIMIT_IDLE || metric >= MAUI_LIMIT_METRICS)
		return 0;
	return limit_cell_amount(usage, &usage->cells[type], id, mode, metric);
}
