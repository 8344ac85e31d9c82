/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/replay/parameters.h"

#include <errno.h>
#include <stdbool.h>

#include "common/util/decimal.h"
#include "common/util/end_windows.h"
#include "common/util/list.h"

#define NAME_SIZE 64

const struct maui_replay_parameters maui_replay_default_parameters = {
	.queue_depth = 100,
	.max_job_test = 500,
	.window = INT64_C(24) * 3600,
	.resolution = 60,
	.interval = 30,
	.first_window = MAUI_FIRST_WINDOW,
};

enum parameter {
	QUEUE_DEPTH,
	INTERVAL,
	MAX_JOB_TEST,
	MIN_PRIO_RESERVE,
	RESOLUTION,
	WINDOW,
	WINDOW_LINEAR
};

/* With the ranges of Slurm. */
static const struct {
	const char *name;
	int64_t least, most;
} known[] = {
	[QUEUE_DEPTH] = {"default_queue_depth", 0, 1000000},
	[INTERVAL] = {"bf_interval", 1, 10800},
	[MAX_JOB_TEST] = {"bf_max_job_test", 1, 1000000},
	[MIN_PRIO_RESERVE] = {"bf_min_prio_reserve", 1, INT64_C(2147483648)},
	[RESOLUTION] = {"bf_resolution", 1, 3600},
	[WINDOW] = {"bf_window", 1, 43200},
	[WINDOW_LINEAR] = {"bf_window_linear", 1, INT32_MAX},
};
#define KNOWN (sizeof(known) / sizeof(known[0]))

static void set(struct maui_replay_parameters *parameters, enum parameter which, int64_t value)
{
	switch (which) {
	case QUEUE_DEPTH:
		parameters->queue_depth = (uint32_t)value;
		break;
	case INTERVAL:
		parameters->interval = value;
		break;
	case MAX_JOB_TEST:
		parameters->max_job_test = (uint32_t)value;
		break;
	case MIN_PRIO_RESERVE:
		parameters->min_prio_reserve = (uint32_t)value;
		break;
	case RESOLUTION:
		parameters->resolution = value;
		break;
	case WINDOW:
		parameters->window = value * 60;
		break;
	case WINDOW_LINEAR:
		parameters->window_linear = value;
		break;
	}
}

/* KNOWN: none of these. */
static size_t find(struct maui_item name)
{
	size_t i = 0;

	while (i < KNOWN && !maui_item_is(name, known[i].name))
		i++;
	return i;
}

static int read_value(size_t which, const char *text, struct maui_replay_parameters *parameters,
		      struct maui_error *error)
{
	const char *rest;
	int64_t value;

	if (maui_integer_parse(text, &value, &rest) || *rest || value < known[which].least ||
	    value > known[which].most)
		return maui_error_set(error, EINVAL, "%s=%s: a number from %lld to %lld is needed",
				      known[which].name, text, (long long)known[which].least,
				      (long long)known[which].most);
	set(parameters, (enum parameter)which, value);
	return 0;
}

int maui_replay_parameters_read(const char *text, struct maui_replay_parameters *ret_parameters,
				void (*ignored)(void *context, const char *name), void *context,
				struct maui_error *error)
{
	struct maui_replay_parameters parameters = *ret_parameters;
	struct maui_item item;

	while (maui_list_next(&text, ",", &item)) {
		char copy[NAME_SIZE];
		struct maui_item name = item;
		size_t which;
		int rc;

		maui_item_copy(item, copy, sizeof(copy));
		name.size = strcspn(copy, "=");
		which = find(name);
		if (which == KNOWN && ignored && item.size)
			ignored(context, copy);
		if (which == KNOWN)
			continue;
		rc = read_value(which, copy + name.size + (name.size < strlen(copy)), &parameters,
				error);
		if (rc)
			return rc;
	}
	*ret_parameters = parameters;
	return 0;
}
