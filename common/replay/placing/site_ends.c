/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Collects what running jobs give back to nodes, in the order of machine->runs. */
#include "common/replay/placing/site_ends.h"

#include <stdlib.h>

#include "common/replay/state/site_nodes_record.h"
#include "common/replay/state/site_room.h"
#include "common/util/grow.h"
#include "common/util/memory.h"

struct place {
	size_t share, unit; /* the first of a job */
};

/* As windows grow, there are few groups. */
#define STEPS 24
/* Sets that take turns in one list of steps would each begin it anew. */
#define LISTS 4

struct steps {
	uint32_t set;
	size_t count, room; /* room: of steps that have one */
	struct site_step step[STEPS];
};

struct site_ends {
	bool known;
	struct place *places; /* by run, and where the last one's end */
	struct site_end_share *shares;
	struct site_end_units *units;
	size_t run_room, share_count, share_room, unit_count, unit_room;
	struct steps steps[LISTS];
};

struct site_ends *site_ends_new(void)
{
	return maui_calloc(1, sizeof(struct site_ends));
}

struct site_ends *site_ends_free(struct site_ends *ends)
{
	if (!ends)
		return NULL;
	for (int i = 0; i < LISTS; i++)
		for (size_t j = 0; j < ends->steps[i].room; j++)
			site_room_clear(&ends->steps[i].step[j].room);
	free(ends->places);
	free(ends->shares);
	free(ends->units);
	free(ends);
	return NULL;
}

void site_ends_forget(struct site_ends *ends)
{
	ends->known = false;
}

/* Of a GRES that jobs use up. */
static void add_units(const struct site_nodes *nodes, struct site_ends *ends,
		      const struct maui_replay_request *request,
		      const struct maui_replay_share *share, const uint64_t *units)
{
	uint64_t free = nodes->nodes->nodes[share->node].no_consume;

	for (uint32_t i = 0; i < request->want_count; i++) {
		uint32_t gres = share->gres >> 8 * i & 0xff;

		if (free >> gres & 1)
			continue;
		ends->units = maui_grow(ends->units, ends->unit_count + 1, &ends->unit_room,
					sizeof(*ends->units));
		ends->units[ends->unit_count++] =
			(struct site_end_units){(size_t)share->node * nodes->gres + gres, units[i]};
	}
}

static void add_job(const struct site_replay *replay, struct site_ends *ends, uint32_t job)
{
	const struct maui_replay_schedule *schedule = replay->schedule;
	const struct site_nodes *nodes = replay->nodes;
	const struct maui_replay_request *request = maui_replay_request_of(nodes->requests, job);
	uint32_t count = schedule->share_count[job];

	ends->shares = maui_grow(ends->shares, ends->share_count + count + 1, &ends->share_room,
				 sizeof(*ends->shares));
	for (uint32_t i = 0; i < count; i++) {
		const struct maui_replay_share *share =
			&schedule->shares[schedule->first_share[job] + i];
		struct maui_replay_amount amount;

		maui_replay_amount_of(request, share, &amount);
		ends->shares[ends->share_count++] =
			(struct site_end_share){share->node, share->cpus, amount.memory};
		add_units(nodes, ends, request, share, amount.units);
	}
}

void site_ends_know(struct site_replay *replay)
{
	const struct machine *machine = &replay->machine;
	struct site_ends *ends = replay->nodes->ends;

	if (ends->known)
		return;
	ends->known = true;
	ends->places =
		maui_grow(ends->places, machine->count + 1, &ends->run_room, sizeof(*ends->places));
	ends->share_count = ends->unit_count = 0;
	for (int i = 0; i < LISTS; i++)
		ends->steps[i].count = 0;
	for (size_t i = 0; i < machine->count; i++) {
		ends->places[i] = (struct place){ends->share_count, ends->unit_count};
		add_job(replay, ends, machine->runs[i].job);
	}
	ends->places[machine->count] = (struct place){ends->share_count, ends->unit_count};
}

/* ---- steps ---- */

static struct steps *steps_of(struct site_ends *ends, uint32_t set)
{
	struct steps *steps = &ends->steps[set % LISTS];

	if (steps->set != set)
		steps->count = 0;
	steps->set = set;
	return steps;
}

const struct site_step *site_ends_step(struct site_ends *ends, uint32_t set, size_t number)
{
	const struct steps *steps = steps_of(ends, set);

	return number < steps->count ? &steps->step[number] : NULL;
}

struct site_step *site_ends_add_step(struct site_ends *ends, const struct site_nodes *nodes,
				     uint32_t set)
{
	struct steps *steps = steps_of(ends, set);

	if (steps->count == STEPS)
		return NULL;
	if (steps->count == steps->room)
		site_room_open(nodes, &steps->step[steps->room++].room);
	return &steps->step[steps->count++];
}

/* ---- what jobs give back ---- */

struct site_end site_ends_of(const struct site_ends *ends, size_t run)
{
	const struct place *place = &ends->places[run];

	return (struct site_end){.shares = ends->shares + place->share,
				 .units = ends->units + place->unit,
				 .share_count = place[1].share - place->share,
				 .unit_count = place[1].unit - place->unit};
}
