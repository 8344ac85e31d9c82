/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keeps the times at which a plan changes in order. */
#include "common/replay/plan/site_times.h"

#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"
#include "common/util/search.h"

static int compare_times(const void *key, const void *element)
{
	int64_t a = *(const int64_t *)key, b = *(const int64_t *)element;

	return a < b ? -1 : a > b;
}

bool site_times_add(struct site_times *times, int64_t time)
{
	size_t at = maui_lower_bound(&time, times->times, times->count, sizeof(*times->times),
				     compare_times);

	if (at < times->count && times->times[at] == time)
		return false;
	times->times =
		maui_grow(times->times, times->count + 1, &times->room, sizeof(*times->times));
	memmove(&times->times[at + 1], &times->times[at],
		(times->count++ - at) * sizeof(*times->times));
	times->times[at] = time;
	return true;
}

void site_times_clear(struct site_times *times)
{
	free(times->times);
	*times = (struct site_times){0};
}
