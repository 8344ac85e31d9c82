/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A list for each origin has all limits that its jobs count against. Those
 * behind another of their kind and TRES on a level before only count.
 */
#include "common/replay/stock/stock_limits.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/import/import_take_rules.h"
#include "common/util/grow.h"
#include "common/util/memory.h"

#define MINUTE 60

/* ---- the limits ---- */

static size_t limit_counters(const struct stock_limits *limits, enum stock_each each,
			     uint32_t users)
{
	switch (each) {
	case STOCK_EACH_USER:
		return users + (size_t)1;
	case STOCK_EACH_ACCOUNT:
	case STOCK_EACH_ASSOC:
		return limits->stock->priority.assoc_count;
	default:
		return 1;
	}
}

static void limit_put(struct stock_limits *limits, const struct maui_import_limit *from,
		      const struct maui_import_part *part, uint32_t users)
{
	struct stock_limit limit = {.rule = maui_stock_rule_of(from), .from = from};
	size_t counters = limit_counters(limits, limit.rule->each, users);
	const char *flags = from->of.level == MAUI_IMPORT_OF_QOS
				    ? maui_stock_qos_setting(limits->stock, from->of.name, "Flags")
				    : NULL;

	if (!maui_stock_read_part(limit.rule, part, &limit.tres, &limit.most))
		return; /* in stock->ignored */
	limit.tres.name =
		maui_arena_text(limits->stock->arena, limit.tres.name, strlen(limit.tres.name));
	limit.fades = !flags || !strcasestr(flags, "NoDecay");
	limit.used = maui_calloc(counters, sizeof(*limit.used));
	limit.reserved = maui_calloc(counters, sizeof(*limit.reserved));
	limits->drifts |=
		stock_decays(limit.rule->metric) || limit.rule->metric == STOCK_RUN_MINUTES;
	limits->by_time |=
		limit.rule->metric == STOCK_OF_MINUTES || limit.rule->metric == STOCK_OF_WALL ||
		limit.rule->metric == STOCK_RUN_MINUTES || stock_decays(limit.rule->metric);
	limits->list =
		maui_grow(limits->list, limits->count + 1, &limits->room, sizeof(*limits->list));
	limits->list[limits->count++] = limit;
}

static void limits_read(struct stock_limits *limits, uint32_t users)
{
	const struct maui_import_accounting *accounting = limits->stock->accounting;

	for (size_t i = 0; i < accounting->limit_count; i++) {
		const struct maui_import_limit *from = &accounting->limits[i];
		struct maui_import_part part;
		char *copy, *rest;

		if (!maui_stock_rule_of(from))
			continue;
		copy = rest = maui_strdup(from->original);
		while (maui_import_next_part(&rest, &part))
			limit_put(limits, from, &part, users);
		free(copy);
	}
}

/* ---- whose they are ---- */

static bool limit_same_tres(const struct stock_limit *a, const struct stock_limit *b)
{
	return a->tres.kind == b->tres.kind && !strcasecmp(a->tres.name, b->tres.name);
}

/* A part of the refs: those of an origin, or of some levels of it. */
struct limit_span {
	size_t first, end;
};

static bool limit_is_kind(const struct stock_limits *limits, struct limit_span span,
			  enum stock_kind kind)
{
	for (size_t i = span.first; i < span.end; i++)
		if (limits->list[limits->refs[i].limit].rule->kind == kind)
			return true;
	return false;
}

/* Whether a limit of the same kind and TRES is among them. */
static bool limit_is_set(const struct stock_limits *limits, struct limit_span span,
			 const struct stock_limit *like)
{
	for (size_t i = span.first; i < span.end; i++) {
		const struct stock_limit *limit = &limits->list[limits->refs[i].limit];

		if (limit->rule->kind == like->rule->kind && limit_same_tres(limit, like))
			return true;
	}
	return false;
}

static void limit_refer(struct stock_limits *limits, size_t limit, size_t whom, bool enforced)
{
	limits->refs = maui_grow(limits->refs, limits->ref_count + 1, &limits->ref_room,
				 sizeof(*limits->refs));
	limits->refs[limits->ref_count++] =
		(struct stock_ref){(uint32_t)limit, (uint32_t)whom, enforced};
}

/* first: where the refs of the origin begin. */
static void limits_of_qos(struct stock_limits *limits, const struct stock_origin *origin,
			  size_t qos, size_t first)
{
	const struct limit_span before = {first, limits->ref_count};

	for (size_t i = 0; qos != MAUI_IMPORT_NONE && i < limits->count; i++) {
		const struct stock_limit *limit = &limits->list[i];
		enum stock_each each = limit->rule->each;

		if (limit->from->of.level != MAUI_IMPORT_OF_QOS ||
		    strcasecmp(limit->from->of.name, limits->stock->priority.qos[qos].name) != 0)
			continue;
		limit_refer(limits, i,
			    each == STOCK_EACH_USER      ? origin->user
			    : each == STOCK_EACH_ACCOUNT ? origin->account
							 : 0,
			    !limit_is_set(limits, before, limit));
	}
}

/* Whether a limit of the QOS takes the place of an association's. */
static bool limit_qos_has(const struct stock_limits *limits, struct limit_span qos,
			  const struct stock_limit *limit)
{
	if (limit->rule->kind == STOCK_MAX_JOBS)
		return limit_is_kind(limits, qos, STOCK_MAX_JOBS_USER) ||
		       limit_is_kind(limits, qos, STOCK_MAX_JOBS_ACCOUNT);
	return limit_is_set(limits, qos, limit);
}

/* qos: the refs of the QOS. */
static void limits_of_assoc(struct stock_limits *limits, const struct stock_origin *origin,
			    size_t assoc, struct limit_span qos)
{
	for (size_t i = 0; i < limits->count; i++) {
		const struct stock_limit *limit = &limits->list[i];
		const struct limit_span below = {qos.end, limits->ref_count};

		if (limit->from->of.level == MAUI_IMPORT_OF_QOS || limit->from->of.assoc != assoc)
			continue;
		/* What is inherited is the nearest one. */
		if (limit->rule->each != STOCK_TOGETHER && limit_is_set(limits, below, limit))
			continue;
		limit_refer(limits, i, limit->rule->each == STOCK_EACH_ASSOC ? origin->assoc : 0,
			    !limit_qos_has(limits, qos, limit));
	}
}

static void limits_of_origin(struct stock_limits *limits, const struct stock_origin *origin)
{
	struct limit_span qos = {.first = limits->ref_count};

	if (origin->assoc == MAUI_IMPORT_NONE) /* slurmctld looks at none then */
		return;
	if (origin->qos_first)
		limits_of_qos(limits, origin, origin->qos, qos.first);
	if (!origin->qos_first || origin->qos != origin->partition_qos)
		limits_of_qos(limits, origin, origin->partition_qos, qos.first);
	if (!origin->qos_first && origin->qos != origin->partition_qos)
		limits_of_qos(limits, origin, origin->qos, qos.first);
	qos.end = limits->ref_count;
	for (size_t at = origin->assoc; at != MAUI_IMPORT_NONE;
	     at = maui_stock_parent(limits->stock, at))
		limits_of_assoc(limits, origin, at, qos);
}

void maui_stock_limits_open(const struct maui_stock *stock, const struct stock_origins *origins,
			    uint32_t users, struct stock_limits *ret_limits)
{
	struct stock_limits *limits = ret_limits;

	*limits = (struct stock_limits){.stock = stock,
					.first = maui_calloc(origins->count + 1, sizeof(size_t))};
	if (stock->limits)
		limits_read(limits, users);
	for (size_t i = 0; i < origins->count; i++) {
		limits->first[i] = limits->ref_count;
		limits_of_origin(limits, &origins->list[i]);
	}
	limits->first[origins->count] = limits->ref_count;
}

void maui_stock_limits_clear(struct stock_limits *limits)
{
	for (size_t i = 0; i < limits->count; i++) {
		free(limits->list[i].used);
		free(limits->list[i].reserved);
	}
	free(limits->list);
	free(limits->refs);
	free(limits->first);
	*limits = (struct stock_limits){0};
}

/* ---- whether they are kept ---- */

/* A job that would use so many minutes of the TRES. With "safe" in AccountingStorageEnforce it must
 * fit into what is left beside those that run. */
static bool limit_is_used_up(const struct stock_limits *limits, const struct stock_limit *limit,
			     uint32_t whom, uint64_t minutes)
{
	uint64_t used = (uint64_t)(limit->used[whom] / MINUTE);
	uint64_t reserved = (uint64_t)(limit->reserved[whom] / MINUTE);

	if (!minutes)
		return false;
	return used >= limit->most ||
	       (limits->stock->safe &&
		(minutes > limit->most || minutes + reserved > limit->most - used));
}

static bool limit_is_exceeded(const struct stock_limits *limits, const struct stock_ref *ref,
			      const struct maui_import_request *request, double usage_factor)
{
	const struct stock_limit *limit = &limits->list[ref->limit];
	uint64_t asked = maui_import_asked(request, &limit->tres);
	uint64_t nodes = request->nodes ? request->nodes : 1;
	uint64_t used = (uint64_t)limit->used[ref->whom];

	switch (limit->rule->metric) {
	case STOCK_JOBS:
		return used >= limit->most;
	case STOCK_AMOUNT:
		return asked && asked + used > limit->most;
	case STOCK_RUN_MINUTES:
		/* Slurm lets jobs run that cost nothing. */
		used = usage_factor > 0 ? (uint64_t)(limit->reserved[ref->whom] / MINUTE) : 0;
		return asked && asked * request->minutes + used > limit->most;
	case STOCK_MINUTES:
		return usage_factor > 0 &&
		       limit_is_used_up(limits, limit, ref->whom, asked * request->minutes);
	case STOCK_WALL:
		used /= MINUTE;
		return used >= limit->most ||
		       (limits->stock->safe && used + request->minutes > limit->most);
	case STOCK_OF_JOB:
		return asked > limit->most;
	case STOCK_OF_NODE:
		return asked / nodes > limit->most;
	case STOCK_OF_MINUTES:
		return asked * request->minutes > limit->most;
	case STOCK_OF_WALL:
		return request->minutes > limit->most;
	case STOCK_LEAST:
		return asked < limit->most;
	}
	return false;
}

const struct stock_ref *maui_stock_limits_check(const struct stock_limits *limits, uint32_t origin,
						const struct maui_import_request *request,
						double usage_factor)
{
	for (size_t i = limits->first[origin]; i < limits->first[origin + 1]; i++)
		if (limits->refs[i].enforced &&
		    limit_is_exceeded(limits, &limits->refs[i], request, usage_factor))
			return &limits->refs[i];
	return NULL;
}

/* ---- what counts ---- */

void maui_stock_limits_hold(struct stock_limits *limits, uint32_t origin,
			    const struct maui_import_request *request, int sign)
{
	for (size_t i = limits->first[origin]; i < limits->first[origin + 1]; i++) {
		const struct stock_ref *ref = &limits->refs[i];
		struct stock_limit *limit = &limits->list[ref->limit];

		if (limit->rule->metric == STOCK_JOBS)
			limit->used[ref->whom] += sign;
		else if (limit->rule->metric == STOCK_AMOUNT)
			limit->used[ref->whom] +=
				sign * (long double)maui_import_asked(request, &limit->tres);
	}
}

void maui_stock_limits_run(struct stock_limits *limits, uint32_t origin,
			   const struct maui_import_request *request, double faded, double seconds,
			   double reserved)
{
	for (size_t i = limits->first[origin]; i < limits->first[origin + 1]; i++) {
		const struct stock_ref *ref = &limits->refs[i];
		struct stock_limit *limit = &limits->list[ref->limit];
		enum stock_metric metric = limit->rule->metric;
		long double run = limit->fades ? faded : seconds;
		long double asked;

		if (metric == STOCK_WALL)
			limit->used[ref->whom] += run;
		if (metric != STOCK_MINUTES && metric != STOCK_RUN_MINUTES)
			continue;
		asked = (long double)maui_import_asked(request, &limit->tres);
		limit->used[ref->whom] += run * asked;
		limit->reserved[ref->whom] += reserved * asked;
	}
}

void maui_stock_limits_decay(struct stock_limits *limits, double left)
{
	for (size_t i = 0; i < limits->count; i++)
		if (stock_decays(limits->list[i].rule->metric) &&
		    (limits->list[i].fades || left == 0))
			*limits->list[i].used *= left;
}
