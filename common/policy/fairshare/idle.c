/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * For each payer we know how many processors are idle, and since when: a job that takes or returns
 * some costs one span of the payers concerned. When a hold begins or ends, everything is recomputed
 * by the first call with a later time.
 */
#include "common/policy/fairshare/idle.h"

#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"
#include "common/util/idmap.h"
#include "common/util/memory.h"

#define NOBODY UINT32_MAX

struct slot {
	double weight;
	uint32_t users; /* jobs */
	uint32_t payer; /* its index; NOBODY */
};

struct payer {
	struct maui_idle_payer who;
	double rate; /* of its idle slots */
	int64_t since;
	uint32_t idle; /* how many slots that is: 0 is exact */
};

struct job {
	uint32_t job_id;
	struct maui_idle_range *ranges;
	size_t count;
};

struct maui_idle {
	struct slot *slots;
	uint32_t slot_count;
	struct maui_idle_hold *holds;
	size_t hold_count;
	struct maui_idle_range *ranges; /* of all holds */
	uint32_t *payer_of;             /* by hold */
	struct payer *payers;
	size_t payer_count;
	int64_t boundary; /* when the next hold begins or ends; INT64_MAX: none does */
	struct job *jobs;
	size_t job_count, job_room;
	struct maui_idmap by_job; /* job id -> index + 1 */
	struct maui_idle_span *spans;
	size_t span_count, span_room;
};

struct maui_idle *maui_idle_new(void)
{
	struct maui_idle *idle = maui_calloc(1, sizeof(*idle));

	idle->boundary = INT64_MAX;
	return idle;
}

static void forget_jobs(struct maui_idle *idle)
{
	for (size_t i = 0; i < idle->job_count; i++)
		free(idle->jobs[i].ranges);
	idle->job_count = 0;
	maui_idmap_clear(&idle->by_job);
}

static void forget_layout(struct maui_idle *idle)
{
	forget_jobs(idle);
	free(idle->slots);
	free(idle->holds);
	free(idle->ranges);
	free(idle->payer_of);
	free(idle->payers);
	idle->slots = NULL;
	idle->holds = NULL;
	idle->ranges = NULL;
	idle->payer_of = NULL;
	idle->payers = NULL;
	idle->slot_count = 0;
	idle->hold_count = idle->payer_count = 0;
	idle->boundary = INT64_MAX;
}

struct maui_idle *maui_idle_free(struct maui_idle *idle)
{
	if (idle) {
		forget_layout(idle);
		free(idle->jobs);
		free(idle->spans);
		free(idle);
	}
	return NULL;
}

/* ---- spans ---- */

static void idle_keep(struct maui_idle *idle, const struct maui_idle_span *span)
{
	idle->spans = maui_grow(idle->spans, idle->span_count + 1, &idle->span_room,
				sizeof(*idle->spans));
	idle->spans[idle->span_count++] = *span;
}

static struct maui_idle_span open_span(const struct payer *payer, int64_t until)
{
	return (struct maui_idle_span){payer->who, payer->since, until, payer->rate};
}

static void idle_settle(struct maui_idle *idle, struct payer *payer, int64_t time)
{
	struct maui_idle_span span = open_span(payer, time);

	if (time <= payer->since)
		return;
	if (payer->idle && payer->rate > 0)
		idle_keep(idle, &span);
	payer->since = time;
}

static void idle_settle_all(struct maui_idle *idle, int64_t time)
{
	for (size_t i = 0; i < idle->payer_count; i++)
		idle_settle(idle, &idle->payers[i], time);
}

/* ---- who pays for what ---- */

static bool is_active(const struct maui_idle_hold *hold, int64_t time)
{
	return hold->start <= time && time < hold->end;
}

static void idle_mark(struct maui_idle *idle, const struct maui_idle_hold *hold, uint32_t payer)
{
	for (size_t i = 0; i < hold->range_count; i++)
		for (uint32_t k = 0; k < hold->ranges[i].count; k++)
			idle->slots[hold->ranges[i].first + k].payer = payer;
}

static void count_idle(struct maui_idle *idle)
{
	for (size_t i = 0; i < idle->payer_count; i++) {
		idle->payers[i].rate = 0;
		idle->payers[i].idle = 0;
	}
	for (uint32_t i = 0; i < idle->slot_count; i++) {
		const struct slot *slot = &idle->slots[i];

		if (slot->payer == NOBODY || slot->users)
			continue;
		idle->payers[slot->payer].rate += slot->weight;
		idle->payers[slot->payer].idle++;
	}
}

/* The payers at that time. The first hold is marked last. */
static void idle_assign(struct maui_idle *idle, int64_t time)
{
	for (uint32_t i = 0; i < idle->slot_count; i++)
		idle->slots[i].payer = NOBODY;
	idle->boundary = INT64_MAX;
	for (size_t i = idle->hold_count; i-- > 0;) {
		const struct maui_idle_hold *hold = &idle->holds[i];

		if (is_active(hold, time))
			idle_mark(idle, hold, idle->payer_of[i]);
		if (hold->start > time && hold->start < hold->end && hold->start < idle->boundary)
			idle->boundary = hold->start;
		if (hold->start <= time && hold->end > time && hold->end < idle->boundary)
			idle->boundary = hold->end;
	}
	count_idle(idle);
}

/* Up to that time, taking every start and end of a hold in turn. */
static void idle_advance(struct maui_idle *idle, int64_t time)
{
	while (idle->boundary <= time) {
		int64_t boundary = idle->boundary;

		idle_settle_all(idle, boundary);
		idle_assign(idle, boundary);
	}
}

/* ---- the layout ---- */

static uint32_t place_of_payer(struct maui_idle *idle, const struct maui_idle_payer *who,
			       int64_t now)
{
	for (size_t i = 0; i < idle->payer_count; i++)
		if (idle->payers[i].who.type == who->type && idle->payers[i].who.id == who->id)
			return (uint32_t)i;
	idle->payers[idle->payer_count] = (struct payer){.who = *who, .since = now};
	return (uint32_t)idle->payer_count++;
}

/* The part of a range within the slots. */
static struct maui_idle_range idle_within(const struct maui_idle *idle,
					  struct maui_idle_range range)
{
	if (range.first > idle->slot_count)
		range.first = idle->slot_count;
	if (range.count > idle->slot_count - range.first)
		range.count = idle->slot_count - range.first;
	return range;
}

static void copy_holds(struct maui_idle *idle, int64_t now, const struct maui_idle_hold *holds,
		       size_t count)
{
	struct maui_idle_range *at = idle->ranges;

	for (size_t i = 0; i < count; i++) {
		idle->holds[i] = holds[i];
		idle->holds[i].ranges = at;
		for (size_t k = 0; k < holds[i].range_count; k++)
			*at++ = idle_within(idle, holds[i].ranges[k]);
		idle->payer_of[i] = place_of_payer(idle, &holds[i].payer, now);
	}
	idle->hold_count = count;
}

void maui_idle_layout(struct maui_idle *idle, int64_t now, const double *weight, uint32_t slots,
		      const struct maui_idle_hold *holds, size_t hold_count)
{
	size_t ranges = 0;

	idle_advance(idle, now);
	idle_settle_all(idle, now);
	forget_layout(idle);
	for (size_t i = 0; i < hold_count; i++)
		ranges += holds[i].range_count;
	idle->slots = maui_calloc((size_t)slots + 1, sizeof(*idle->slots));
	idle->holds = maui_calloc(hold_count + 1, sizeof(*idle->holds));
	idle->ranges = maui_calloc(ranges + 1, sizeof(*idle->ranges));
	idle->payer_of = maui_calloc(hold_count + 1, sizeof(*idle->payer_of));
	idle->payers = maui_calloc(hold_count + 1, sizeof(*idle->payers));
	idle->slot_count = slots;
	for (uint32_t i = 0; i < slots; i++)
		idle->slots[i].weight = weight[i] > 0 ? weight[i] : 0;
	copy_holds(idle, now, holds, hold_count);
	idle_assign(idle, now);
}

bool maui_idle_watches(const struct maui_idle *idle)
{
	return idle->boundary != INT64_MAX;
}

double maui_idle_rate(const struct maui_idle *idle)
{
	double rate = 0;

	for (size_t i = 0; i < idle->payer_count; i++)
		if (idle->payers[i].idle)
			rate += idle->payers[i].rate;
	return rate;
}

/* ---- jobs ---- */

static void use_slot(struct maui_idle *idle, struct slot *slot, bool begins, int64_t time)
{
	struct payer *payer = slot->payer == NOBODY ? NULL : &idle->payers[slot->payer];

	if (begins ? slot->users++ : --slot->users)
		return; /* someone else uses it, too */
	if (!payer)
		return;
	idle_settle(idle, payer, time);
	if (begins)
		payer->idle--;
	else
		payer->idle++;
	payer->rate += begins ? -slot->weight : slot->weight;
	if (!payer->idle)
		payer->rate = 0; /* exactly 0, without rounding errors */
}

static void idle_use(struct maui_idle *idle, const struct job *job, bool begins, int64_t time)
{
	for (size_t i = 0; i < job->count; i++)
		for (uint32_t k = 0; k < job->ranges[i].count; k++)
			use_slot(idle, &idle->slots[job->ranges[i].first + k], begins, time);
}

static struct job *add_job(struct maui_idle *idle, uint32_t job_id)
{
	idle->jobs =
		maui_grow(idle->jobs, idle->job_count + 1, &idle->job_room, sizeof(*idle->jobs));
	maui_idmap_set(&idle->by_job, job_id, (uint32_t)idle->job_count + 1);
	idle->jobs[idle->job_count] = (struct job){.job_id = job_id};
	return &idle->jobs[idle->job_count++];
}

static void drop_job(struct maui_idle *idle, size_t at)
{
	struct job *last = &idle->jobs[--idle->job_count];

	maui_idmap_remove(&idle->by_job, idle->jobs[at].job_id);
	free(idle->jobs[at].ranges);
	if (&idle->jobs[at] == last)
		return;
	idle->jobs[at] = *last;
	maui_idmap_set(&idle->by_job, last->job_id, (uint32_t)at + 1); /* already there */
}

static void idle_add(struct maui_idle *idle, uint32_t job_id, const struct maui_idle_range *ranges,
		     size_t count, int64_t time)
{
	struct maui_idle_range *copy = maui_malloc(count, sizeof(*copy));
	struct job *job = add_job(idle, job_id);

	for (size_t i = 0; i < count; i++)
		copy[i] = idle_within(idle, ranges[i]);
	job->ranges = copy;
	job->count = count;
	idle_use(idle, job, true, time);
}

void maui_idle_begin(struct maui_idle *idle, uint32_t job_id, const struct maui_idle_range *ranges,
		     size_t count, int64_t time)
{
	idle_advance(idle, time);
	maui_idle_end(idle, job_id, time); /* it may have used others */
	if (count)
		idle_add(idle, job_id, ranges, count, time);
}

void maui_idle_end(struct maui_idle *idle, uint32_t job_id, int64_t time)
{
	uint32_t at = maui_idmap_find(&idle->by_job, job_id);

	if (!at)
		return;
	idle_advance(idle, time);
	idle_use(idle, &idle->jobs[at - 1], false, time);
	drop_job(idle, at - 1);
}

/* ---- taking ---- */

void maui_idle_step(struct maui_idle *idle, int64_t seconds)
{
	for (size_t i = 0; i < idle->payer_count; i++)
		idle->payers[i].since += seconds;
}

void maui_idle_take(struct maui_idle *idle, int64_t until, maui_idle_visit visit, void *context)
{
	size_t kept = 0;

	idle_advance(idle, until);
	idle_settle_all(idle, until);
	for (size_t i = 0; i < idle->span_count; i++) {
		struct maui_idle_span span = idle->spans[i];

		if (span.to > until) {
			idle->spans[kept] = span;
			if (span.from < until)
				idle->spans[kept].from = until;
			kept++;
			span.to = until;
		}
		if (span.to > span.from)
			visit(&span, context);
	}
	idle->span_count = kept;
}

/* Once a hold has ended, what follows is not known yet: stop there. */
void maui_idle_look(const struct maui_idle *idle, int64_t until, maui_idle_visit visit,
		    void *context)
{
	int64_t known = until < idle->boundary ? until : idle->boundary;

	for (size_t i = 0; i < idle->span_count; i++) {
		struct maui_idle_span span = idle->spans[i];

		if (span.to > until)
			span.to = until;
		if (span.to > span.from)
			visit(&span, context);
	}
	for (size_t i = 0; i < idle->payer_count; i++) {
		struct maui_idle_span span = open_span(&idle->payers[i], known);

		if (idle->payers[i].idle && span.rate > 0 && span.to > span.from)
			visit(&span, context);
	}
}
