/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/replay/parameters.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/end_windows.h"
#include "common/util/list.h"
#include "common/util/text.h"

#define NAME_SIZE 64

/* Slurm's, in its units. */
enum {
	DEFAULT_QUEUE_DEPTH = 100,
	DEFAULT_INTERVAL = 30,
	DEFAULT_MAX_JOB_TEST = 500,
	DEFAULT_RESOLUTION = 60,
	DEFAULT_WINDOW = 24 * 60
};

const struct maui_replay_parameters maui_replay_default_parameters = {
	.queue_depth = DEFAULT_QUEUE_DEPTH,
	.max_job_test = DEFAULT_MAX_JOB_TEST,
	.window = INT64_C(60) * DEFAULT_WINDOW,
	.resolution = DEFAULT_RESOLUTION,
	.interval = DEFAULT_INTERVAL,
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

/* With the ranges of slurmctld, and what it takes for a value outside of them. */
static const struct {
	const char *name;
	int64_t least, most, otherwise;
} known[] = {
	[QUEUE_DEPTH] = {"default_queue_depth", 0, INT32_MAX, DEFAULT_QUEUE_DEPTH},
	[INTERVAL] = {"bf_interval", 1, 10800, DEFAULT_INTERVAL},
	[MAX_JOB_TEST] = {"bf_max_job_test", 1, 1000000, DEFAULT_MAX_JOB_TEST},
	[MIN_PRIO_RESERVE] = {"bf_min_prio_reserve", 1, UINT32_MAX, 0},
	[RESOLUTION] = {"bf_resolution", 1, 3600, DEFAULT_RESOLUTION},
	[WINDOW] = {"bf_window", 1, 43200, DEFAULT_WINDOW},
	[WINDOW_LINEAR] = {"bf_window_linear", 1, INT32_MAX, 0},
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

	while (i < KNOWN && !maui_equals(name.text, name.size, known[i].name))
		i++;
	return i;
}

/* As slurmctld reads a number: decimal, and nothing behind the digits counts. */
static int64_t number_at(const char *text, const char **ret_rest)
{
	char *rest;
	int64_t number = strtoll(text, &rest, 10);

	*ret_rest = rest;
	return number;
}

static void tell_replaced(const struct maui_replay_parameter_notes *notes, size_t which,
			  const char *text)
{
	struct maui_error error;

	maui_error_set(&error, ERANGE, "%s=%s is not from %lld to %lld: slurmctld takes %lld",
		       known[which].name, text, (long long)known[which].least,
		       (long long)known[which].most, (long long)known[which].otherwise);
	notes->replaced(notes->context, error.text);
}

static int read_value(size_t which, const char *text, struct maui_replay_parameters *parameters,
		      const struct maui_replay_parameter_notes *notes, struct maui_error *error)
{
	const char *rest;
	int64_t value = number_at(text, &rest);
	bool within = value >= known[which].least && value <= known[which].most;

	if (!notes->replaced && (!within || *rest))
		return maui_error_set(error, EINVAL, "%s=%s: a number from %lld to %lld is needed",
				      known[which].name, text, (long long)known[which].least,
				      (long long)known[which].most);
	if (!within)
		tell_replaced(notes, which, text);
	set(parameters, (enum parameter)which, within ? value : known[which].otherwise);
	return 0;
}

int maui_replay_parameters_read(const char *text, struct maui_replay_parameters *ret_parameters,
				const struct maui_replay_parameter_notes *notes,
				struct maui_error *error)
{
	struct maui_replay_parameters parameters = *ret_parameters;
	bool seen[KNOWN] = {false};
	struct maui_item item;

	while (maui_list_next(&text, ",", &item)) {
		char copy[NAME_SIZE];
		struct maui_item name = item;
		size_t which;
		int rc;

		maui_item_copy(item, copy, sizeof(copy));
		name.size = strcspn(copy, "=");
		which = find(name);
		/* slurmctld looks for NAME=, and takes the first. */
		if (which < KNOWN && (seen[which] || (notes->replaced && !copy[name.size])))
			continue;
		if (which == KNOWN && notes->ignored && item.size)
			notes->ignored(notes->context, copy);
		if (which == KNOWN)
			continue;
		seen[which] = true;
		rc = read_value(which, copy + name.size + (name.size < strlen(copy)), &parameters,
				notes, error);
		if (rc)
			return rc;
	}
	*ret_parameters = parameters;
	return 0;
}
