/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whether an instance stays as it is, by a look at its own nodes alone: what a roll finds of nearly
 * all of them, and maui_sr_place() finds by a look at each node of the machine and at all that
 * holds it.
 */
#ifndef MAUI_POLICY_SR_STAY_H
#define MAUI_POLICY_SR_STAY_H

#include "common/policy/reservation/sr_place.h"

/* What a standing reservation finds on all nodes, whatever holds them: each of its instances finds
 * the same. */
struct maui_sr_reach {
	bool known;            /* it has been looked at */
	uint64_t listed_tasks; /* what the nodes of HOSTLIST give at most; without one UINT64_MAX */
	uint32_t giving;       /* how many of them give any; without HOSTLIST: of all nodes */
	uint32_t down[2]; /* nodes that would give some, but are not up: [listed]; of the others
				  only if they are needed */
};

void maui_sr_reach(const struct maui_sr_request *request, const struct maui_sr_node *nodes,
		   uint32_t count, struct maui_sr_reach *ret_reach);

/*
 * True: it stays. The placement is what maui_sr_place() says, but of why only MAUI_SR_DOWN is
 * counted, and busy and stacked are not found out. False: it may have to change, ask
 * maui_sr_place().
 */
bool maui_sr_stay(const struct maui_sr_request *request, const struct maui_sr_node *nodes,
		  uint32_t count, const struct maui_sr_reach *reach,
		  struct maui_sr_placement *ret_placement);

#endif
