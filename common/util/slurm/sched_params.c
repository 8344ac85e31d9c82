/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The table of names, ranges and defaults of seven parameters such as
 * bf_window, and the search for NAME= in the text.
 */
#include "common/util/slurm/sched_params.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const struct maui_sched_range ranges[] = {
	[MAUI_SCHED_QUEUE_DEPTH] = {"default_queue_depth", 0, INT32_MAX, 0, 100},
	[MAUI_SCHED_INTERVAL] = {"bf_interval", 1, 10800, MAUI_SCHED_NO_BACKFILL, 30},
	[MAUI_SCHED_MAX_JOB_TEST] = {"bf_max_job_test", 1, 1000000, 1, 500},
	[MAUI_SCHED_MIN_PRIO_RESERVE] = {"bf_min_prio_reserve", 1, UINT32_MAX, 1, 0},
	[MAUI_SCHED_RESOLUTION] = {"bf_resolution", 1, 3600, 1, 60},
	[MAUI_SCHED_WINDOW] = {"bf_window", 1, 43200, 1, 1440},
	[MAUI_SCHED_WINDOW_LINEAR] = {"bf_window_linear", 1, INT32_MAX, 1, 0},
};

const struct maui_sched_range *maui_sched_range(enum maui_sched_param which)
{
	return &ranges[which];
}

const char *maui_sched_find(const char *text, enum maui_sched_param which)
{
	size_t size = strlen(ranges[which].name);

	for (; text && *text; text++)
		if (!strncasecmp(text, ranges[which].name, size) && text[size] == '=')
			return text + size + 1;
	return NULL;
}

/* Slurm reads all but one with atoi(), that one with strtoull(). */
static int64_t number_at(const char *value, enum maui_sched_param which)
{
	unsigned long long number;

	if (which != MAUI_SCHED_MIN_PRIO_RESERVE)
		return (int32_t)strtol(value, NULL, 10);
	number = strtoull(value, NULL, 10);
	return number > INT64_MAX ? INT64_MAX : (int64_t)number;
}

int64_t maui_sched_value(const char *text, enum maui_sched_param which, bool *ret_within)
{
	const char *at = maui_sched_find(text, which);
	int64_t value = at ? number_at(at, which) : ranges[which].otherwise;
	bool within = !at || maui_sched_is_within(&ranges[which], value);

	if (ret_within)
		*ret_within = within;
	return within ? value : ranges[which].otherwise;
}

uint32_t maui_sched_main_reserve(const char *text)
{
	const char *at = maui_sched_find(text, MAUI_SCHED_MIN_PRIO_RESERVE);
	long long number = at ? strtoll(at, NULL, 10) : 0;

	return number > 0 ? (uint32_t)number : 0;
}
