/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * maui showstart: when a job is expected to start, in the original's lines. Backfill's plan comes
 * first, as it includes all jobs ahead; otherwise Slurm is asked, which looks at running jobs and
 * at reservations, and guesses how long those ahead take. The start of a job that is held back cannot
 * be known: the output says what holds it back.
 */
#include "contribs/maui/show/show.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/util/time/duration.h"
#include "contribs/maui/lib/duration_option.h"
#include "contribs/maui/lib/job_name.h"
#include "common/report/json.h"
#include "contribs/maui/lib/output.h"
#include "contribs/maui/queue/queue.h"
#include "contribs/maui/service/engine_request.h"
#include "contribs/maui/show/forecast.h"

#define PROCS_LIMIT 100000000
#define MINUTE      60

/* ---- what holds a job back ------------------------------------------------------------------ */

/* The engine's rows of a job, or of all of an array; NULL if there are none. */
static int ask_blocked(const struct cli *cli, struct json_object *job, const char *name,
		       struct json_object **ret_answer, struct json_object **ret_rows)
{
	struct json_object *arguments = json_make_object(), *jobs = json_make_array();
	struct job_name read = {0};
	bool component = job_name_read(name, &read) && read.part == JOB_COMPONENT;
	int code;

	json_append_number(jobs, component ? member_integer(job, "job") : read.number);
	json_set(arguments, "jobs", jobs);
	json_set_text(arguments, "level", "hard");
	code = engine_query(cli, "diagnose-blocked", arguments, ret_answer);
	*ret_rows = code ? NULL : member_array(member_object(*ret_answer, "data"), "jobs");
	return code;
}

/* What holds a job back for longer than until its begin time. A soft limit holds nobody back for
 * good. */
static struct json_object *row_of(struct json_object *rows, struct json_object *job)
{
	for (size_t i = 0; i < array_size(rows); i++) {
		struct json_object *row = json_object_array_get_idx(rows, i);

		if (member_integer(row, "job") == member_integer(job, "job") &&
		    strcmp(member_text(row, "kind"), "begin-time") != 0)
			return row;
	}
	return NULL;
}

/* ---- which task of an array ------------------------------------------------------------------ */

static bool is_held_back(struct json_object *rows, struct json_object *job)
{
	char text[FORECAST_BLOCKED_SIZE] = "";

	forecast_slurm_block(job, text);
	return *text || row_of(rows, job);
}

/* When it is planned, after which those without a plan come, and last those that are held back. */
static int64_t order_of(struct json_object *rows, struct json_object *job)
{
	int64_t start = member_integer(job, "start");

	if (is_held_back(rows, job))
		return INT64_MAX;
	return start > 0 ? start : INT64_MAX - 1;
}

/* Of the waiting records of this name the first to start. */
static struct json_object *showstart_earliest(struct json_object *queue, const char *name,
					      struct json_object *rows, struct json_object *best)
{
	struct json_object *jobs = member_array(queue, "jobs");

	for (size_t i = 0; i < array_size(jobs); i++) {
		struct json_object *job = json_object_array_get_idx(jobs, i);

		if (queue_job_is_pending(job) && queue_job_is(job, name) &&
		    order_of(rows, job) < order_of(rows, best))
			best = job;
	}
	return best;
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
		snprintf(forecast->blocked, FORECAST_BLOCKED_SIZE, "cannot be started  (%s)",
			 forecast->answer.problem);
	}
	return EXIT_OK;
}

/* What backfill has planned, with all jobs ahead. EXIT_OK: start is 0 if there is no plan. */
static int ask_backfill(const struct cli *cli, struct json_object *job, struct forecast *forecast)
{
	(void)cli;
	forecast->start = member_integer(job, "start");
	if (forecast->start <= 0) {
		forecast->start = 0;
		snprintf(forecast->blocked, FORECAST_BLOCKED_SIZE, "is not planned by backfill");
		return EXIT_OK;
	}
	forecast->source = "backfill";
	forecast->partition = member_text(job, "partition");
	/* The plan is as old as backfill's last pass. */
	if (forecast->start < forecast->now)
		forecast->start = forecast->now;
	return EXIT_OK;
}

/* What Slurm answers, from running jobs and reservations. A saved queue's job may be another
 * cluster's. */
static int ask_about(const struct cli *cli, struct json_object *job, struct forecast *forecast)
{
	const struct slurm_start_request request = {.job = (uint32_t)member_integer(job, "job")};

	if (!cli->queue_file)
		return ask_slurm(cli, &request, forecast);
	snprintf(forecast->blocked, FORECAST_BLOCKED_SIZE,
		 "cannot be asked about in a saved queue");
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

/* Backfill's plan; otherwise what Slurm answers. */
static int showstart_expect(const struct cli *cli, struct json_object *job,
			    struct forecast *forecast)
{
	int code = ask_backfill(cli, job, forecast);

	if (!code && !forecast->start && !cli->queue_file) {
		*forecast->blocked = '\0';
		code = ask_about(cli, job, forecast);
	}
	return code ? code : forecast_tell(cli, forecast);
}

/* -e all: each of them, and which is the first with a start. */
static int showstart_report_all(const struct cli *cli, struct json_object *job,
				const struct forecast *forecast)
{
	struct json_object *rows = json_make_array();
	struct forecast best = *forecast;
	int code = EXIT_OK;

	if (!cli->json)
		forecast_print_request(forecast);
	for (size_t i = 0; !code && i < ESTIMATES; i++) {
		struct forecast one = *forecast;

		code = estimates[i].ask(cli, job, &one);
		if (!cli->json && !code)
			forecast_print_estimate(&one, estimates[i].label);
		forecast_add_estimate(&one, estimates[i].name, rows);
		if (one.start || !best.start)
			best = one;
	}
	if (!code && cli->json)
		code = forecast_print_json(&best, rows);
	else if (!code)
		code = forecast_print_partition(&best);
	json_object_put(rows);
	return code;
}

/* how: as for -e; NULL: the best estimate. */
static int expect_as(const struct cli *cli, struct json_object *job, struct forecast *forecast,
		     const char *how)
{
	int code;

	if (!how)
		return showstart_expect(cli, job, forecast);
	if (!strcasecmp(how, "all"))
		return showstart_report_all(cli, job, forecast);
	code = find_estimate(how)->ask(cli, job, forecast);
	return code ? code : forecast_tell(cli, forecast);
}

static int show_waiting(const struct cli *cli, struct json_object *queue, struct json_object *job,
			struct forecast *forecast, const char *how)
{
	struct json_object *answer = NULL, *rows, *row;
	int code = ask_blocked(cli, job, forecast->name, &answer, &rows);

	job = showstart_earliest(queue, forecast->name, rows, job);
	row = row_of(rows, job);
	if (row && strcmp(member_text(job, "reason"), "DependencyNeverSatisfied") != 0) {
		/*
		 * "violates active HARD MAXJOB limit ...", as after the job's name in diagnose -q
		 */
		clean_copy(member_text(row, "message"), forecast->blocked, FORECAST_BLOCKED_SIZE);
		forecast->source = "engine";
	} else {
		if (code)
			note("without the engine: this is from Slurm alone");
		forecast_slurm_block(job, forecast->blocked);
		forecast->source = "slurm";
	}
	code = *forecast->blocked ? forecast_tell(cli, forecast)
				  : expect_as(cli, job, forecast, how);
	json_object_put(answer);
	return code;
}

static int64_t limit_of(struct json_object *job)
{
	int64_t limit = member_integer(job, "time_limit");

	return limit > 0 && limit < FORECAST_FOREVER ? limit : FORECAST_FOREVER;
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
		return show_waiting(cli, queue, job, &forecast, how);
	if (strcmp(state, "RUNNING") != 0 && strcmp(state, "SUSPENDED") != 0)
		return fail(EXIT_ERRORS, "job %s has ended (%s)", name, state);
	forecast.start = member_integer(job, "start");
	forecast.end = member_integer(job, "end");
	if (!forecast.end)
		forecast.end = FORECAST_FOREVER;
	forecast.partition = member_text(job, "partition");
	forecast.source = "running";
	return forecast_tell(cli, &forecast);
}

/* ---- so many processors --------------------------------------------------------------------- */

/* How long a job runs at most if it does not say. */
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
		return limit > 0 ? limit : FORECAST_FOREVER;
	}
	return FORECAST_FOREVER;
}

/* "4", "4@", "4@1:00:00". *ret_seconds: 0 if not given. */
static int read_request(const struct cli *cli, const char *text, int64_t *ret_procs,
			int64_t *ret_seconds)
{
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
	return duration_read(cli, "", end + 1, 1, ret_seconds);
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
		return fail(EXIT_ERRORS, "only Slurm can estimate when %s could start", text);
	if (!strchr(text, '@'))
		note("you see no job %s: it is taken as a number of processors", text);
	request.procs = (uint32_t)forecast.procs;
	/* Slurm's limits are whole minutes. */
	if (seconds > 0 && seconds < (int64_t)MINUTE * UINT32_MAX / 2)
		request.minutes = (uint32_t)((seconds + MINUTE - 1) / MINUTE);
	forecast.walltime = seconds ? seconds : default_time(queue);
	code = ask_slurm(cli, &request, &forecast);
	return code ? code : forecast_tell(cli, &forecast);
}

static int check_how(const struct cli *cli, const char *how)
{
	if (!strcasecmp(how, "hist"))
		return fail(EXIT_ERRORS, "-e hist: nothing records how long such jobs have waited; "
					 "sacct has the jobs that have ended");
	if (strcasecmp(how, "all") != 0 && !find_estimate(how))
		return fail_usage(cli, "-e %s: all, rsv, prio or hist", how);
	return EXIT_OK;
}

static int show_one(const struct cli *cli, struct json_object *queue, const char *name,
		    const char *how)
{
	struct json_object *job = queue_job(queue, name);

	if (job)
		return show_job(cli, queue, job, name, how);
	if (strpbrk(name, "_+"))
		return fail(EXIT_ERRORS, "there is no job %s, or it is not yours to see", name);
	if (how && !strcasecmp(how, "prio"))
		return fail(EXIT_ERRORS, "-e prio: only jobs that wait are planned by priority");
	return show_procs(cli, queue, name);
}

static int run_showstart(struct cli *cli, int argc, char **argv)
{
	struct json_object *queue;
	const char *how = NULL;
	int option, code;
	char **names;

	while ((option = next_option(cli, argc, argv, "e:", NULL)) != OPTIONS_END) {
		if (option != 'e')
			return option == OPTIONS_DONE ? EXIT_OK : EXIT_ERRORS;
		code = check_how(cli, optarg);
		if (code)
			return code;
		how = optarg;
	}
	if (optind + 1 != argc)
		return fail_usage(cli, optind < argc ? "one job at a time, or a list: 17,18"
						     : "which job?");
	code = queue_load(cli, QUEUE_JOBS | QUEUE_PARTITIONS, &queue);
	if (code)
		return code;
	names = job_names_split(1, argv + optind);
	for (char **name = names; !code && *name; name++)
		code = show_one(cli, queue, *name, how);
	job_names_clear(names);
	json_object_put(queue);
	return code;
}

static const char showstart_help[] =
	"  -e WAY                  prio: as backfill has planned it, with all jobs ahead; rsv: as\n"
	"                          Slurm says when asked, by jobs that run and reservations; all\n";

const struct command showstart_command = {
	.name = "showstart",
	.synopsis = "[-e WAY] [--json] JOB|PROCS|PROCS@TIME",
	.summary = "Show when a job, or one with that many processors, is expected to start",
	.options = showstart_help,
	.run = run_showstart,
};
