/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks the schema of a report of at most 64 MB, and copies members of its
 * schedules into structs of measures and differences.
 */
#include "contribs/maui/replay/report/replay_read.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/files/file.h"
#include "contribs/maui/lib/command.h"
#include "contribs/maui/lib/output.h"
#include "contribs/maui/queue/machine_use.h"

/* Bytes. Steps, groups and windows are bounded, so a report of ten years has a few megabytes. */
#define FILE_LIMIT ((size_t)64 << 20)

#define LONGEST 1e15 /* seconds; the file may be anybody's */

static bool is_report(struct json_object *report)
{
	struct json_object *schedules = member_array(report, "schedules");

	if (strcmp(member_text(report, "schema"), "maui.replay/1") != 0 || !array_size(schedules))
		return false;
	for (size_t i = 0; i < array_size(schedules); i++)
		if (!json_object_is_type(json_object_array_get_idx(schedules, i), json_type_object))
			return false;
	return true;
}

int replay_read(const char *path, struct json_object **ret_report)
{
	struct json_object *report;
	struct maui_error error;
	char *text;
	size_t size;

	if (maui_file_read(path, FILE_LIMIT, NULL, &text, &size, NULL, &error))
		return fail(EXIT_ERRORS, "%s", error.text);
	report = json_tokener_parse(text);
	free(text);
	if (!is_report(report)) {
		json_object_put(report);
		return fail(EXIT_ERRORS, "%s is not what `maui replay --json` prints", path);
	}
	*ret_report = report;
	return EXIT_OK;
}

static struct maui_replay_spread spread_of(struct json_object *schedule, const char *name)
{
	struct json_object *spread = member_object(schedule, name);

	return (struct maui_replay_spread){.mean = member_number(spread, "mean"),
					   .median = member_number(spread, "median"),
					   .p95 = member_number(spread, "p95"),
					   .max = member_number(spread, "max")};
}

void replay_read_measures(struct json_object *schedule, struct maui_replay_measures *ret_measures)
{
	*ret_measures = (struct maui_replay_measures){
		.jobs = (size_t)count_of(schedule, "jobs"),
		.never = (size_t)count_of(schedule, "never"),
		.backfilled = (size_t)count_of(schedule, "backfilled"),
		.wait = spread_of(schedule, "wait"),
		.slowdown = spread_of(schedule, "bounded_slowdown"),
		.flow = member_number(schedule, "flow"),
		.utilisation = member_number(schedule, "utilisation"),
		.makespan = member_integer(schedule, "makespan"),
		.used = member_number(schedule, "processor_seconds"),
	};
}

void replay_read_difference(struct json_object *against,
			    struct maui_replay_difference *ret_difference)
{
	*ret_difference = (struct maui_replay_difference){
		.earlier = (size_t)count_of(against, "earlier"),
		.same = (size_t)count_of(against, "same"),
		.later = (size_t)count_of(against, "later"),
		.only_first = (size_t)count_of(against, "only_first"),
		.only_second = (size_t)count_of(against, "only_here"),
		.mean = fmin(fmax(member_number(against, "mean"), -LONGEST), LONGEST),
	};
}
