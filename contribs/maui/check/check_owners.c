/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reservations of different owners that can meet on a node: there neither owner takes back from the
 * other (D-PRE-1).
 */
#include "contribs/maui/check/check.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/policy/reservation/sr_owner.h"
#include "common/policy/reservation/sr_window.h"
#include "common/util/memory.h"

#define PERIODS 8 /* from the last one on: each day of a week, and what reaches into it */

static bool has_owner(const struct maui_sr *sr)
{
	return sr->usable && sr->owner && sr->owner_name;
}

/* One of them takes back, and does not from the other. */
static bool owners_compete(const struct maui_sr *a, const struct maui_sr *b)
{
	return (maui_sr_owner_takes_back(a) || maui_sr_owner_takes_back(b)) && has_owner(a) &&
	       has_owner(b) &&
	       (a->owner_type != b->owner_type || strcmp(a->owner_name, b->owner_name) != 0);
}

/* The first node that both lists of hosts take; NULL: none. */
static const char *common_host(const struct maui_sr *a, const struct maui_sr *b,
			       const struct maui_node_names *nodes)
{
	uint32_t count = maui_node_names_count(nodes);
	bool *of_a = maui_calloc(2 * (size_t)count + 1, sizeof(*of_a)), *of_b;
	const char *found = NULL;

	of_b = of_a + count;
	maui_sr_hosts_match(a->hosts, nodes, of_a, NULL);
	maui_sr_hosts_match(b->hosts, nodes, of_b, NULL);
	maui_sr_hosts_exclude(a->excluded, nodes, of_a);
	maui_sr_hosts_exclude(b->excluded, nodes, of_b);
	for (uint32_t i = 0; i < count && !found; i++)
		if (of_a[i] && of_b[i])
			found = maui_node_names_name(nodes, i);
	free(of_a);
	return found;
}

static bool are_in_one_partition(const struct maui_sr *a, const struct maui_sr *b)
{
	return !a->partition || !b->partition || !strcmp(a->partition, b->partition);
}

static bool are_open_together(const struct maui_sr *a, const struct maui_sr *b, int64_t now)
{
	for (int64_t i = -1; i < PERIODS; i++)
		for (int64_t k = -1; k < PERIODS; k++) {
			struct maui_sr_window of_a, of_b;

			if (maui_sr_window(a, i, now, &of_a) == MAUI_SR_WANTED &&
			    maui_sr_window(b, k, now, &of_b) == MAUI_SR_WANTED &&
			    of_a.start < of_b.end && of_b.start < of_a.end)
				return true;
		}
	return false;
}

/* Where they can meet; NULL: nowhere. What floats is placed beside others unless it is shared. */
static const char *meeting_place(const struct maui_sr *a, const struct maui_sr *b,
				 const struct maui_node_names *nodes)
{
	if (a->hosts && b->hosts)
		return common_host(a, b, nodes);
	if (!are_in_one_partition(a, b) || (a->dedicated && b->dedicated))
		return NULL;
	return "some node";
}

void check_owners(const struct maui_sr *list, size_t count, const struct maui_node_names *nodes,
		  struct findings *findings)
{
	int64_t now = time(NULL);

	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < i; k++) {
			const char *place;

			if (!owners_compete(&list[i], &list[k]) ||
			    !are_open_together(&list[i], &list[k], now))
				continue;
			place = meeting_place(&list[i], &list[k], nodes);
			if (place)
				findings_warn(findings, &list[i].origin,
					      "SRCFG[%.60s] and SRCFG[%.60s] can meet on %.60s: "
					      "their owners do not take it back from each other",
					      list[k].name, list[i].name, place);
		}
}
