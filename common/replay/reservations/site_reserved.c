/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counts processor-seconds of each reservation's part of a node: used by
 * admitted jobs, taken by others, lost to outages, or idle.
 */
#include "common/replay/reservations/site_reserved.h"

#include <stdlib.h>
#include <string.h>

#include "common/policy/reservation/sr_placing.h"
#include "common/replay/reservations/site_outages.h"
#include "common/replay/reservations/site_reserved_tell.h"
#include "common/replay/reservations/site_rsv.h"
#include "common/replay/state/site_nodes_record.h"
#include "common/util/arena.h"
#include "common/util/grow.h"
#include "common/util/memory.h"

#define NO_PART UINT32_MAX

/* What one reservation keeps of a node. */
struct part {
	uint32_t node, keeper, instance; /* NO_INSTANCE: nobody is admitted */
	uint32_t cores;
	uint32_t inside; /* processors of jobs that it admits: of a part they may be more */
	uint32_t next;   /* of the node */
	int64_t since;   /* counted up to then, */
	int64_t waited;  /* and up to that second of waiting */
	double each;     /* processor-seconds of the part for each processor inside */
};

/* A job inside of a part. */
struct site_inside {
	uint32_t part, cpus;
	double from; /* the part's each, when it came */
	struct site_inside *next;
};

/* What a running job has used of a reservation so far. */
struct site_visit {
	uint32_t keeper;
	double used;
	struct site_visit *next;
};

struct site_reserved {
	struct site_reserved_tally *tallies;
	struct site_reserved_tally *then; /* when the last job ended */
	bool quiet;                       /* since then none has begun */
	size_t keepers;
	double *cores; /* by keeper: kept since the last renewal */
	int64_t renewed, rolled;
	struct part *parts;
	size_t count, room;
	uint32_t *first; /* by node: NO_PART */
	bool *away;      /* by node */
	/* by instance: whether it admits the job that was asked for last, which is asked + 1 */
	uint32_t *asked;
	bool *admitted;
	size_t asked_room, admitted_room;
	bool waiting;   /* a job that no rule holds back */
	int64_t waited; /* seconds, until */
	int64_t until;
	struct site_reserved_use *uses;
	size_t use_count, use_room;
	struct site_inside *free_inside;
	struct site_visit *free_visits;
};

/* ---- time ---- */

/* Seconds up to now in which a job waited. */
static int64_t reserved_waited(const struct site_replay *replay)
{
	const struct site_reserved *reserved = replay->reserved;

	return reserved->waited + (reserved->waiting ? replay->now - reserved->until : 0);
}

void site_reserved_wait(struct site_replay *replay)
{
	struct site_reserved *reserved = replay->reserved;
	bool waiting = replay->eligible && replay->waiting > replay->barred;

	if (!reserved || reserved->waiting == waiting)
		return;
	reserved->waited = reserved_waited(replay);
	reserved->until = replay->now;
	reserved->waiting = waiting;
}

/* Whoever is inside uses it; what is left is idle as far as the node has something free. */
static void count_part(struct site_replay *replay, struct part *part)
{
	struct site_reserved *reserved = replay->reserved;
	struct site_reserved_tally *tally = &reserved->tallies[part->keeper];
	double seconds = (double)(replay->now - part->since);
	uint32_t used = part->inside < part->cores ? part->inside : part->cores;
	uint32_t left = part->cores - used, free = replay->nodes->room.cpus[part->node];
	uint32_t idle = left < free ? left : free;
	int64_t waiting = reserved_waited(replay);

	if (reserved->away[part->node] && part->instance != NO_INSTANCE) {
		tally->away += seconds * left;
	} else {
		tally->idle += seconds * idle;
		tally->kept += (double)(waiting - part->waited) * idle;
		tally->taken += seconds * (left - idle);
	}
	tally->used += seconds * used;
	if (part->inside)
		part->each += seconds * used / part->inside;
	part->since = replay->now;
	part->waited = waiting;
}

void site_reserved_settle(struct site_replay *replay, const struct maui_replay_share *shares,
			  uint32_t count)
{
	struct site_reserved *reserved = replay->reserved;

	for (uint32_t i = 0; reserved && i < count; i++)
		for (uint32_t at = reserved->first[shares[i].node]; at != NO_PART;
		     at = reserved->parts[at].next)
			count_part(replay, &reserved->parts[at]);
}

/* ---- jobs inside ---- */

static bool reserved_admits(struct site_replay *replay, uint32_t instance, uint32_t job)
{
	struct site_reserved *reserved = replay->reserved;
	enum maui_affinity affinity;

	if (instance == NO_INSTANCE)
		return false;
	if (reserved->asked[instance] != job + 1) {
		reserved->asked[instance] = job + 1;
		reserved->admitted[instance] = site_rsv_admits(
			replay, instance, job, replay->schedule->started[job], &affinity);
	}
	return reserved->admitted[instance];
}

static void go_inside(struct site_replay *replay, uint32_t job, uint32_t at, uint32_t cpus)
{
	struct site_reserved *reserved = replay->reserved;
	struct site_running *run = replay->run_of[job];
	struct site_inside *inside = reserved->free_inside;

	if (inside)
		reserved->free_inside = inside->next;
	else
		inside = maui_arena_alloc(replay->run_arena, 1, sizeof(*inside));
	*inside = (struct site_inside){at, cpus, reserved->parts[at].each, run->inside};
	run->inside = inside;
	reserved->parts[at].inside += cpus;
}

void site_reserved_enter(struct site_replay *replay, uint32_t job)
{
	const struct maui_replay_schedule *schedule = replay->schedule;
	struct site_reserved *reserved = replay->reserved;

	if (reserved)
		reserved->quiet = false;
	for (uint32_t i = 0; reserved && i < schedule->share_count[job]; i++) {
		const struct maui_replay_share *share =
			&schedule->shares[schedule->first_share[job] + i];

		for (uint32_t at = reserved->first[share->node]; at != NO_PART;
		     at = reserved->parts[at].next)
			if (reserved_admits(replay, reserved->parts[at].instance, job))
				go_inside(replay, job, at, share->cpus);
	}
}

/* A job visits each reservation once, however many nodes and instances of it. */
static struct site_visit *visit_of(struct site_replay *replay, struct site_running *run,
				   uint32_t keeper)
{
	struct site_reserved *reserved = replay->reserved;
	struct site_visit *visit = run->visits;

	while (visit && visit->keeper != keeper)
		visit = visit->next;
	if (visit)
		return visit;
	visit = reserved->free_visits;
	if (visit)
		reserved->free_visits = visit->next;
	else
		visit = maui_arena_alloc(replay->run_arena, 1, sizeof(*visit));
	*visit = (struct site_visit){keeper, 0, run->visits};
	return run->visits = visit;
}

/* Its parts are counted up to now. */
static void go_outside(struct site_replay *replay, struct site_running *run)
{
	struct site_reserved *reserved = replay->reserved;
	struct site_inside *inside;

	while ((inside = run->inside)) {
		struct part *part = &reserved->parts[inside->part];
		struct site_visit *visit = visit_of(replay, run, part->keeper);

		visit->used += inside->cpus * (part->each - inside->from);
		part->inside -= inside->cpus;
		run->inside = inside->next;
		inside->next = reserved->free_inside;
		reserved->free_inside = inside;
	}
}

static void note_visits(struct site_replay *replay, uint32_t job, struct site_running *run)
{
	struct site_reserved *reserved = replay->reserved;
	struct site_visit *visit;

	while ((visit = run->visits)) {
		reserved->uses = maui_grow(reserved->uses, reserved->use_count + 1,
					   &reserved->use_room, sizeof(*reserved->uses));
		if (visit->used > 0)
			reserved->uses[reserved->use_count++] =
				(struct site_reserved_use){visit->keeper, job, visit->used};
		run->visits = visit->next;
		visit->next = reserved->free_visits;
		reserved->free_visits = visit;
	}
}

void site_reserved_leave(struct site_replay *replay, uint32_t job)
{
	struct site_running *run = replay->run_of[job];

	if (!replay->reserved)
		return;
	go_outside(replay, run);
	note_visits(replay, job, run);
}

/* ---- what is kept ---- */

static void reserved_keep(struct site_replay *replay, uint32_t keeper, uint32_t instance,
			  uint32_t node, uint32_t cores)
{
	struct site_reserved *reserved = replay->reserved;

	reserved->parts = maui_grow(reserved->parts, reserved->count + 1, &reserved->room,
				    sizeof(*reserved->parts));
	reserved->parts[reserved->count] = (struct part){.node = node,
							 .keeper = keeper,
							 .instance = instance,
							 .cores = cores,
							 .next = reserved->first[node],
							 .since = replay->now,
							 .waited = reserved_waited(replay)};
	reserved->first[node] = (uint32_t)reserved->count++;
	reserved->cores[keeper] += cores;
}

static void keep_reservations(struct site_replay *replay)
{
	uint32_t standing, instances = site_rsv_instances(replay);

	for (uint32_t i = 0; i < instances; i++) {
		size_t count;
		const struct maui_sr_part *parts = site_rsv_parts(replay, i, &standing, &count);

		for (size_t j = 0; j < count; j++)
			reserved_keep(replay, standing, i, parts[j].node, parts[j].cores);
	}
}

/* Maintenance, and nodes that are out of service. */
static void keep_outages(struct site_replay *replay)
{
	const struct maui_replay_outages *outages = replay->site->outages;
	uint32_t standing = site_rsv_standing(replay);

	for (size_t i = 0; outages && i < outages->count; i++) {
		const struct maui_replay_outage *outage = &outages->list[i];

		for (uint32_t j = 0; site_outages_last(replay, outage) && j < outage->count; j++) {
			uint32_t node = outages->nodes[outage->first + j];

			replay->reserved->away[node] = true;
			if (outage->planned)
				reserved_keep(replay, standing + outage->name - 1, NO_INSTANCE,
					      node, replay->nodes->nodes->nodes[node].cpus);
		}
	}
}

/* Everything up to now, and nobody is inside. */
static void reserved_count_all(struct site_replay *replay)
{
	struct site_reserved *reserved = replay->reserved;

	for (size_t i = 0; i < reserved->count; i++)
		count_part(replay, &reserved->parts[i]);
	for (size_t i = 0; i < reserved->keepers; i++)
		reserved->tallies[i].reserved +=
			reserved->cores[i] * (double)(replay->now - reserved->renewed);
	reserved->renewed = replay->now;
	for (size_t i = 0; i < replay->machine.count; i++)
		go_outside(replay, replay->run_of[replay->machine.runs[i].job]);
}

static void forget_answers(struct site_replay *replay)
{
	struct site_reserved *reserved = replay->reserved;
	size_t instances = site_rsv_instances(replay) + (size_t)1;

	reserved->asked = maui_grow(reserved->asked, instances, &reserved->asked_room,
				    sizeof(*reserved->asked));
	reserved->admitted = maui_grow(reserved->admitted, instances, &reserved->admitted_room,
				       sizeof(*reserved->admitted));
	memset(reserved->asked, 0, instances * sizeof(*reserved->asked));
}

void site_reserved_renew(struct site_replay *replay)
{
	struct site_reserved *reserved = replay->reserved;

	if (!reserved)
		return;
	reserved_count_all(replay);
	forget_answers(replay);
	reserved->count = 0;
	memset(reserved->cores, 0, reserved->keepers * sizeof(*reserved->cores));
	for (uint32_t i = 0; i < replay->nodes->nodes->count; i++) {
		reserved->first[i] = NO_PART;
		reserved->away[i] = false;
	}
	keep_reservations(replay);
	keep_outages(replay);
	for (size_t i = 0; i < replay->machine.count; i++)
		site_reserved_enter(replay, replay->machine.runs[i].job);
}

/* ---- what they lack ---- */

static void count_lacks(struct site_replay *replay)
{
	struct site_reserved *reserved = replay->reserved;
	const struct site_rsv_lack *lacks = NULL;
	size_t count = site_rsv_lacking(replay, &lacks);

	for (size_t i = 0; i < count; i++) {
		const struct site_rsv_lack *lack = &lacks[i];
		int64_t from = lack->start > reserved->rolled ? lack->start : reserved->rolled;
		int64_t to = lack->end < replay->now ? lack->end : replay->now;

		if (from < to)
			reserved->tallies[lack->standing].lacking += to - from;
	}
	reserved->rolled = replay->now;
}

void site_reserved_roll(struct site_replay *replay)
{
	count_lacks(replay);
}

/* ---- the end ---- */

void site_reserved_quiet(struct site_replay *replay)
{
	struct site_reserved *reserved = replay->reserved;

	if (!reserved || reserved->quiet)
		return;
	reserved_count_all(replay);
	count_lacks(replay);
	memcpy(reserved->then, reserved->tallies, reserved->keepers * sizeof(*reserved->then));
	reserved->quiet = true;
}

/* ---- all of it ---- */

static void name_keepers(const struct site_replay *replay, struct site_reserved *reserved)
{
	const struct maui_replay_outages *outages = replay->site->outages;
	uint32_t standing = site_rsv_standing(replay);

	for (uint32_t i = 0; i < standing; i++)
		reserved->tallies[i].name = site_rsv_name(replay, i);
	for (size_t i = standing; outages && i < reserved->keepers; i++) {
		reserved->tallies[i].maintenance = true;
		reserved->tallies[i].name =
			maui_intern_name(outages->names, (uint32_t)(i - standing + 1));
	}
}

void site_reserved_open(struct site_replay *replay)
{
	const struct maui_replay_outages *outages = replay->site->outages;
	size_t maintenance = outages && outages->names ? maui_intern_count(outages->names) : 0;
	size_t keepers = site_rsv_standing(replay) + maintenance, nodes;
	struct site_reserved *reserved;

	if (!replay->nodes)
		return;
	replay->schedule->reservations.list =
		maui_calloc(keepers + 1, sizeof(struct maui_replay_reserved));
	if (!keepers)
		return;
	reserved = replay->reserved = maui_calloc(1, sizeof(*reserved));
	nodes = replay->nodes->nodes->count;
	reserved->keepers = keepers;
	reserved->tallies = maui_calloc(keepers, sizeof(*reserved->tallies));
	reserved->then = maui_calloc(keepers, sizeof(*reserved->then));
	reserved->cores = maui_calloc(keepers, sizeof(*reserved->cores));
	reserved->first = maui_calloc(nodes + 1, sizeof(*reserved->first));
	reserved->away = maui_calloc(nodes + 1, sizeof(*reserved->away));
	name_keepers(replay, reserved);
	reserved->renewed = reserved->rolled = reserved->until = replay->now;
}

void site_reserved_finish(struct site_replay *replay)
{
	struct site_reserved *reserved = replay->reserved;

	if (!reserved)
		return;
	reserved_count_all(replay);
	count_lacks(replay);
	for (size_t i = 0; i < replay->machine.count; i++) {
		uint32_t job = replay->machine.runs[i].job;

		note_visits(replay, job, replay->run_of[job]);
	}
	site_reserved_tell(replay->trace, reserved->quiet ? reserved->then : reserved->tallies,
			   reserved->keepers, reserved->uses, reserved->use_count,
			   &replay->schedule->reservations);
}

void site_reserved_clear(struct site_replay *replay)
{
	struct site_reserved *reserved = replay->reserved;

	if (!reserved)
		return;
	free(reserved->tallies);
	free(reserved->then);
	free(reserved->cores);
	free(reserved->parts);
	free(reserved->first);
	free(reserved->away);
	free(reserved->asked);
	free(reserved->admitted);
	free(reserved->uses);
	free(reserved);
}
