/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sorts uses by reservation, sums them by user and by account, and keeps the
 * MAUI_REPLAY_TOP largest of each.
 */
#include "common/replay/reservations/site_reserved_tell.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/memory.h"

/* One use, or all of one name. */
struct sum {
	const char *name;
	double used;
};

static int by_keeper(const void *a, const void *b)
{
	const struct site_reserved_use *x = a, *y = b;

	if (x->keeper != y->keeper)
		return x->keeper < y->keeper ? -1 : 1;
	return x->job < y->job ? -1 : x->job > y->job;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct sum *)a)->name, ((const struct sum *)b)->name);
}

static int by_use(const void *a, const void *b)
{
	const struct sum *x = a, *y = b;

	if (x->used != y->used)
		return x->used < y->used ? 1 : -1;
	return strcmp(x->name, y->name);
}

static size_t tell_merge(struct sum *sums, size_t count)
{
	size_t merged = 0;

	for (size_t i = 0; i < count; i++)
		if (merged && !strcmp(sums[merged - 1].name, sums[i].name))
			sums[merged - 1].used += sums[i].used;
		else
			sums[merged++] = sums[i];
	return merged;
}

/* sums: room for the uses. */
static void tell_rank(const struct maui_replay_trace *trace, enum maui_credential type,
		      const struct site_reserved_use *uses, size_t first, size_t count,
		      struct sum *sums, struct maui_replay_reservers *reservers)
{
	for (size_t i = 0; i < count; i++) {
		const struct site_reserved_use *use = &uses[first + i];
		uint32_t id = trace->jobs[use->job].credential[type];

		sums[i] = (struct sum){id ? maui_intern_name(trace->names[type], id) : "-",
				       use->used};
	}
	qsort(sums, count, sizeof(*sums), by_name);
	count = tell_merge(sums, count);
	qsort(sums, count, sizeof(*sums), by_use);
	reservers->count = count < MAUI_REPLAY_TOP ? count : MAUI_REPLAY_TOP;
	reservers->more = count - reservers->count;
	for (size_t i = 0; i < reservers->count; i++) {
		snprintf(reservers->top[i].name, sizeof(reservers->top[i].name), "%s",
			 sums[i].name);
		reservers->top[i].used = sums[i].used;
	}
}

static int by_reserved(const void *a, const void *b)
{
	const struct maui_replay_reserved *x = a, *y = b;

	if (x->reserved != y->reserved)
		return x->reserved < y->reserved ? 1 : -1;
	if (x->maintenance != y->maintenance)
		return x->maintenance ? 1 : -1;
	return strcmp(x->name, y->name);
}

void site_reserved_tell(const struct maui_replay_trace *trace,
			const struct site_reserved_tally *tallies, size_t count,
			struct site_reserved_use *uses, size_t use_count,
			struct maui_replay_reservations *reservations)
{
	struct sum *sums = maui_calloc(use_count + 1, sizeof(*sums));

	if (use_count)
		qsort(uses, use_count, sizeof(*uses), by_keeper);
	for (size_t i = 0, at = 0; i < count; i++) {
		const struct site_reserved_tally *tally = &tallies[i];
		struct maui_replay_reserved *reserved = &reservations->list[i];
		size_t first = at;

		while (at < use_count && uses[at].keeper == i)
			at++;
		*reserved = (struct maui_replay_reserved){.maintenance = tally->maintenance,
							  .reserved = tally->reserved,
							  .used = tally->used,
							  .taken = tally->taken,
							  .away = tally->away,
							  .idle = tally->idle,
							  .kept = tally->kept,
							  .lacking = tally->lacking,
							  .jobs = at - first};
		snprintf(reserved->name, sizeof(reserved->name), "%s", tally->name);
		tell_rank(trace, MAUI_USER, uses, first, at - first, sums, &reserved->users);
		tell_rank(trace, MAUI_ACCOUNT, uses, first, at - first, sums, &reserved->accounts);
	}
	free(sums);
	reservations->count = count;
	qsort(reservations->list, count, sizeof(*reservations->list), by_reserved);
}
