/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * maui showstats: the original's tables, as far as Slurm's queue and the fairshare windows allow.
 * The original's statistics of ended jobs are not kept here: they appear as ------, see sacct and
 * sreport.
 */
#include "contribs/maui/show/show.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/credential.h"
#include "common/util/time/duration.h"
#include "common/util/memory.h"
#include "common/util/principal_text.h"
#include "contribs/maui/lib/credential_known.h"
#include "common/report/json.h"
#include "contribs/maui/lib/node_text.h"
#include "contribs/maui/lib/output.h"
#include "contribs/maui/lib/rsv_text.h"
#include "contribs/maui/queue/job_list.h"
#include "contribs/maui/queue/machine_use.h"
#include "contribs/maui/queue/queue.h"
#include "contribs/maui/service/engine_request.h"
#include "contribs/maui/show/showstats_month.h"

#define HOUR 3600.0

/* The types: option, name in the service, label of the table, and member of a job's record. */
static const struct type {
	int option;
	enum maui_credential type;
	const char *name, *label, *member;
	const char *number; /* member of a job's record with the uid or gid; NULL: it has none */
} types[] = {
	{'u', MAUI_USER, "user", "user", "user", "uid"},
	{'g', MAUI_GROUP, "group", "group", "group", "gid"},
	{'a', MAUI_ACCOUNT, "account", "acct", "account", NULL},
	{'c', MAUI_CLASS, "class", "class", "partition", NULL},
	{'q', MAUI_QOS, "qos", "qos", "qos", NULL},
};

struct line {
	const char *name;
	bool unnamed; /* name is a uid or gid: another line may have these digits as a name */
	int64_t jobs, procs;
	double left;      /* processor-hours that its active jobs may still use */
	double dedicated; /* processor-hours in the windows */
	double target;
	bool counted, has_target;
};

struct statistics {
	const struct type *type; /* NULL: of the machine */
	struct job_list list;
	struct machine_use machine;
	struct json_object *status, *fairshare; /* answers, or NULL */
	struct line *lines;
	size_t count;
	double dedicated; /* processor-hours in all windows */
};

static bool is_counted(const struct statistics *statistics)
{
	const char *policy = member_text(member_object(statistics->fairshare, "data"), "policy");

	return *policy && strcmp(policy, "[NONE]") != 0;
}

/* ---- lines ----------------------------------------------------------------------------------- */

static struct line *find_line(struct statistics *statistics, const char *name, bool unnamed)
{
	for (size_t i = 0; i < statistics->count; i++)
		if (statistics->lines[i].unnamed == unnamed &&
		    !strcmp(statistics->lines[i].name, name))
			return &statistics->lines[i];
	return NULL;
}

/* There is room for all jobs and all rows. */
static struct line *line_of(struct statistics *statistics, const char *name, bool unnamed)
{
	struct line *line = find_line(statistics, name, unnamed);

	if (line)
		return line;
	statistics->lines[statistics->count] = (struct line){.name = name, .unnamed = unnamed};
	return &statistics->lines[statistics->count++];
}

/* Whether a job's user or group is shown as a number, which has no name, or these digits. */
static bool is_number(const struct statistics *statistics, struct json_object *job,
		      const char *name)
{
	uint32_t number;

	return statistics->type->number && maui_principal_number(name, &number) &&
	       member_integer(job, statistics->type->number) == number;
}

static void add_job(struct statistics *statistics, const struct job_facts *facts)
{
	const char *name = member_text(facts->job, statistics->type->member);
	struct line *line;

	if (facts->phase != JOB_ACTIVE || !*name)
		return;
	line = line_of(statistics, name, is_number(statistics, facts->job, name));
	line->jobs++;
	line->procs += facts->procs;
	if (facts->limit != JOB_FOREVER)
		line->left += (double)facts->procs * (double)facts->remaining / HOUR;
}

static double hours_of(struct json_object *windows)
{
	double sum = 0;

	for (size_t i = 0; i < array_size(windows); i++) {
		struct json_object *one = json_object_array_get_idx(windows, i);
		double usage = json_object_is_type(one, json_type_object)
				       ? member_number(one, "usage")
				       : json_object_get_double(one);

		sum += usage > 0 && usage < 1e18 ? usage / HOUR : 0;
	}
	return sum;
}

static bool has_unnamed(struct json_object *rows, const char *name)
{
	for (size_t i = 0; i < array_size(rows); i++) {
		struct json_object *row = json_object_array_get_idx(rows, i);

		if (member_flag(row, "unnamed") && !strcmp(member_text(row, "name"), name))
			return true;
	}
	return false;
}

/* The line of a row. Jobs of a user whose name is his uid look like those of a uid without one. */
static struct line *line_of_row(struct statistics *statistics, struct json_object *rows,
				struct json_object *row)
{
	const char *name = member_text(row, "name");
	struct line *line;

	if (member_flag(row, "unnamed"))
		return line_of(statistics, name, true);
	line = find_line(statistics, name, true);
	if (!line || find_line(statistics, name, false) || has_unnamed(rows, name))
		return line_of(statistics, name, false);
	line->unnamed = false;
	return line;
}

static void add_row(struct statistics *statistics, struct json_object *rows,
		    struct json_object *row)
{
	const char *name = member_text(row, "name");
	double hours = hours_of(member_array(row, "windows"));
	struct line *line;

	if (!*name || (hours <= 0 && !strcmp(name, "DEFAULT")))
		return;
	line = line_of_row(statistics, rows, row);
	line->dedicated = hours;
	line->counted = true;
	line->target = member_number(row, "target");
	line->has_target = line->target > 0;
}

static int by_name(const void *a, const void *b)
{
	const struct line *x = a, *y = b;

	int order = strcmp(x->name, y->name);

	return order ? order : x->unnamed - y->unnamed;
}

static void make_lines(struct statistics *statistics)
{
	struct json_object *data = member_object(statistics->fairshare, "data");
	struct json_object *rows =
		member_array(member_object(data, "credentials"), statistics->type->name);

	statistics->lines = maui_calloc(statistics->list.count + array_size(rows) + 1,
					sizeof(*statistics->lines));
	for (size_t i = 0; i < statistics->list.count; i++)
		add_job(statistics, &statistics->list.jobs[i]);
	for (size_t i = 0; is_counted(statistics) && i < array_size(rows); i++)
		add_row(statistics, rows, json_object_array_get_idx(rows, i));
	qsort(statistics->lines, statistics->count, sizeof(*statistics->lines), by_name);
}

/* name: NULL for all lines. Digits are a name if there is a line of it, else a number, whose line
 * comes after that. */
static bool is_asked_for(const struct statistics *statistics, size_t at, const char *name)
{
	const struct line *line = &statistics->lines[at];

	if (!name || strcmp(line->name, name) != 0)
		return !name;
	return !line->unnamed || !at || strcmp(line[-1].name, name) != 0;
}

static bool is_there(const struct statistics *statistics, const char *name)
{
	for (size_t i = 0; i < statistics->count; i++)
		if (is_asked_for(statistics, i, name))
			return true;
	return false;
}

/* ---- tables ---------------------------------------------------------------------------------- */

static double showstats_percent(double part, double whole)
{
	return whole > 0 ? 100 * part / whole : 0;
}

static void print_line(const struct statistics *statistics, const struct line *line)
{
	char text[MAUI_PRINCIPAL_TEXT_SIZE];
	const char *name = line->name;

	if (statistics->type->number && !line->unnamed)
		name = maui_principal_text(name, UINT32_MAX, text);
	print_padded(name, -9);
	printf(" %4" PRId64 " %5" PRId64 " %9.2f ---- ------ ------ ------", line->jobs,
	       line->procs, line->left);
	if (line->counted)
		printf(" %6.1f %6.2f", line->dedicated,
		       showstats_percent(line->dedicated, statistics->dedicated));
	else
		printf(" ------ ------");
	if (line->has_target)
		printf(" %5.2f", line->target);
	else
		printf(" -----");
	printf(" ------ ------ ------ ------ ------\n");
}

/* Since when there are numbers: the start of the first window that has any. */
static int64_t first_start(const struct statistics *statistics)
{
	struct json_object *windows =
		member_array(member_object(statistics->fairshare, "data"), "windows");
	int64_t first = 0;

	for (size_t i = 0; i < array_size(windows); i++) {
		struct json_object *window = json_object_array_get_idx(windows, i);

		if (member_number(window, "usage") > 0)
			first = member_integer(window, "start");
	}
	return first;
}

static void print_table(const struct statistics *statistics, const char *name)
{
	char date[RSV_DATE_SIZE];
	int64_t start = first_start(statistics);

	printf("statistics initialized %s\n\n"
	       "         |------ Active ------|--------------------------------- Completed "
	       "-----------------------------------|\n"
	       "%-9s Jobs Procs ProcHours Jobs    %%    PHReq    %%    PHDed    %%   FSTgt  AvgXF  "
	       "MaxXF  AvgQH  Effic  WCAcc\n",
	       start ? rsv_date(start, date) : "------", statistics->type->label);
	for (size_t i = 0; i < statistics->count; i++)
		if (is_asked_for(statistics, i, name))
			print_line(statistics, &statistics->lines[i]);
	printf("\n\n");
}

static void count_jobs(const struct statistics *statistics, int64_t count[JOB_BLOCKED + 1])
{
	memset(count, 0, (JOB_BLOCKED + 1) * sizeof(*count));
	for (size_t i = 0; i < statistics->list.count; i++)
		count[statistics->list.jobs[i].phase]++;
}

static double showstats_backlog(const struct statistics *statistics)
{
	double hours = 0;

	for (size_t i = 0; i < statistics->list.count; i++) {
		const struct job_facts *facts = &statistics->list.jobs[i];

		if (facts->phase == JOB_IDLE && facts->limit != JOB_FOREVER)
			hours += (double)facts->procs * (double)facts->limit / HOUR;
	}
	return hours;
}

static void print_since(const struct statistics *statistics)
{
	int64_t started = member_integer(member_object(statistics->status, "data"), "started");
	int64_t first = first_start(statistics);
	char active[MAUI_DURATION_SIZE] = "     ------", date[RSV_DATE_SIZE];

	if (started > 0 && started <= statistics->list.now)
		maui_duration_format(statistics->list.now - started, active);
	printf("\nmaui active for   %11s  stats initialized on %s\n\n", active,
	       first ? rsv_date(first, date) : "------");
}

static void print_machine(const struct statistics *statistics)
{
	const struct machine_use *machine = &statistics->machine;
	int64_t count[JOB_BLOCKED + 1], idle;
	double procs = (double)machine->procs;

	count_jobs(statistics, count);
	idle = count[JOB_IDLE] + count[JOB_BLOCKED];
	print_since(statistics);
	printf("Eligible/Idle Jobs:               %6" PRId64 "/%-9" PRId64 " (%.3f%%)\n",
	       count[JOB_IDLE], idle, showstats_percent((double)count[JOB_IDLE], (double)idle));
	printf("Active Jobs:                      %6" PRId64 "\n", count[JOB_ACTIVE]);
	printf("Successful/Completed Jobs:        ------/------\n"
	       "Avg/Max QTime (Hours):            ------/------\n"
	       "Avg/Max XFactor:                  ------/------\n\n");
	if (is_counted(statistics))
		printf("Dedicated/Total ProcHours:    %10.2f/------\n\n", statistics->dedicated);
	else
		printf("Dedicated/Total ProcHours:        ------/------\n\n");
	printf("Current Active/Total Procs:       %6" PRId64 "/%-9" PRId64 " (%.3f%%)\n\n",
	       machine->active_procs, machine->procs,
	       showstats_percent((double)machine->active_procs, procs));
	printf("Avg WallClock Accuracy:           ------\n"
	       "Avg Job Proc Efficiency:          ------\n"
	       "Est/Avg Backlog (Hours):      %10.2f/------\n",
	       procs > 0 ? showstats_backlog(statistics) / procs : 0);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

/* Null if unknown. */
static void add_amount(struct json_object *object, const char *name, bool known, double amount)
{
	json_set(object, name, known ? json_make_real(amount) : NULL);
}

static struct json_object *line_object(const struct statistics *statistics, const struct line *line)
{
	struct json_object *object = json_make_object();

	json_set_text(object, "name", line->name);
	if (line->unnamed)
		json_set_flag(object, "unnamed", true);
	json_set_number(object, "jobs", line->jobs);
	json_set_number(object, "procs", line->procs);
	add_amount(object, "prochours", true, line->left);
	add_amount(object, "dedicated_prochours", line->counted, line->dedicated);
	add_amount(object, "percent", line->counted,
		   showstats_percent(line->dedicated, statistics->dedicated));
	add_amount(object, "target", line->has_target, line->target);
	return object;
}

static int print_data(const struct statistics *statistics, const char *name)
{
	struct json_object *data = json_make_object(), *rows = json_make_array();
	int64_t count[JOB_BLOCKED + 1], first = first_start(statistics);
	int code;

	count_jobs(statistics, count);
	json_set_number(data, "time", statistics->list.now);
	json_set_flag(data, "engine", statistics->list.advice.there);
	json_set(data, "since", first ? json_make_number(first) : NULL);
	json_set_number(data, "active", count[JOB_ACTIVE]);
	json_set_number(data, "idle", count[JOB_IDLE]);
	json_set_number(data, "blocked", count[JOB_BLOCKED]);
	json_set_number(data, "active_procs", statistics->machine.active_procs);
	json_set_number(data, "procs", statistics->machine.procs);
	add_amount(data, "dedicated_prochours", is_counted(statistics), statistics->dedicated);
	add_amount(data, "backlog_prochours", true, showstats_backlog(statistics));
	json_set(data, "type", statistics->type ? json_make_text(statistics->type->name) : NULL);
	for (size_t i = 0; i < statistics->count; i++)
		if (is_asked_for(statistics, i, name))
			json_append(rows, line_object(statistics, &statistics->lines[i]));
	json_set(data, "rows", rows);
	code = print_json("maui.showstats/1", data);
	json_object_put(data);
	return code;
}

/* ---- the command ----------------------------------------------------------------------------- */

/* NULL, and a NOTE, if the engine does not answer. */
static struct json_object *showstats_ask(const struct cli *cli, const char *command)
{
	struct json_object *answer = NULL;
	char complaint[600];
	int code;

	complaints_keep(complaint, sizeof(complaint));
	code = engine_query(cli, command, NULL, &answer);
	complaints_keep(NULL, 0);
	if (!code)
		return answer;
	note("%s: %s", command, complaint);
	return NULL;
}

static void ask_engine(const struct cli *cli, struct statistics *statistics)
{
	if (!statistics->list.advice.there)
		return;
	statistics->fairshare = showstats_ask(cli, "diagnose-fairshare");
	if (!statistics->type && !cli->json)
		statistics->status = showstats_ask(cli, "status");
	if (statistics->fairshare && !is_counted(statistics))
		note("FSPOLICY is not set: no usage is counted");
	if (is_counted(statistics))
		statistics->dedicated = hours_of(
			member_array(member_object(statistics->fairshare, "data"), "windows"));
}

static int showstats_report(const struct cli *cli, struct statistics *statistics, const char *name)
{
	const struct type *type = statistics->type;

	if (type)
		make_lines(statistics);
	if (type && name && !is_there(statistics, name)) {
		if (!credential_is_known(type->name, name))
			return EXIT_ERRORS;
		note("%s %s has no active job and has used nothing, or is not yours to see",
		     type->name, name);
	}
	if (cli->json)
		return print_data(statistics, name);
	if (type)
		print_table(statistics, name);
	else
		print_machine(statistics);
	return EXIT_OK;
}

static int showstats_show(const struct cli *cli, const struct type *type, const char *name)
{
	const struct job_wish wish = {.queue = QUEUE_NODES | QUEUE_PARTITIONS | QUEUE_BRIEF,
				      .advice = ADVICE_BLOCKED};
	struct statistics statistics = {.type = type};
	int code = job_list_load(cli, &wish, &statistics.list);

	if (code)
		return code;
	statistics.machine = machine_use(statistics.list.queue, NULL);
	ask_engine(cli, &statistics);
	code = showstats_report(cli, &statistics, name);
	json_object_put(statistics.fairshare);
	json_object_put(statistics.status);
	free(statistics.lines);
	job_list_clear(&statistics.list);
	return code;
}

static const struct type *find_type(int option)
{
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (types[i].option == option)
			return &types[i];
	return NULL;
}

static int run_showstats(struct cli *cli, int argc, char **argv)
{
	const struct type *type = NULL;
	static const struct option longs[] = {{"month", required_argument, NULL, 'M'}, {0}};
	const char *month = NULL;
	int option;

	while ((option = next_option(cli, argc, argv, "acgqunsv", longs)) != OPTIONS_END) {
		if (option == OPTIONS_DONE || option == OPTIONS_BAD)
			return option == OPTIONS_DONE ? EXIT_OK : EXIT_ERRORS;
		if (option == 'n')
			return fail(EXIT_ERRORS, "showstats -n: `maui diagnose -n -v` has how long "
						 "each node was in use");
		if (option == 'M')
			month = optarg;
		if (!find_type(option))
			continue;
		if (type && type != find_type(option))
			return fail_usage(cli, "-%c or -%c, one at a time", type->option, option);
		type = find_type(option);
	}
	if (argc - optind > (type ? 1 : 0))
		return fail_usage(cli, "unexpected argument %s", argv[argc - 1]);
	if (month)
		return showstats_month(cli, month, type ? type->type : MAUI_CREDENTIALS,
				       argv[optind]);
	return showstats_show(cli, type, argv[optind]);
}

static const char showstats_help[] =
	"  -u|-g|-a|-c|-q [NAME]   users, groups, accounts, classes, or QOS, one line each\n"
	"    --month=MONTH         what they have used in a month, from the fairshare files:\n"
	"                          this, last or YYYY-MM\n"
	"  -n                      not supported: it says what to use instead\n"
	"  -s, -v                  accepted: they ask for the default\n";

const struct command showstats_command = {
	.name = "showstats",
	.synopsis = "[-u|-g|-a|-c|-q [NAME]] [--month=MONTH] [--json]",
	.summary = "Show what is in use, and what the fairshare windows have counted",
	.options = showstats_help,
	.run = run_showstats,
};
