/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Stores for each request the shortest length that does not fit now or within
 * bf_window, and the begin found for another length.
 */
#include "common/replay/plan/site_known.h"

#include <stdlib.h>

#include "common/util/memory.h"

/* What was found of a request. */
struct found {
	uint64_t turn;
	int64_t not_now; /* so long a job does not fit now */
	uint64_t era;
	int64_t never;  /* so long a job does not begin within bf_window */
	int64_t length; /* so long a job begins then: */
	int64_t begin;
};

struct site_known {
	struct found *found; /* by request */
	uint64_t turn, era;  /* from 1 */
	bool differs;        /* reservations let in some jobs, and others not */
};

struct site_known *site_known_new(uint32_t requests)
{
	struct site_known *known = maui_calloc(1, sizeof(*known));

	known->found = maui_calloc(requests + (size_t)1, sizeof(*known->found));
	return known;
}

struct site_known *site_known_free(struct site_known *known)
{
	if (known)
		free(known->found);
	free(known);
	return NULL;
}

void site_known_open(struct site_known *known, bool differs)
{
	known->turn++;
	known->era++;
	known->differs = differs;
}

void site_known_began(struct site_known *known)
{
	known->era++;
}

/* ---- now ---- */

bool site_known_not_now(const struct site_known *known, uint32_t request, int64_t length)
{
	const struct found *found = &known->found[request];

	return !known->differs && found->turn == known->turn && length >= found->not_now;
}

void site_known_misfit(struct site_known *known, uint32_t request, int64_t length)
{
	struct found *found = &known->found[request];

	if (found->turn == known->turn && found->not_now <= length)
		return;
	found->turn = known->turn;
	found->not_now = length;
}

/* ---- later ---- */

int64_t site_known_earliest(const struct site_known *known, uint32_t request, int64_t length,
			    int64_t now)
{
	const struct found *found = &known->found[request];

	if (known->differs || found->era != known->era)
		return now;
	if (length >= found->never)
		return INT64_MAX;
	return length >= found->length ? found->begin : now;
}

void site_known_see(struct site_known *known, uint32_t request, int64_t length, int64_t begin)
{
	struct found *found = &known->found[request];

	if (found->era != known->era) {
		found->era = known->era;
		found->never = found->length = INT64_MAX;
	}
	if (begin == INT64_MAX) {
		if (length < found->never)
			found->never = length;
		return;
	}
	found->length = length;
	found->begin = begin;
}
