/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is free on nodes, now or at some time. */
#ifndef MAUI_REPLAY_SITE_ROOM_H
#define MAUI_REPLAY_SITE_ROOM_H

#include "common/replay/state/site_nodes_record.h"

void site_room_copy(const struct site_nodes *nodes, const struct site_room *from,
		    struct site_room *to);
void site_room_open(const struct site_nodes *nodes, struct site_room *room);
void site_room_clear(struct site_room *room);
void site_room_take(const struct site_nodes *nodes, struct site_room *room,
		    const struct maui_replay_request *request,
		    const struct maui_replay_share *share);
void site_room_give(const struct site_nodes *nodes, struct site_room *room,
		    const struct maui_replay_request *request,
		    const struct maui_replay_share *share);
/* A node's capacity for a request, if so many of its processors are kept from it. */
uint32_t site_room_capacity(const struct site_nodes *nodes, const struct site_room *room,
			    const struct maui_replay_request *request, uint32_t node,
			    uint32_t held);

#endif
