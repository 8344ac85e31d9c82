/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints `Earliest start in` and `Best Partition`, or maui.showstart/1, and
 * lists Slurm's reasons that leave a job without a planned start.
 */
#include "contribs/maui/show/forecast.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/util/time/duration.h"
#include "common/report/json.h"
#include "contribs/maui/lib/output.h"
#include "contribs/maui/lib/rsv_text.h"

/* Slurm's reasons without a known end; limits have names of their own, such as
 * QOSMaxJobsPerUserLimit. */
static bool is_block(const char *reason)
{
	static const char *const words[] = {
		"BadConstraints",    "Dependency",        "DependencyNeverSatisfied",
		"InvalidAccount",    "InvalidQOS",        "JobHeldAdmin",
		"JobHeldUser",       "JobHoldMaxRequeue", "PartitionDown",
		"PartitionInactive", "ReservationDeleted"};
	size_t length = strlen(reason);

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (!strcmp(reason, words[i]))
			return true;
	return length > 5 && !strcmp(reason + length - 5, "Limit");
}

void forecast_slurm_block(struct json_object *job, char text[FORECAST_BLOCKED_SIZE])
{
	const char *reason = member_text(job, "reason");
	const char *description = member_text(job, "description");

	if (is_block(reason) || member_integer(job, "priority") <= 0)
		snprintf(text, FORECAST_BLOCKED_SIZE, "cannot be selected  (%s%s%s)", reason,
			 *description ? ": " : "", description);
}

static int64_t end_of(const struct forecast *forecast)
{
	if (forecast->end)
		return forecast->end;
	return forecast->walltime < FORECAST_FOREVER ? forecast->start + forecast->walltime
						     : FORECAST_FOREVER;
}

static void print_moment(const char *what, int64_t moment, int64_t now)
{
	char in[MAUI_DURATION_SIZE], date[RSV_DATE_SIZE];

	if (moment >= FORECAST_FOREVER) {
		maui_duration_format(FORECAST_FOREVER, in);
		printf("%-22s %11s\n", what, in);
		return;
	}
	maui_duration_format(moment - now, in);
	printf("%-22s %11s on %s\n", what, in, rsv_date(moment, date));
}

void forecast_print_request(const struct forecast *forecast)
{
	char walltime[MAUI_DURATION_SIZE];

	maui_duration_format(forecast->walltime, walltime);
	printf("job ");
	print_clean(forecast->name);
	printf(" requires %" PRId64 " proc%s for %s\n", forecast->procs,
	       forecast->procs == 1 ? "" : "s", walltime + strspn(walltime, " "));
}

int forecast_print_partition(const struct forecast *forecast)
{
	if (*forecast->partition) {
		printf("Best Partition: ");
		print_clean(forecast->partition);
		putchar('\n');
	}
	putchar('\n');
	return forecast->start ? EXIT_OK : EXIT_WARNINGS;
}

static int print_forecast(const struct forecast *forecast)
{
	forecast_print_request(forecast);
	if (!forecast->start) {
		printf("job ");
		print_clean(forecast->name);
		putchar(' ');
		print_clean(forecast->blocked);
		printf("\nNo start is known\n\n");
		return EXIT_WARNINGS;
	}
	print_moment("Earliest start in", forecast->start, forecast->now);
	print_moment("Earliest completion in", end_of(forecast), forecast->now);
	return forecast_print_partition(forecast);
}

static struct json_object *text_or_null(const char *text)
{
	return text && *text ? json_make_text(text) : NULL;
}

static struct json_object *time_or_null(int64_t time)
{
	return time > 0 && time < FORECAST_FOREVER ? json_make_number(time) : NULL;
}

int forecast_print_json(const struct forecast *forecast, struct json_object *rows)
{
	struct json_object *data = json_make_object();
	int code;

	json_set_text(data, "request", forecast->name);
	json_set_number(data, "time", forecast->now);
	json_set_number(data, "procs", forecast->procs);
	json_set(data, "walltime", time_or_null(forecast->walltime));
	json_set(data, "start", time_or_null(forecast->start));
	json_set(data, "completion", forecast->start ? time_or_null(end_of(forecast)) : NULL);
	json_set(data, "partition", text_or_null(forecast->partition));
	json_set(data, "source", text_or_null(forecast->source));
	json_set(data, "blocked", text_or_null(forecast->blocked));
	if (rows)
		json_set(data, "estimates", json_object_get(rows));
	code = print_json("maui.showstart/1", data);
	json_object_put(data);
	return code ? code : forecast->start ? EXIT_OK : EXIT_WARNINGS;
}

int forecast_tell(const struct cli *cli, const struct forecast *forecast)
{
	return cli->json ? forecast_print_json(forecast, NULL) : print_forecast(forecast);
}

/* For several estimates, whose labels are longer. */
static void print_wide(const char *label, int64_t moment, int64_t now)
{
	char padded[64];

	snprintf(padded, sizeof(padded), "%-38s", label);
	print_moment(padded, moment, now);
}

void forecast_print_estimate(const struct forecast *forecast, const char *kind)
{
	char label[64];

	if (!forecast->start) {
		printf("Estimated %s based start is not known: it ", kind);
		print_clean(forecast->blocked);
		printf("\n\n");
		return;
	}
	snprintf(label, sizeof(label), "Estimated %s based start in", kind);
	print_wide(label, forecast->start, forecast->now);
	snprintf(label, sizeof(label), "Estimated %s based completion in", kind);
	print_wide(label, end_of(forecast), forecast->now);
	putchar('\n');
}

void forecast_add_estimate(const struct forecast *forecast, const char *kind,
			   struct json_object *rows)
{
	struct json_object *row = json_make_object();

	json_set_text(row, "kind", kind);
	json_set(row, "start", time_or_null(forecast->start));
	json_set(row, "completion", forecast->start ? time_or_null(end_of(forecast)) : NULL);
	json_set(row, "partition", text_or_null(forecast->partition));
	json_set(row, "blocked", text_or_null(forecast->blocked));
	json_append(rows, row);
}
