/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * maui showstart: when a job is expected to start, in the original's lines. What backfill has planned counts most, for it
 * knows of all jobs ahead; else Slurm is asked, which looks at the jobs that run and at reservations, and guesses how long
 * those ahead take. A job that something holds back has no start that anybody could know: then what holds it back is said.
 */
#include "contribs/maui/lib/command.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/util/duration.h"
#include "contribs/maui/service/engine.h"
#include "contribs/maui/lib/job_filter.h"
#include "contribs/maui/lib/output.h"
#include "contribs/maui/queue.h"
#include "contribs/maui/lib/rsv_text.h"
#include "contribs/maui/slurm/slurm_start.h"

#define FOREVER      (INT64_C(1) << 40) /* what has no limit, for maui_duration_format() */
#define PROCS_LIMIT  100000000
#define MINUTE       60
#define BLOCKED_SIZE 1024

/* What is to be told. */
struct forecast {
	const char *name; /* of a job; or 4@1:00:00 */
	int64_t procs;
	int64_t walltime; /* seconds; FOREVER: no limit */
	int64_t now;
	int64_t start;         /* epoch seconds; 0: not known */
	int64_t end;           /* of a job that runs: when it does; else 0 */
	const char *source;    /* "running", "backfill", "slurm"; with blocked "engine", "slurm" */
	const char *partition; /* the best one; "" not known */
	/* What holds it back, as it goes on behind the job's name; "" nothing. */
	char blocked[BLOCKED_SIZE];
	struct slurm_start answer;
};

/* ---- telling ------------------------------------------------------------------------------- */

static int64_t end_of(const struct forecast *forecast)
{
	if (forecast->end)
		return forecast->end;
	return forecast->walltime < FOREVER ? forecast->start + forecast->walltime : FOREVER;
}

static void print_moment(const char *what, int64_t moment, int64_t now)
{
	char in[MAUI_DURATION_SIZE], date[RSV_DATE_SIZE];

	if (moment >= FOREVER) {
		maui_duration_format(FOREVER, in);
		printf("%-22s %11s\n", what, in);
		return;
	}
	maui_duration_format(moment - now, in);
	printf("%-22s %11s on %s\n", what, in, rsv_date(moment, date));
}

/* Of several estimates, whose labels are longer. */
static void print_wide(const char *label, int64_t moment, int64_t now)
{
	char padded[64];

	snprintf(padded, sizeof(padded), "%-38s", label);
	print_moment(padded, moment, now);
}

static void print_request(const struct forecast *forecast)
{
	char walltime[MAUI_DURATION_SIZE];

	maui_duration_format(forecast->walltime, walltime);
	printf("job ");
	print_clean(forecast->name);
	printf(" requires %" PRId64 " proc%s for %s\n", forecast->procs,
	       forecast->procs == 1 ? "" : "s", walltime + strspn(walltime, " "));
}

/* The last lines. */
static int print_partition(const struct forecast *forecast)
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
	print_request(forecast);
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
	return print_partition(forecast);
}

static struct json_object *text_or_null(const char *text)
{
	return text && *text ? json_object_new_string(text) : NULL;
}

static struct json_object *time_or_null(int64_t time)
{
	return time > 0 && time < FOREVER ? json_object_new_int64(time) : NULL;
}

/* rows: the estimates of -e all, or NULL. */
static int print_forecast_json(const struct forecast *forecast, struct json_object *rows)
{
	struct json_object *data = json_object_new_object();
	const struct {
		const char *name;
		struct json_object *value;
	} members[] = {
		{"request", json_object_new_string(forecast->name)},
		{"time", json_object_new_int64(forecast->now)},
		{"procs", json_object_new_int64(forecast->procs)},
		{"walltime", time_or_null(forecast->walltime)},
		{"start", time_or_null(forecast->start)},
		{"completion", forecast->start ? time_or_null(end_of(forecast)) : NULL},
		{"partition", text_or_null(forecast->partition)},
		{"source", text_or_null(forecast->source)},
		{"blocked", text_or_null(forecast->blocked)},
	};
	bool failed = !data;
	int code;

	for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++)
		if (failed || json_object_object_add(data, members[i].name, members[i].value)) {
			json_object_put(members[i].value);
			failed = true;
		}
	if (rows && !failed)
		json_object_object_add(data, "estimates", json_object_get(rows));
	code = failed ? fail_memory() : print_json("maui.showstart/1", data);
	json_object_put(data);
	return code ? code : forecast->start ? EXIT_OK : EXIT_WARNINGS;
}

static int tell(const struct cli *cli, const struct forecast *forecast)
{
	return cli->json ? print_forecast_json(forecast, NULL) : print_forecast(forecast);
}

/* ---- what holds a job back ------------------------------------------------------------------ */

/* The engine's row of a job; NULL if there is none. A soft limit holds nobody back for good. */
static int ask_blocked(const struct cli *cli, const char *name, struct json_object **ret_answer,
		       struct json_object **ret_row)
{
	struct json_object *arguments = json_object_new_object(), *jobs = json_object_new_array();
	struct json_object *rows;
	char *const names[] = {(char *)name, NULL};
	int code;

	*ret_row = NULL;
	if (!arguments || !jobs ||
	    json_object_array_add(jobs, json_object_new_int64(strtoll(name, NULL, 10))) ||
	    json_object_object_add(arguments, "jobs", jobs) ||
	    json_object_object_add(arguments, "level", json_object_new_string("hard")))
		return fail_memory();
	code = engine_query(cli, "diagnose-blocked", arguments, ret_answer);
	if (code)
		return code;
	rows = member_array(member_object(*ret_answer, "data"), "jobs");
	job_filter(rows, (char **)names);
	for (size_t i = 0; i < array_size(rows) && !*ret_row; i++) {
		struct json_object *row = json_object_array_get_idx(rows, i);

		if (strcmp(member_text(row, "kind"), "begin-time") != 0)
			*ret_row = row;
	}
	return EXIT_OK;
}

/* Of Slurm's reasons those that no end is known of; limits have names of their own, such as QOSMaxJobsPerUserLimit. */
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

/* What Slurm itself says; "": nothing. */
static void slurm_block(struct json_object *job, char text[BLOCKED_SIZE])
{
	const char *reason = member_text(job, "reason");
	const char *description = member_text(job, "description");

	if (is_block(reason) || member_integer(job, "priority") <= 0)
		snprintf(text, BLOCKED_SIZE, "cannot be selected  (%s%s%s)", reason,
			 *description ? ": " : "", description);
}

/* ---- a job ---------------------------------------------------------------------------------- */

/* Slurm's forecast becomes ours. */
static int ask_slurm(const struct cli *cli, const struct slurm_start_request *request,
		     struct forecast *forecast)
{
	struct maui_error why = {""};

	if (slurm_start_ask(request, cli->timeout, &forecast->answer, &why))
		return fail(EXIT_UNREACHABLE, "%s", why.text);
	forecast->source = "slurm";
	forecast->start = forecast->answer.start;
	if (forecast->start) {
		forecast->partition = forecast->answer.partition;
		if (forecast->start < forecast->now)
			forecast->start = forecast->now;
	} else {
		snprintf(forecast->blocked, BLOCKED_SIZE, "cannot be started  (%s)",
			 forecast->answer.problem);
	}
	return EXIT_OK;
}

/* What backfill has planned, with all that is ahead. EXIT_OK: start is 0 if there is no plan. */
static int ask_backfill(const struct cli *cli, struct json_object *job, struct forecast *forecast)
{
	(void)cli;
	forecast->start = member_integer(job, "start");
	if (forecast->start <= 0) {
		forecast->start = 0;
		snprintf(forecast->blocked, BLOCKED_SIZE, "is not planned by backfill");
		return EXIT_OK;
	}
	forecast->source = "backfill";
	forecast->partition = member_text(job, "partition");
	/* The plan is as old as backfill's last pass. */
	if (forecast->start < forecast->now)
		forecast->start = forecast->now;
	return EXIT_OK;
}

/* What Slurm says when it is asked: jobs that run, and reservations. A saved queue's job is another's. */
static int ask_about(const struct cli *cli, struct json_object *job, struct forecast *forecast)
{
	const struct slurm_start_request request = {.job = (uint32_t)member_integer(job, "job")};

	if (!cli->queue_file)
		return ask_slurm(cli, &request, forecast);
	snprintf(forecast->blocked, BLOCKED_SIZE, "cannot be asked about in a saved queue");
	return EXIT_OK;
}

/* The original's ways to estimate a start. */
static const struct estimate {
	const char *name, *label;
	int (*ask)(const struct cli *cli, struct json_object *job, struct forecast *forecast);
} estimates[] = {
	{"rsv", "Rsv", ask_about},
	{"prio", "Priority", ask_backfill},
};
#define ESTIMATES (sizeof(estimates) / sizeof(estimates[0]))

static const struct estimate *find_estimate(const char *name)
{
	for (size_t i = 0; i < ESTIMATES; i++)
		if (!strcasecmp(estimates[i].name, name))
			return &estimates[i];
	return NULL;
}

/* Backfill's plan; else what Slurm says when asked. */
static int expect(const struct cli *cli, struct json_object *job, struct forecast *forecast)
{
	int code = ask_backfill(cli, job, forecast);

	if (!code && !forecast->start && !cli->queue_file) {
		*forecast->blocked = '\0';
		code = ask_about(cli, job, forecast);
	}
	return code ? code : tell(cli, forecast);
}

static void print_estimate(const struct estimate *estimate, const struct forecast *forecast)
{
	char label[64];

	if (!forecast->start) {
		printf("Estimated %s based start is not known: it ", estimate->label);
		print_clean(forecast->blocked);
		printf("\n\n");
		return;
	}
	snprintf(label, sizeof(label), "Estimated %s based start in", estimate->label);
	print_wide(label, forecast->start, forecast->now);
	snprintf(label, sizeof(label), "Estimated %s based completion in", estimate->label);
	print_wide(label, end_of(forecast), forecast->now);
	putchar('\n');
}

static void add_estimate(struct json_object *rows, const struct estimate *estimate,
			 const struct forecast *forecast)
{
	struct json_object *row = json_object_new_object();

	json_object_object_add(row, "kind", json_object_new_string(estimate->name));
	json_object_object_add(row, "start", time_or_null(forecast->start));
	json_object_object_add(row, "completion",
			       forecast->start ? time_or_null(end_of(forecast)) : NULL);
	json_object_object_add(row, "partition", text_or_null(forecast->partition));
	json_object_object_add(row, "blocked", text_or_null(forecast->blocked));
	json_object_array_add(rows, row);
}

/* -e all: each of them, and which is the first that knows a start. */
static int tell_all(const struct cli *cli, struct json_object *job, const struct forecast *forecast)
{
	struct json_object *rows = json_object_new_array();
	struct forecast best = *forecast;
	int code = EXIT_OK;

	if (!cli->json)
		print_request(forecast);
	for (size_t i = 0; !code && i < ESTIMATES; i++) {
		struct forecast one = *forecast;

		code = estimates[i].ask(cli, job, &one);
		if (!cli->json && !code)
			print_estimate(&estimates[i], &one);
		add_estimate(rows, &estimates[i], &one);
		if (one.start || !best.start)
			best = one;
	}
	if (!code && cli->json)
		code = print_forecast_json(&best, rows);
	else if (!code)
		code = print_partition(&best);
	json_object_put(rows);
	return code;
}

/* how: as of -e; NULL: as well as anybody knows. */
static int expect_as(const struct cli *cli, struct json_object *job, struct forecast *forecast,
		     const char *how)
{
	int code;

	if (!how)
		return expect(cli, job, forecast);
	if (!strcasecmp(how, "all"))
		return tell_all(cli, job, forecast);
	code = find_estimate(how)->ask(cli, job, forecast);
	return code ? code : tell(cli, forecast);
}

static int show_waiting(const struct cli *cli, struct json_object *job, struct forecast *forecast,
			const char *how)
{
	struct json_object *answer = NULL, *row = NULL;
	int code = ask_blocked(cli, forecast->name, &answer, &row);

	if (row) {
		/* "violates active HARD MAXJOB limit ...", as behind the job's name in diagnose -q */
		clean_copy(member_text(row, "message"), forecast->blocked, BLOCKED_SIZE);
		forecast->source = "engine";
	} else {
		if (code)
			note("without the engine: what is said is Slurm's alone");
		slurm_block(job, forecast->blocked);
		forecast->source = "slurm";
	}
	code = *forecast->blocked ? tell(cli, forecast) : expect_as(cli, job, forecast, how);
	json_object_put(answer);
	return code;
}

static int64_t limit_of(struct json_object *job)
{
	int64_t limit = member_integer(job, "time_limit");

	return limit > 0 && limit < FOREVER ? limit : FOREVER;
}

static int show_job(const struct cli *cli, struct json_object *queue, struct json_object *job,
		    const char *name, const char *how)
{
	const char *state = member_text(job, "state");
	struct forecast forecast = {.name = name,
				    .procs = member_integer(job, "procs"),
				    .walltime = limit_of(job),
				    .now = member_integer(queue, "time"),
				    .partition = ""};

	if (!strcmp(state, "PENDING"))
		return show_waiting(cli, job, &forecast, how);
	if (strcmp(state, "RUNNING") != 0 && strcmp(state, "SUSPENDED") != 0)
		return fail(EXIT_ERRORS, "job %s has ended (%s)", name, state);
	forecast.start = member_integer(job, "start");
	forecast.end = member_integer(job, "end");
	if (!forecast.end)
		forecast.end = FOREVER;
	forecast.partition = member_text(job, "partition");
	forecast.source = "running";
	return tell(cli, &forecast);
}

/* ---- so many processors --------------------------------------------------------------------- */

/* How long a job may be that does not say it. */
static int64_t default_time(struct json_object *queue)
{
	struct json_object *partitions = member_array(queue, "partitions");

	for (size_t i = 0; i < array_size(partitions); i++) {
		struct json_object *partition = json_object_array_get_idx(partitions, i);
		int64_t limit = member_integer(partition, "default_time");

		if (!member_flag(partition, "default"))
			continue;
		if (limit <= 0)
			limit = member_integer(partition, "max_time");
		return limit > 0 ? limit : FOREVER;
	}
	return FOREVER;
}

/* "4", "4@", "4@1:00:00". *ret_seconds: 0 where none are given. */
static int read_request(const struct cli *cli, const char *text, int64_t *ret_procs,
			int64_t *ret_seconds)
{
	const char *rest;
	bool ambiguous = false;
	char *end;

	errno = 0;
	*ret_seconds = 0;
	*ret_procs = strtoll(text, &end, 10);
	if (errno || end == text || (*end && *end != '@') || *ret_procs < 1 ||
	    *ret_procs > PROCS_LIMIT)
		return fail_usage(cli, "%s is neither a job nor PROCS@TIME, such as 4@1:00:00",
				  text);
	if (!*end || !end[1])
		return EXIT_OK;
	if (maui_duration_parse(end + 1, ret_seconds, &ambiguous, &rest) || *rest ||
	    *ret_seconds < 1)
		return fail_usage(cli, "%s is no time: [[[DD:]HH:]MM:]SS", end + 1);
	if (ambiguous)
		note("%s is read as minutes and seconds; the original reads hours and minutes: "
		     "write three fields",
		     end + 1);
	return EXIT_OK;
}

static int show_procs(const struct cli *cli, struct json_object *queue, const char *text)
{
	struct forecast forecast = {
		.name = text, .now = member_integer(queue, "time"), .partition = ""};
	struct slurm_start_request request = {0};
	int64_t seconds;
	int code = read_request(cli, text, &forecast.procs, &seconds);

	if (code)
		return code;
	if (cli->queue_file)
		return fail(EXIT_ERRORS, "only Slurm itself knows when %s could start", text);
	if (!strchr(text, '@'))
		note("there is no job %s to be seen: so many processors are meant", text);
	request.procs = (uint32_t)forecast.procs;
	/* Slurm's limits are whole minutes. */
	if (seconds > 0 && seconds < (int64_t)MINUTE * UINT32_MAX / 2)
		request.minutes = (uint32_t)((seconds + MINUTE - 1) / MINUTE);
	forecast.walltime = seconds ? seconds : default_time(queue);
	code = ask_slurm(cli, &request, &forecast);
	return code ? code : tell(cli, &forecast);
}

static int check_how(const struct cli *cli, const char *how)
{
	if (!strcasecmp(how, "hist"))
		return fail(EXIT_ERRORS, "-e hist: nobody keeps how long such jobs have waited; "
					 "sacct has the jobs that have ended");
	if (strcasecmp(how, "all") != 0 && !find_estimate(how))
		return fail_usage(cli, "-e %s: all, rsv, prio or hist", how);
	return EXIT_OK;
}

int run_showstart(struct cli *cli, int argc, char **argv)
{
	struct json_object *queue, *job;
	const char *how = NULL;
	int option, code;

	while ((option = next_option(cli, argc, argv, "e:", NULL)) != OPTIONS_END) {
		if (option != 'e')
			return option == OPTIONS_DONE ? EXIT_OK : EXIT_ERRORS;
		code = check_how(cli, optarg);
		if (code)
			return code;
		how = optarg;
	}
	if (optind + 1 != argc)
		return fail_usage(cli, optind < argc ? "one job at a time" : "which job?");
	code = queue_load(cli, QUEUE_JOBS | QUEUE_PARTITIONS, &queue);
	if (code)
		return code;
	job = queue_job(queue, argv[optind]);
	if (job)
		code = show_job(cli, queue, job, argv[optind], how);
	else if (strpbrk(argv[optind], "_+"))
		code = fail(EXIT_ERRORS, "there is no job %s, or it is not yours to see",
			    argv[optind]);
	else if (how && !strcasecmp(how, "prio"))
		code = fail(EXIT_ERRORS, "-e prio: only jobs that wait are planned by priority");
	else
		code = show_procs(cli, queue, argv[optind]);
	json_object_put(queue);
	return code;
}
