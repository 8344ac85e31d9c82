/* SPDX-License-Identifier: GPL-2.0-or-later */
/* maui showq: the queue in the original's tables, to the character. The names of jobs are Slurm's
 * numbers. */
#include "contribs/maui/show/show.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "common/util/time/duration.h"
#include "common/report/json.h"
#include "contribs/maui/lib/node_text.h"
#include "contribs/maui/lib/output.h"
#include "contribs/maui/lib/rsv_text.h"
#include "contribs/maui/lib/terminal.h"
#include "contribs/maui/queue/job_list.h"
#include "contribs/maui/queue/machine_use.h"
#include "contribs/maui/queue/queue.h"

struct request {
	char table; /* r, i, b, or 0: all three */
	bool verbose;
	const char *partition, *user, *group, *account, *qos;
};

struct sums {
	size_t count[JOB_BLOCKED + 1];
	int64_t job_procs; /* of the active jobs shown */
	double backlog;    /* of idle jobs with a limit: processor-seconds */
	struct machine_use machine;
};

static struct sums sum_up(const struct job_list *list, const struct request *request)
{
	struct sums sums = {.machine = machine_use(list->queue, request->partition)};

	for (size_t i = 0; i < list->count; i++) {
		const struct job_facts *facts = &list->jobs[i];

		sums.count[facts->phase]++;
		if (facts->phase == JOB_ACTIVE)
			sums.job_procs += facts->procs;
		if (facts->phase == JOB_IDLE && facts->limit != JOB_FOREVER)
			sums.backlog += (double)facts->procs * (double)facts->limit;
	}
	return sums;
}

static double showq_percent(int64_t part, int64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0;
}

/* "1 Job ", "2 Jobs": what follows keeps its place. */
static char showq_plural(size_t count)
{
	return count == 1 ? ' ' : 's';
}

/* The first letters of a text, without control characters. */
static void print_cut(const char *text, int width)
{
	char buffer[16];

	printf("%*.*s", width, width, clean_copy(text, buffer, sizeof(buffer)));
}

/* ---- the three sections ---------------------------------------------------------------------- */

static void print_row(const struct job_facts *facts, bool verbose)
{
	bool active = facts->phase == JOB_ACTIVE;
	char span[MAUI_DURATION_SIZE], date[RSV_DATE_SIZE];

	print_padded(job_name(facts), -18);
	putchar(' ');
	print_padded(member_text(facts->job, "user"), 8);
	printf(" %s%10s%s %5" PRId64 " %11s %20s",
	       strstr(facts->state, "Hold") ? mark(MARK_WARN) : "", facts->state, mark(MARK_END),
	       facts->procs, maui_duration_format(active ? facts->remaining : facts->limit, span),
	       rsv_date(active ? facts->start : facts->submit, date));
	if (verbose) {
		printf("  ");
		print_clean(member_text(facts->job, "partition"));
	}
	if (verbose && !active) {
		printf(" (");
		print_clean(member_text(facts->job, "reason"));
		putchar(')');
	}
	putchar('\n');
}

static void print_section(const struct job_list *list, const struct request *request,
			  enum job_phase phase)
{
	static const char *const titles[] = {
		[JOB_ACTIVE] = "ACTIVE JOBS--------------------",
		[JOB_IDLE] = "IDLE JOBS----------------------",
		[JOB_BLOCKED] = "BLOCKED JOBS----------------",
	};
	bool active = phase == JOB_ACTIVE;

	printf("%s%s%s\n%-18s %8s %10s %5s %11s %20s%s\n\n", mark(MARK_TITLE), titles[phase],
	       mark(MARK_END), "JOBNAME", "USERNAME", "STATE", "PROC",
	       active ? "REMAINING" : "WCLIMIT", active ? "STARTTIME" : "QUEUETIME",
	       request->verbose ? "  PARTITION" : "");
	for (size_t i = 0; i < list->count; i++)
		if (list->jobs[i].phase == phase)
			print_row(&list->jobs[i], request->verbose);
	putchar('\n');
}

/* Of the original's family: lines of ours, of a machine with GRES. */
static void print_gres_use(const struct gres_sums *sums)
{
	for (size_t i = 0; i < sums->count; i++) {
		const struct gres_sum *sum = &sums->gres[i];

		if (!sum->up)
			continue;
		printf("%26" PRId64 " of %4" PRId64 " ", sum->active, sum->up);
		print_padded(sum->name, -11);
		printf(" Active (%.2f%%)\n", showq_percent(sum->active, sum->up));
	}
}

static void print_sections(const struct job_list *list, const struct request *request,
			   const struct sums *sums)
{
	const struct machine_use *machine = &sums->machine;
	size_t active = sums->count[JOB_ACTIVE], idle = sums->count[JOB_IDLE];
	size_t blocked = sums->count[JOB_BLOCKED];

	print_section(list, request, JOB_ACTIVE);
	printf("%6zu Active Job%c  %6" PRId64 " of %4" PRId64 " Processors Active (%.2f%%)\n",
	       active, showq_plural(active), machine->active_procs, machine->procs,
	       showq_percent(machine->active_procs, machine->procs));
	printf("%26" PRId64 " of %4" PRId64 " Nodes Active      (%.2f%%)\n", machine->active_nodes,
	       machine->nodes, showq_percent(machine->active_nodes, machine->nodes));
	print_gres_use(&machine->gres);
	putchar('\n');
	print_section(list, request, JOB_IDLE);
	printf("%zu Idle Job%s\n\n", idle, idle == 1 ? "" : "s");
	print_section(list, request, JOB_BLOCKED);
	printf("Total Jobs: %zu   Active Jobs: %zu   Idle Jobs: %zu   Blocked Jobs: %zu\n",
	       active + idle + blocked, active, idle, blocked);
}

/* ---- -r -------------------------------------------------------------------------------------- */

static void print_active_row(const struct job_list *list, const struct job_facts *facts)
{
	struct json_object *job = facts->job;
	const char *qos = member_text(job, "qos");
	char span[MAUI_DURATION_SIZE], date[RSV_DATE_SIZE];

	print_padded(job_name(facts), 18);
	printf("  %c ", *facts->state);
	print_cut(member_text(job, "partition"), 3);
	/* Slurm does not say how much of its processors a job uses. */
	printf(" %6s %8.1f ", "------", job_xfactor(facts, list->now));
	print_cut(*qos ? qos : "DEFAULT", 2);
	putchar(' ');
	print_padded(member_text(job, "user"), 9);
	putchar(' ');
	print_padded(member_text(job, "group"), 8);
	putchar(' ');
	print_padded(member_text(job, "batch_host"), 8);
	printf(" %5" PRId64 " %11s %20s\n", facts->procs,
	       maui_duration_format(facts->remaining, span), rsv_date(facts->start, date));
}

static void print_active(const struct job_list *list, const struct sums *sums)
{
	size_t count = sums->count[JOB_ACTIVE];

	printf("%18s  S Par %6s %8s  Q %9s %8s %8s %5s %11s %20s\n\n", "JobName", "Effic",
	       "XFactor", "User", "Group", "MHost", "Procs", "Remaining", "StartTime");
	for (size_t i = 0; i < list->count; i++)
		if (list->jobs[i].phase == JOB_ACTIVE)
			print_active_row(list, &list->jobs[i]);
	printf("\n%3zu Job%c  %6" PRId64 " of %5" PRId64 " Processors Active (%.2f%%)\n", count,
	       showq_plural(count), sums->machine.active_procs, sums->machine.procs,
	       showq_percent(sums->machine.active_procs, sums->machine.procs));
}

/* ---- -i -------------------------------------------------------------------------------------- */

static void print_idle_row(const struct job_list *list, const struct job_facts *facts)
{
	struct json_object *job = facts->job;
	const char *qos = member_text(job, "qos");
	char span[MAUI_DURATION_SIZE], date[RSV_DATE_SIZE];

	print_padded(job_name(facts), 18);
	printf("%c %10" PRId64 " %8.1f ", facts->reserved ? '*' : ' ', facts->rank,
	       job_xfactor(facts, list->now));
	print_cut(*qos ? qos : "-", 2);
	putchar(' ');
	print_padded(member_text(job, "user"), 9);
	putchar(' ');
	print_padded(member_text(job, "group"), 8);
	printf(" %6" PRId64 " %11s ", facts->procs, maui_duration_format(facts->limit, span));
	print_padded(member_text(job, "partition"), 9);
	printf(" %20s\n", rsv_date(facts->since, date));
}

static void print_idle(const struct job_list *list, const struct sums *sums)
{
	double procs = (double)sums->machine.procs;

	printf("%18s  %10s %8s  Q %9s %8s %6s %11s %9s %20s\n\n", "JobName", "Priority", "XFactor",
	       "User", "Group", "Procs", "WCLimit", "Class", "SystemQueueTime");
	for (size_t i = 0; i < list->count; i++)
		if (list->jobs[i].phase == JOB_IDLE)
			print_idle_row(list, &list->jobs[i]);
	printf("\nJobs: %zu  Total Backlog: %6.2f ProcHours  (%.2f Hours)\n", sums->count[JOB_IDLE],
	       sums->backlog / 3600, procs > 0 ? sums->backlog / 3600 / procs : 0);
}

/* ---- -b -------------------------------------------------------------------------------------- */

static void print_blocked_rows(const struct job_list *list)
{
	char message[1024];

	printf("%18s %9s %20s\n\n", "JobName", "User", "Reason");
	for (size_t i = 0; i < list->count; i++) {
		const struct job_facts *facts = &list->jobs[i];

		if (facts->phase != JOB_BLOCKED)
			continue;
		print_padded(job_name(facts), 18);
		putchar(' ');
		print_padded(member_text(facts->job, "user"), 9);
		printf(" %20s\n", job_message(facts, message, sizeof(message)));
	}
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static bool in_table(const struct job_facts *facts, char table)
{
	static const char letters[] = {[JOB_ACTIVE] = 'r', [JOB_IDLE] = 'i', [JOB_BLOCKED] = 'b'};

	return facts->phase != JOB_OVER && (!table || letters[facts->phase] == table);
}

static struct json_object *showq_pair(int64_t active, int64_t up)
{
	struct json_object *object = json_make_object();

	json_set_number(object, "active", active);
	json_set_number(object, "up", up);
	return object;
}

static struct json_object *gres_array(const struct gres_sums *sums)
{
	struct json_object *array = json_make_array();

	for (size_t i = 0; i < sums->count; i++) {
		struct json_object *one = showq_pair(sums->gres[i].active, sums->gres[i].up);

		json_set_text(one, "name", sums->gres[i].name);
		json_append(array, one);
	}
	return array;
}

static void set_sums(struct json_object *data, const struct sums *sums)
{
	const struct machine_use *machine = &sums->machine;

	json_set_number(data, "active", (int64_t)sums->count[JOB_ACTIVE]);
	json_set_number(data, "idle", (int64_t)sums->count[JOB_IDLE]);
	json_set_number(data, "blocked", (int64_t)sums->count[JOB_BLOCKED]);
	json_set(data, "procs", showq_pair(machine->active_procs, machine->procs));
	json_set(data, "nodes", showq_pair(machine->active_nodes, machine->nodes));
	json_set(data, "gres", gres_array(&machine->gres));
	json_set_real(data, "backlog", sums->backlog);
}

static int print_data(const struct job_list *list, const struct request *request,
		      const struct sums *sums)
{
	struct json_object *data = json_make_object(), *jobs = json_make_array();
	int code;

	json_set_number(data, "time", list->now);
	json_set_flag(data, "engine", list->advice.there);
	json_set_text(data, "partition", request->partition);
	json_set_text(data, "user", request->user);
	json_set_text(data, "group", request->group);
	json_set_text(data, "account", request->account);
	json_set_text(data, "qos", request->qos);
	set_sums(data, sums);
	json_set(data, "jobs", jobs);
	for (size_t i = 0; i < list->count; i++)
		if (in_table(&list->jobs[i], request->table))
			json_append(jobs, job_json(&list->jobs[i], list->now));
	code = print_json("maui.showq/1", data);
	json_object_put(data);
	return code;
}

/* ---- the command ----------------------------------------------------------------------------- */

/* The nodes account for more than the jobs that the caller may see. */
static void note_hidden(const struct request *request, const struct sums *sums)
{
	int64_t hidden = sums->machine.active_procs - sums->job_procs;

	bool all = !request->user && !request->partition && !request->group && !request->account &&
		   !request->qos;

	if (all && hidden > 0)
		note("jobs that are not yours to see have %" PRId64 " of these processors", hidden);
}

static int showq_print_all(const struct cli *cli, const struct job_list *list,
			   const struct request *request)
{
	struct sums sums = sum_up(list, request);

	if (cli->json)
		return print_data(list, request, &sums);
	switch (request->table) {
	case 'r':
		print_active(list, &sums);
		break;
	case 'i':
		print_idle(list, &sums);
		break;
	case 'b':
		print_blocked_rows(list);
		break;
	default:
		print_sections(list, request, &sums);
	}
	if (request->table == 'r' || !request->table)
		note_hidden(request, &sums);
	return EXIT_OK;
}

/* What the table needs: who blocks jobs decides which are idle. */
static unsigned int advice_for(const struct cli *cli, const struct request *request)
{
	if (request->table == 'r')
		return 0;
	return ADVICE_BLOCKED | (cli->json || request->table == 'i' ? ADVICE_PRIORITY : 0U);
}

static int showq_show(const struct cli *cli, const struct request *request)
{
	const struct job_wish wish = {
		.queue = QUEUE_NODES | QUEUE_PARTITIONS | QUEUE_BRIEF |
			 (request->partition ? 0 : QUEUE_VISIBLE), /* as squeue -p */
		.advice = advice_for(cli, request),
		.partition = request->partition,
		.user = request->user,
		.group = request->group,
		.account = request->account,
		.qos = request->qos,
	};
	struct job_list list;
	int code = job_list_load(cli, &wish, &list);

	if (code)
		return code;
	job_list_sort(&list);
	code = showq_print_all(cli, &list, request);
	job_list_clear(&list);
	return code;
}

/* "user=bob"; several must all match; false: it is not of this form. */
static bool take_where(struct request *request, const char *text)
{
	const struct {
		const char *word;
		const char **value;
	} words[] = {
		{"user=", &request->user},       {"group=", &request->group},
		{"acct=", &request->account},    {"account=", &request->account},
		{"class=", &request->partition}, {"partition=", &request->partition},
		{"par=", &request->partition},   {"qos=", &request->qos},
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		size_t size = strlen(words[i].word);

		if (strncasecmp(text, words[i].word, size) != 0 || !text[size])
			continue;
		*words[i].value = text + size;
		return true;
	}
	return false;
}

static int run_showq(struct cli *cli, int argc, char **argv)
{
	static const struct option longs[] = {
		{"partition", required_argument, NULL, 'p'},
		{"user", required_argument, NULL, 'u'},
		{0},
	};
	struct request request = {0};
	int option;

	while ((option = next_option(cli, argc, argv, "ribp:u:vw:", longs)) != OPTIONS_END) {
		if (option == OPTIONS_DONE || option == OPTIONS_BAD)
			return option == OPTIONS_DONE ? EXIT_OK : EXIT_ERRORS;
		if (option == 'p')
			request.partition = optarg;
		else if (option == 'u')
			request.user = optarg;
		else if (option == 'v')
			request.verbose = true;
		else if (option == 'w' && !take_where(&request, optarg))
			return fail_usage(cli,
					  "-w %s: user, group, acct, class or qos, = and a name",
					  optarg);
		else if (option == 'w')
			continue;
		else if (request.table && request.table != option)
			return fail_usage(cli, "-%c or -%c, one at a time", request.table, option);
		else
			request.table = (char)option;
	}
	if (optind < argc)
		return fail_usage(cli, "showq takes no %s", argv[optind]);
	return showq_show(cli, &request);
}

static const char showq_help[] =
	"  -r                      only active jobs, in more detail\n"
	"  -i                      only idle jobs, which may start, by priority\n"
	"  -b                      only blocked jobs, and why they are blocked\n"
	"  -p, --partition=PARTITION\n"
	"                          only jobs and nodes of this partition\n"
	"  -u, --user=USER         only jobs of this user\n"
	"  -w TYPE=NAME            only jobs of this user, group, acct, class, or qos; of several "
	"-w\n"
	"                          all must match\n"
	"  -v                      also partitions, and Slurm's reasons\n";

const struct command showq_command = {
	.name = "showq",
	.synopsis = "[-r|-i|-b] [-p PARTITION] [-u USER] [-w TYPE=NAME] [-v] [--json]",
	.summary = "Show the queue: active, idle and blocked jobs",
	.options = showq_help,
	.run = run_showq,
};
