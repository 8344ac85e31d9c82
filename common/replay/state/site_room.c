/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Takes shares of jobs from what is free on nodes, and gives them back. */
#include "common/replay/state/site_room.h"

#include <stdlib.h>
#include <string.h>

#include "common/replay/state/site_nodes_record.h"
#include "common/util/memory.h"

/* The GRES that a share has for a want of its request. */
static uint64_t *units_of(const struct site_nodes *nodes, const struct site_room *room,
			  const struct maui_replay_share *share, uint32_t want)
{
	return &room->units[(size_t)share->node * nodes->gres + (share->gres >> 8 * want & 0xff)];
}

static void change_units(const struct site_nodes *nodes, struct site_room *room,
			 const struct maui_replay_request *request,
			 const struct maui_replay_share *share, const uint64_t *units, bool take)
{
	uint64_t free = nodes->nodes->nodes[share->node].no_consume;

	for (uint32_t i = 0; i < request->want_count; i++)
		if (!(free >> (share->gres >> 8 * i & 0xff) & 1))
			*units_of(nodes, room, share, i) += take ? -units[i] : units[i];
}

void site_room_open(const struct site_nodes *nodes, struct site_room *room)
{
	size_t count = nodes->nodes->count + (size_t)1;

	room->cpus = maui_calloc(count, sizeof(*room->cpus));
	room->memory = maui_calloc(count, sizeof(*room->memory));
	room->units = maui_calloc(count * nodes->gres + 1, sizeof(*room->units));
}

void site_room_clear(struct site_room *room)
{
	free(room->cpus);
	free(room->memory);
	free(room->units);
}

void site_room_copy(const struct site_nodes *nodes, const struct site_room *from,
		    struct site_room *to)
{
	size_t count = nodes->nodes->count;

	memcpy(to->cpus, from->cpus, count * sizeof(*to->cpus));
	memcpy(to->memory, from->memory, count * sizeof(*to->memory));
	memcpy(to->units, from->units, count * nodes->gres * sizeof(*to->units));
}

void site_room_take(const struct site_nodes *nodes, struct site_room *room,
		    const struct maui_replay_request *request,
		    const struct maui_replay_share *share)
{
	struct maui_replay_amount amount;

	maui_replay_amount_of(request, share, &amount);
	room->cpus[share->node] -= share->cpus;
	room->memory[share->node] -= amount.memory;
	change_units(nodes, room, request, share, amount.units, true);
}

void site_room_give(const struct site_nodes *nodes, struct site_room *room,
		    const struct maui_replay_request *request,
		    const struct maui_replay_share *share)
{
	struct maui_replay_amount amount;

	maui_replay_amount_of(request, share, &amount);
	room->cpus[share->node] += share->cpus;
	room->memory[share->node] += amount.memory;
	change_units(nodes, room, request, share, amount.units, false);
}

uint32_t site_room_capacity(const struct site_nodes *nodes, const struct site_room *room,
			    const struct maui_replay_request *request, uint32_t node, uint32_t held)
{
	uint32_t cpus = room->cpus[node];

	if (cpus <= held)
		return 0;
	return maui_replay_capacity(request, cpus - held, room->memory[node],
				    room->units + (size_t)node * nodes->gres);
}
