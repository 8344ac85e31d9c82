/* SPDX-License-Identifier: GPL-2.0-or-later */
/* maui upcoming: what starts next: jobs by their planned starts, and reservations that begin or
 * end. The original has no counterpart. */
#include "contribs/maui/show/show.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/time/duration.h"
#include "common/util/grow.h"
#include "contribs/maui/lib/duration_option.h"
#include "common/report/json.h"
#include "contribs/maui/lib/output.h"
#include "contribs/maui/lib/rsv_text.h"
#include "contribs/maui/lib/text.h"
#include "contribs/maui/queue/queue.h"
#include "contribs/maui/show/forecast.h"

#define HOUR INT64_C(3600) /* unless a time is given */

/* At the same time, what ends gives its nodes to what begins. */
enum kind { RSV_END, RSV_START, JOB_BEGIN, JOB_START };

static const char *const kind_names[] = {
	[RSV_END] = "reservation-end",
	[RSV_START] = "reservation-start",
	[JOB_BEGIN] = "job-eligible",
	[JOB_START] = "job-start",
};

struct event {
	int64_t time;
	enum kind kind;
	size_t order; /* in Slurm's list */
	struct json_object *record;
};

struct upcoming {
	struct json_object *queue;
	int64_t now, until;
	struct event *events; /* by time, once sorted */
	size_t count, room;
	int64_t unplanned; /* jobs that wait without a known start */
	int64_t blocked;   /* jobs that something holds back, so that a start means nothing */
	int64_t later;     /* jobs that are planned for after the time */
};

/* ---- what there is -------------------------------------------------------------------------- */

static void upcoming_add(struct upcoming *upcoming, int64_t time, enum kind kind,
			 struct json_object *record)
{
	size_t order = upcoming->count;

	upcoming->events =
		maui_grow(upcoming->events, order + 1, &upcoming->room, sizeof(*upcoming->events));
	upcoming->events[upcoming->count++] = (struct event){time, kind, order, record};
}

/* A limit of maui.cfg leaves BlockMaxError: the job is out of the schedulers' way. */
static bool is_blocked(struct json_object *job)
{
	char text[FORECAST_BLOCKED_SIZE] = "";

	forecast_slurm_block(job, text);
	return *text || !strcmp(member_text(job, "reason"), "BlockMaxError");
}

/* The plan is as old as backfill's last pass: what is overdue starts now. */
static void look_at_job(struct upcoming *upcoming, struct json_object *job)
{
	int64_t start = member_integer(job, "start"), eligible = member_integer(job, "eligible");
	bool begins = !strcmp(member_text(job, "reason"), "BeginTime") && eligible > upcoming->now;

	if (!queue_job_is_pending(job))
		return;
	if (is_blocked(job)) {
		upcoming->blocked++;
	} else if (begins) {
		if (eligible <= upcoming->until)
			upcoming_add(upcoming, eligible, JOB_BEGIN, job);
		else
			upcoming->later++;
	} else if (start <= 0) {
		upcoming->unplanned++;
	} else if (start > upcoming->until) {
		upcoming->later++;
	} else {
		upcoming_add(upcoming, start > upcoming->now ? start : upcoming->now, JOB_START,
			     job);
	}
}

static void look_at_reservation(struct upcoming *upcoming, struct json_object *reservation)
{
	int64_t start = member_integer(reservation, "start"), end = rsv_end(reservation);

	if (start > upcoming->now && start <= upcoming->until)
		upcoming_add(upcoming, start, RSV_START, reservation);
	if (end > upcoming->now && end <= upcoming->until)
		upcoming_add(upcoming, end, RSV_END, reservation);
}

static int by_time(const void *first, const void *second)
{
	const struct event *one = first, *other = second;

	if (one->time != other->time)
		return one->time < other->time ? -1 : 1;
	if (one->kind != other->kind)
		return one->kind < other->kind ? -1 : 1;
	return one->order < other->order ? -1 : one->order > other->order;
}

static void upcoming_collect(struct upcoming *upcoming)
{
	struct json_object *jobs = member_array(upcoming->queue, "jobs");
	struct json_object *reservations = member_array(upcoming->queue, "reservations");

	for (size_t i = 0; i < array_size(reservations); i++)
		look_at_reservation(upcoming, json_object_array_get_idx(reservations, i));
	for (size_t i = 0; i < array_size(jobs); i++)
		look_at_job(upcoming, json_object_array_get_idx(jobs, i));
	if (upcoming->count)
		qsort(upcoming->events, upcoming->count, sizeof(*upcoming->events), by_time);
}

/* Backfill keeps nodes for it; otherwise the start is Slurm's guess. */
static bool is_planned(struct json_object *job)
{
	return *member_text(job, "scheduled_nodes");
}

/* ---- as text -------------------------------------------------------------------------------- */

static void print_made(const char *what, struct json_object *job)
{
	int64_t made = member_integer(job, "last_evaluated");
	char date[TEXT_DATE_SIZE];

	printf("%s", what);
	if (made > 0)
		printf(" at %s", text_date(made, "an unknown time", date));
}

static void print_job(const struct event *event)
{
	struct json_object *job = event->record;
	int64_t procs = member_integer(job, "procs");

	printf("job ");
	print_clean(member_text(job, "id"));
	printf(" of ");
	print_clean(member_text(job, "user"));
	if (event->kind == JOB_BEGIN) {
		printf(" may start from then (--begin)\n");
		return;
	}
	printf(" starts: %" PRId64 " %s", procs, procs == 1 ? "processor" : "processors");
	if (is_planned(job)) {
		printf(" on ");
		print_clean(member_text(job, "scheduled_nodes"));
		print_made(", planned by backfill", job);
	} else {
		print_made(", a guess of Slurm's", job);
	}
	putchar('\n');
}

static void print_reservation(const struct event *event)
{
	struct json_object *one = event->record;
	int64_t end = rsv_end(one);
	char date[TEXT_DATE_SIZE];

	printf("reservation ");
	print_clean(member_text(one, "name"));
	printf(event->kind == RSV_START ? " begins: " : " ends: ");
	print_clean(*member_text(one, "nodes") ? member_text(one, "nodes") : "no nodes");
	if (event->kind == RSV_START)
		printf(", %s%s", end ? "until " : "without end",
		       end ? text_date(end, "an unknown time", date) : "");
	putchar('\n');
}

static void print_event(const struct event *event, int64_t now)
{
	char in[MAUI_DURATION_SIZE], date[RSV_DATE_SIZE];

	maui_duration_format(event->time - now, in);
	printf("%11s  %s  ", in, rsv_date(event->time, date));
	if (event->kind == JOB_START || event->kind == JOB_BEGIN)
		print_job(event);
	else
		print_reservation(event);
}

static void print_title(const struct upcoming *upcoming)
{
	int64_t seconds = upcoming->until - upcoming->now;
	char date[RSV_DATE_SIZE], length[MAUI_DURATION_SIZE];

	if (seconds >= MAUI_INFINITY) {
		printf("upcoming, as far as it is known\n\n");
		return;
	}
	maui_duration_format(seconds, length);
	printf("upcoming until %s (%s)\n\n", rsv_date(upcoming->until, date),
	       length + strspn(length, " "));
}

static void upcoming_print_all(const struct upcoming *upcoming)
{
	print_title(upcoming);
	for (size_t i = 0; i < upcoming->count; i++)
		print_event(&upcoming->events[i], upcoming->now);
	if (!upcoming->count)
		printf("nothing is known to start, begin or end by then\n");
	printf("\nWaiting jobs that start later: %" PRId64 "; without a plan: %" PRId64
	       "; held back: %" PRId64 "\n",
	       upcoming->later, upcoming->unplanned, upcoming->blocked);
}

/* ---- as JSON -------------------------------------------------------------------------------- */

static struct json_object *job_row(const struct event *event)
{
	static const char *const members[] = {"id",        "job",   "user",     "account",   "qos",
					      "partition", "procs", "priority", "time_limit"};
	struct json_object *row = json_make_object();

	for (size_t i = 0; i < sizeof(members) / sizeof(*members); i++)
		json_set_same(row, event->record, members[i]);
	json_set_same(row, event->record, "scheduled_nodes");
	if (event->kind != JOB_START)
		return row;
	json_set_text(row, "source", is_planned(event->record) ? "backfill" : "guess");
	json_set_same(row, event->record, "last_evaluated");
	return row;
}

static struct json_object *reservation_row(const struct event *event)
{
	static const char *const members[] = {"name",  "start",  "end",     "nodes",
					      "users", "groups", "accounts"};
	struct json_object *row = json_make_object();

	for (size_t i = 0; i < sizeof(members) / sizeof(*members); i++)
		json_set_same(row, event->record, members[i]);
	return row;
}

static int print_data(const struct upcoming *upcoming)
{
	struct json_object *data = json_make_object(), *rows = json_make_array();
	int code;

	for (size_t i = 0; i < upcoming->count; i++) {
		const struct event *event = &upcoming->events[i];
		bool job = event->kind == JOB_START || event->kind == JOB_BEGIN;
		struct json_object *row = json_make_object();

		json_set_number(row, "time", event->time);
		json_set_text(row, "kind", kind_names[event->kind]);
		json_set(row, job ? "job" : "reservation",
			 job ? job_row(event) : reservation_row(event));
		json_append(rows, row);
	}
	json_set_number(data, "time", upcoming->now);
	json_set_number(data, "until", upcoming->until);
	json_set(data, "events", rows);
	json_set_number(data, "later", upcoming->later);
	json_set_number(data, "unplanned", upcoming->unplanned);
	json_set_number(data, "blocked", upcoming->blocked);
	code = print_json("maui.upcoming/1", data);
	json_object_put(data);
	return code;
}

/* ---- the command ---------------------------------------------------------------------------- */

static int run_upcoming(struct cli *cli, int argc, char **argv)
{
	struct upcoming upcoming = {.queue = NULL};
	int code, option = next_option(cli, argc, argv, "", NULL);
	int64_t seconds = HOUR;

	if (option != OPTIONS_END)
		return option == OPTIONS_DONE ? EXIT_OK : EXIT_ERRORS;
	if (argc - optind > 1)
		return fail_usage(cli, "one time at most");
	code = optind < argc ? duration_read(cli, "", argv[optind], 1, &seconds) : EXIT_OK;
	if (!code)
		code = queue_load(cli, QUEUE_JOBS | QUEUE_RESERVATIONS | QUEUE_VISIBLE,
				  &upcoming.queue);
	if (code)
		return code;
	upcoming.now = member_integer(upcoming.queue, "time");
	upcoming.until = upcoming.now + seconds;
	upcoming_collect(&upcoming);
	if (cli->json)
		code = print_data(&upcoming);
	else
		upcoming_print_all(&upcoming);
	free(upcoming.events);
	json_object_put(upcoming.queue);
	return code;
}

const struct command upcoming_command = {
	.name = "upcoming",
	.synopsis = "[--json] [TIME]",
	.summary =
		"Show which jobs start and which reservations begin or end within a time (1:00:00)",
	.run = run_upcoming,
};
