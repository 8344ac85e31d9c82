/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads default_queue_depth, bf_interval, bf_window and the like from
 * SchedulerParameters, and reports replaced and ignored values.
 */
#include "common/replay/slurm_conf/parameters.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/slurm/end_windows.h"
#include "common/util/list.h"
#include "common/util/slurm/sched_params.h"
#include "common/util/text.h"

#define NAME_SIZE     64
#define MAIN_INTERVAL 60 /* seconds between passes of the main scheduler: Slurm's sched_interval */

const struct maui_replay_parameters maui_replay_default_parameters = {
	.queue_depth = 100,
	.max_job_test = 500,
	.window = INT64_C(60) * 24 * 60,
	.resolution = 60,
	.interval = 30,
	.first_window = MAUI_FIRST_WINDOW,
};

static void parameters_set(struct maui_replay_parameters *parameters, enum maui_sched_param which,
			   int64_t value)
{
	switch (which) {
	case MAUI_SCHED_QUEUE_DEPTH:
		parameters->queue_depth = (uint32_t)value;
		break;
	case MAUI_SCHED_INTERVAL:
		parameters->backfill_off = value == MAUI_SCHED_NO_BACKFILL;
		parameters->interval = parameters->backfill_off ? MAIN_INTERVAL : value;
		break;
	case MAUI_SCHED_MAX_JOB_TEST:
		parameters->max_job_test = (uint32_t)value;
		break;
	case MAUI_SCHED_MIN_PRIO_RESERVE:
		parameters->min_prio_reserve = (uint32_t)value;
		break;
	case MAUI_SCHED_RESOLUTION:
		parameters->resolution = value;
		break;
	case MAUI_SCHED_WINDOW:
		parameters->window = value * 60;
		break;
	case MAUI_SCHED_WINDOW_LINEAR:
		parameters->window_linear = value;
		break;
	case MAUI_SCHED_PARAMS:
		break;
	}
}

/* "-1 or from 1 to 10800" */
static void parameters_describe(const struct maui_sched_range *range, char *buffer, size_t room)
{
	int used = range->beside == range->least
			   ? 0
			   : snprintf(buffer, room, "%lld or ", (long long)range->beside);

	snprintf(buffer + used, room - (size_t)used, "from %lld to %lld", (long long)range->least,
		 (long long)range->most);
}

/* Nothing is replaced: what is written has to be right as a whole. */
static int check_value(const struct maui_sched_range *range, struct maui_item value,
		       struct maui_error *error)
{
	char described[NAME_SIZE], copy[NAME_SIZE], *rest;
	int64_t number;

	maui_item_copy(value, copy, sizeof(copy));
	number = strtoll(copy, &rest, 10);
	if (*copy && !*rest && maui_sched_is_within(range, number))
		return 0;
	parameters_describe(range, described, sizeof(described));
	return maui_error_set(error, EINVAL, "%s=%s: a number %s is needed", range->name, copy,
			      described);
}

static void tell_replaced(const struct maui_replay_parameter_notes *notes,
			  enum maui_sched_param which, const char *text)
{
	const struct maui_sched_range *range = maui_sched_range(which);
	const char *at = maui_sched_find(text, which);
	char described[NAME_SIZE], copy[NAME_SIZE], taken[NAME_SIZE];
	struct maui_error error;

	parameters_describe(range, described, sizeof(described));
	snprintf(taken, sizeof(taken), "slurmctld takes %lld", (long long)range->otherwise);
	if (which == MAUI_SCHED_MIN_PRIO_RESERVE)
		snprintf(taken, sizeof(taken), "backfill takes none, the main scheduler %u",
			 maui_sched_main_reserve(text));
	maui_error_set(&error, ERANGE, "%s=%s is not %s: %s", range->name,
		       maui_item_copy((struct maui_item){at, strcspn(at, ",")}, copy, sizeof(copy)),
		       described, taken);
	notes->replaced(notes->context, error.text);
}

/* One that is not there leaves what is set. */
static int read_value(const char *text, enum maui_sched_param which,
		      struct maui_replay_parameters *parameters,
		      const struct maui_replay_parameter_notes *notes, struct maui_error *error)
{
	const char *at = maui_sched_find(text, which);
	bool within;

	if (!at)
		return 0;
	if (!notes->replaced &&
	    check_value(maui_sched_range(which), (struct maui_item){at, strcspn(at, ",")}, error))
		return -EINVAL;
	parameters_set(parameters, which, maui_sched_value(text, which, &within));
	if (!within && notes->replaced)
		tell_replaced(notes, which, text);
	return 0;
}

/* Of one item, what no parameter takes: a name that has no effect, or one without its =. */
static int read_other(struct maui_item item, const struct maui_replay_parameter_notes *notes,
		      struct maui_error *error)
{
	char copy[NAME_SIZE];
	size_t size;

	maui_item_copy(item, copy, sizeof(copy));
	size = strcspn(copy, "=");
	for (enum maui_sched_param which = 0; which < MAUI_SCHED_PARAMS; which++) {
		const struct maui_sched_range *range = maui_sched_range(which);

		if (!maui_equals(copy, size, range->name))
			continue;
		return copy[size] || notes->replaced
			       ? 0
			       : check_value(range, (struct maui_item){"", 0}, error);
	}
	if (notes->ignored && *copy)
		notes->ignored(notes->context, copy);
	return 0;
}

int maui_replay_parameters_read(const char *text, struct maui_replay_parameters *ret_parameters,
				const struct maui_replay_parameter_notes *notes,
				struct maui_error *error)
{
	struct maui_replay_parameters parameters = *ret_parameters;
	const char *rest = text;
	struct maui_item item;
	int rc = 0;

	while (!rc && maui_list_next(&rest, ",", &item)) {
		size_t blank = strspn(item.text, " \t");

		blank = blank < item.size ? blank : item.size;
		item = (struct maui_item){item.text + blank, item.size - blank};
		rc = read_other(item, notes, error);
	}
	for (enum maui_sched_param which = 0; !rc && which < MAUI_SCHED_PARAMS; which++)
		rc = read_value(text, which, &parameters, notes, error);
	if (!rc && maui_sched_find(text, MAUI_SCHED_MIN_PRIO_RESERVE))
		parameters.main_reserve = maui_sched_main_reserve(text);
	if (!rc)
		*ret_parameters = parameters;
	return rc;
}
