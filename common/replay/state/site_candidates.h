/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Nodes that a job or a reservation may get, until some are chosen. */
#ifndef MAUI_REPLAY_SITE_CANDIDATES_H
#define MAUI_REPLAY_SITE_CANDIDATES_H

#include "common/replay/state/site_nodes_record.h"

/* Add a candidate: a node and its capacity. Nodes come in their order. */
void site_candidates_offer(struct site_nodes *nodes, uint32_t node, uint32_t capacity);
/* The same for a request, as far as its policy asks. */
void site_candidates_offer_to(struct site_nodes *nodes, const struct maui_replay_request *request,
			      uint32_t node, uint32_t capacity);

/* Without reservations and outages some policies go by the list alone: there is nothing to rank. */
enum maui_nodealloc_list site_candidates_list(const struct site_nodes *nodes,
					      const struct maui_replay_request *request);

#endif
