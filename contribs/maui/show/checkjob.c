/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * maui checkjob: one job in the original's layout. If Slurm has nothing of the kind, the original's
 * words for nothing are shown. The original's last line says why a waiting job does not run; here
 * there is one line per partition.
 */
#include "contribs/maui/show/show.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/policy/priority/pe.h"
#include "common/util/time/duration.h"
#include "common/util/slurm/task_list.h"
#include "contribs/maui/lib/job_name.h"
#include "common/report/json.h"
#include "contribs/maui/lib/output.h"
#include "contribs/maui/lib/rsv_text.h"
#include "contribs/maui/queue/job_list.h"
#include "contribs/maui/queue/job_text.h"
#include "contribs/maui/queue/machine_use.h"
#include "contribs/maui/queue/queue.h"
#include "contribs/maui/show/checkjob_attributes.h"
#include "contribs/maui/show/checkjob_partitions.h"

#define NODES_PER_LINE 4

static const char *or_none(const char *text)
{
	return *text ? text : "[NONE]";
}

/* Without the blanks that align INFINITY in columns. */
static const char *checkjob_span(int64_t seconds, char text[MAUI_DURATION_SIZE])
{
	maui_duration_format(seconds, text);
	return text + strspn(text, " ");
}

static int64_t checkjob_run_time(const struct checkjob *view)
{
	return count_of(view->job, "run_time");
}

static bool has_started(const struct checkjob *view)
{
	return view->facts->phase == JOB_ACTIVE ||
	       (view->facts->phase == JOB_OVER && view->facts->start);
}

/* ---- who and when ---------------------------------------------------------------------------- */

static void print_credentials(struct json_object *job)
{
	static const struct {
		const char *label, *member;
	} parts[] = {{"user", "user"},
		     {"group", "group"},
		     {"account", "account"},
		     {"class", "partition"},
		     {"qos", "qos"}};

	printf("Creds:");
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		const char *text = member_text(job, parts[i].member);

		if (!*text && strcmp(parts[i].label, "qos") != 0)
			continue;
		printf("  %s:", parts[i].label);
		print_clean(*text ? text : "DEFAULT");
	}
	putchar('\n');
}

/* A held job is Idle, too: its holds have a line of their own. */
static void print_state(const struct checkjob *view)
{
	bool deferred = !strcmp(view->facts->state, "Deferred");

	printf("State: %s%s\n", job_waits(view->facts) ? "Idle" : view->facts->state,
	       deferred ? "  EState: Deferred" : "");
}

static void print_times(const struct checkjob *view)
{
	const struct job_facts *facts = view->facts;
	int64_t until = has_started(view) ? facts->start : view->list->now;
	int64_t since = facts->since < until ? facts->since : until;
	char first[MAUI_DURATION_SIZE], second[MAUI_DURATION_SIZE], date[RSV_DATE_SIZE];

	printf("WallTime: %s of ", checkjob_span(checkjob_run_time(view), first));
	printf("%s\n", checkjob_span(facts->limit, second));
	printf("SubmitTime: %s\n", rsv_date(facts->submit, date));
	printf("  (Time Queued  Total: %s  ",
	       checkjob_span(until > facts->submit ? until - facts->submit : 0, first));
	printf("Eligible: %s)\n\n", checkjob_span(until - since, second));
	if (has_started(view))
		printf("StartTime: %s\n", rsv_date(facts->start, date));
}

/* ---- what it asks for, and has --------------------------------------------------------------- */

static void print_amount(const char *label, int64_t amount)
{
	printf("%s >= %" PRId64 "%s", label, amount, amount ? "M" : "");
}

static void print_per_task(const struct checkjob *view)
{
	int64_t memory = job_memory(view->job), tasks = job_tasks(view->job);
	static const struct {
		const char *member, *label;
	} gres[] = {{"tres_per_job", "PerJob"},
		    {"tres_per_node", "PerNode"},
		    {"tres_per_socket", "PerSocket"},
		    {"tres_per_task", "PerTask"}};

	printf("Dedicated Resources Per Task: PROCS: %" PRId64, job_procs_per_task(view->job));
	if (memory)
		printf("  MEM: %" PRId64 "M", (memory + tasks - 1) / tasks);
	for (size_t i = 0; i < sizeof(gres) / sizeof(gres[0]); i++) {
		const char *asked = member_text(view->job, gres[i].member);

		if (!*asked)
			continue;
		printf("  %s: ", gres[i].label);
		print_clean(asked);
	}
	putchar('\n');
}

static void print_allocated(struct json_object *job)
{
	struct json_object *nodes = member_array(job, "allocated");
	size_t count = array_size(nodes);

	if (!count)
		return;
	if (*member_text(job, "gres")) { /* a line of ours */
		printf("Allocated GRES:  ");
		print_clean(member_text(job, "gres"));
		putchar('\n');
	}
	printf("Allocated Nodes:\n");
	for (size_t i = 0; i < count; i++) {
		struct json_object *node = json_object_array_get_idx(nodes, i);

		putchar('[');
		print_clean(member_text(node, "node"));
		printf(":%" PRId64 "]%s", count_of(node, "procs"),
		       (i + 1) % NODES_PER_LINE && i + 1 < count ? "" : "\n");
	}
}

static void print_request(const struct checkjob *view)
{
	struct json_object *job = view->job;
	bool active = view->facts->phase == JOB_ACTIVE;
	char text[1024];

	printf("Total Tasks: %" PRId64 "\n\n", job_tasks(job));
	printf("Req[0]  TaskCount: %" PRId64 "  Partition: ", job_tasks(job));
	print_clean(active ? member_text(job, "partition") : "ALL");
	printf("\nNetwork: [NONE]  ");
	print_amount("Memory", job_node_memory(job));
	print_amount("  Disk", count_of(job, "disk"));
	printf("  Swap NC 0\nOpsys: [NONE]  Arch: [NONE]  Features: ");
	print_clean(job_features(job, text, sizeof(text)));
	putchar('\n');
	if (view->verbose) {
		printf("Exec:  '");
		print_clean(member_text(job, "command"));
		printf("'  ExecSize: 0  ImageSize: 0\n");
	}
	print_per_task(view);
	if (view->verbose)
		printf("NodeAccess: %s\n", member_flag(job, "exclusive") ? "SINGLEJOB" : "SHARED");
	if (view->verbose || active)
		printf("NodeCount: %" PRId64 "\n", count_of(job, "nodes"));
	print_allocated(job);
	printf("\n\nIWD: ");
	print_clean(or_none(member_text(job, "work_dir")));
	printf("  Executable:  ");
	print_clean(or_none(member_text(job, "command")));
	putchar('\n');
}

/* ---- how it stands --------------------------------------------------------------------------- */

static void print_flags(struct json_object *job)
{
	const char *reservation = member_text(job, "reservation");
	bool requeue = member_flag(job, "requeue"), alone = member_flag(job, "exclusive");

	if (!requeue && !alone && !*reservation)
		return;
	printf("Flags:      %s%s", requeue ? " RESTARTABLE" : "", alone ? " DEDICATEDNODE" : "");
	if (*reservation) {
		printf(" ADVRES:");
		print_clean(reservation);
	}
	printf("\n\n");
}

static void print_history(const struct checkjob *view)
{
	int64_t starts = count_of(view->job, "restarts") + has_started(view);
	char text[1024], date[RSV_DATE_SIZE];

	printf("Bypass: %" PRId64 "  StartCount: %" PRId64 "\nPartitionMask: ",
	       count_of(view->facts->priority, "bypass"), starts);
	print_clean(job_classes(view->job, "", text, sizeof(text)));
	putchar('\n');
	print_flags(view->job);
	if (view->verbose)
		printf("SystemQueueTime: %s\n\n", rsv_date(view->facts->since, date));
}

static void print_reservation(const struct checkjob *view)
{
	const struct job_facts *facts = view->facts;
	int64_t now = view->list->now, end = count_of(view->job, "end");
	char start[MAUI_DURATION_SIZE], stop[MAUI_DURATION_SIZE], length[MAUI_DURATION_SIZE];

	if (!facts->reserved || !facts->start)
		return;
	if (facts->limit == JOB_FOREVER)
		end = JOB_FOREVER;
	else if (facts->phase != JOB_ACTIVE || end < facts->start)
		end = facts->start + facts->limit;
	printf("Reservation '");
	print_clean(job_name(facts));
	printf("' (%s -> ", checkjob_span(facts->start - now, start));
	printf("%s  Duration: ", checkjob_span(end == JOB_FOREVER ? end : end - now, stop));
	printf("%s)\n", checkjob_span(end == JOB_FOREVER ? end : end - facts->start, length));
}

static void print_holds(const struct job_facts *facts)
{
	static const struct {
		const char *kind, *word;
	} holds[] = {
		{"batch-hold", "Batch"},
		{"negative-priority", "Batch"},
		{"system-hold", "System"},
		{"user-hold", "User"},
	};

	for (size_t i = 0; facts->kind && i < sizeof(holds) / sizeof(holds[0]); i++)
		if (!strcmp(facts->kind, holds[i].kind))
			printf("Holds:    %s  \n", holds[i].word);
}

/* The engine's, which counts PEGRES; of jobs that do not wait, and without the engine, the rest. */
static double pe_of(const struct checkjob *view)
{
	const struct machine_use use = machine_use(view->list->queue, NULL);
	const struct maui_resources machine = {
		.procs = (double)use.procs, .memory = (double)use.memory, .disk = (double)use.disk};
	const struct maui_resources request = {
		.procs = (double)view->facts->procs,
		.memory = (double)job_memory(view->job),
		.disk = (double)count_of(view->job, "disk"),
	};

	if (json_object_object_get_ex(view->facts->priority, "pe", NULL))
		return member_number(view->facts->priority, "pe");
	return machine.procs > 0 ? maui_pe(&request, &machine) : request.procs;
}

/* An absolute one is above all others; the engine does not say how much a relative one adds. */
static void print_system_priority(const struct job_facts *facts)
{
	const int64_t greatest = 1000000000;
	int64_t priority = count_of(facts->priority, "maui_priority");

	if (!member_flag(facts->priority, "system_priority"))
		return;
	if (priority > greatest)
		printf("SystemPriority:  %" PRId64 "\n", priority - greatest);
	else
		printf("SystemPriority:  relative\n");
}

/* squeue's; for a held job Maui's, if the engine says it. */
static int64_t start_priority(const struct job_facts *facts)
{
	return facts->rank || !facts->priority ? facts->rank
					       : count_of(facts->priority, "maui_priority");
}

/* ---- an array's tasks ------------------------------------------------------------------------ */

struct tasks {
	int64_t wait, held, run;
};

/* Of all records of an array that are not over. */
static struct tasks tasks_of(const struct checkjob *view)
{
	struct json_object *jobs = member_array(view->list->queue, "jobs");
	int64_t array = count_of(view->job, "array_job");
	struct tasks tasks = {0};

	for (size_t i = 0; array && i < array_size(jobs); i++) {
		struct json_object *job = json_object_array_get_idx(jobs, i);
		int64_t count = maui_task_list_count(member_text(job, "array_tasks"), INT32_MAX);

		if (count_of(job, "array_job") != array)
			continue;
		count += !count;
		if (queue_job_is_active(job))
			tasks.run += count;
		else if (queue_job_is_pending(job) && count_of(job, "priority"))
			tasks.wait += count;
		else if (queue_job_is_pending(job))
			tasks.held += count;
	}
	return tasks;
}

static void print_tasks(const struct checkjob *view)
{
	const struct tasks tasks = tasks_of(view);

	if (view->array)
		printf("Tasks of %" PRId64 ": %" PRId64 " wait, %" PRId64 " are held, %" PRId64
		       " run\n",
		       count_of(view->job, "array_job"), tasks.wait, tasks.held, tasks.run);
}

/* Null for what is not all of an array. */
static struct json_object *tasks_json(const struct checkjob *view)
{
	const struct tasks tasks = tasks_of(view);
	struct json_object *object;

	if (!view->array)
		return NULL;
	object = json_make_object();
	json_set_number(object, "waiting", tasks.wait);
	json_set_number(object, "held", tasks.held);
	json_set_number(object, "running", tasks.run);
	return object;
}

/* ---- all of it ------------------------------------------------------------------------------- */

static int print_job(const struct checkjob *view)
{
	int code = EXIT_OK;

	printf("\n\nchecking job ");
	print_clean(job_name(view->facts));
	printf("\n\n");
	print_tasks(view);
	print_state(view);
	print_credentials(view->job);
	print_times(view);
	print_request(view);
	print_history(view);
	print_reservation(view);
	print_holds(view->facts);
	print_system_priority(view->facts);
	printf("PE:  %.2f  StartPriority:  %" PRId64 "\n", pe_of(view),
	       start_priority(view->facts));
	if (job_waits(view->facts))
		code = checkjob_print_partitions(view);
	if (view->verbose && job_waits(view->facts)) {
		printf("Slurm's reason: ");
		print_clean(or_none(member_text(view->job, "reason")));
		putchar('\n');
	}
	putchar('\n');
	return code;
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static struct json_object *whole_job(const struct checkjob *view)
{
	static const char *const names[] = {"run_time", "end",     "restarts",  "allocated",
					    "work_dir", "command", "exclusive", "requeue"};
	struct json_object *job = job_json(view->facts, view->list->now);

	job_add_wishes(job, view->job);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		json_set_same(job, view->job, names[i]);
	json_set(job, "array_tasks", tasks_json(view));
	json_set_real(job, "pe", pe_of(view));
	json_set_number(job, "start_priority", start_priority(view->facts));
	json_set(job, "bypass",
		 view->facts->priority ? json_make_number(count_of(view->facts->priority, "bypass"))
				       : NULL);
	return job;
}

static int print_data(const struct checkjob *view)
{
	struct json_object *data = json_make_object();
	int code;

	json_set_number(data, "time", view->list->now);
	json_set_flag(data, "engine", view->list->advice.there);
	json_set(data, "job", whole_job(view));
	code = checkjob_add_partitions(view, data);
	if (!code)
		code = print_json("maui.checkjob/1", data);
	json_object_put(data);
	return code;
}

/* ---- the command ----------------------------------------------------------------------------- */

static int print_attributes(const struct checkjob *view)
{
	checkjob_print_attributes(view->facts, start_priority(view->facts));
	return EXIT_OK;
}

static bool is_array(struct json_object *job, const char *text)
{
	struct job_name name;

	return job_name_read(text, &name) && name.part == JOB_WHOLE &&
	       count_of(job, "array_job") == name.number;
}

static int checkjob_show(const struct cli *cli, const char *name, bool verbose, bool attributes)
{
	const struct job_wish wish = {
		.queue = QUEUE_NODES | QUEUE_RESERVATIONS,
		.advice = ADVICE_BLOCKED | ADVICE_PRIORITY | ADVICE_RESERVATIONS,
		.names = (char *[]){(char *)name, NULL},
		.first = true,
	};
	struct job_list list;
	int code = job_list_load(cli, &wish, &list);

	if (code)
		return code;
	if (list.count) {
		struct json_object *job = list.jobs[0].job;
		const struct checkjob view = {&list, &list.jobs[0], job, verbose,
					      is_array(job, name)};

		code = cli->json    ? print_data(&view)
		       : attributes ? print_attributes(&view)
				    : print_job(&view);
	} else {
		code = fail(EXIT_REFUSED,
			    "cannot locate job '%s': there is none, or it is not yours to see",
			    name);
	}
	job_list_clear(&list);
	return code;
}

static int run_checkjob(struct cli *cli, int argc, char **argv)
{
	bool verbose = false, attributes = false;
	int option, code = EXIT_OK;
	char **names;

	while ((option = next_option(cli, argc, argv, "Av", NULL)) != OPTIONS_END) {
		if (option == OPTIONS_DONE || option == OPTIONS_BAD)
			return option == OPTIONS_DONE ? EXIT_OK : EXIT_ERRORS;
		verbose |= option == 'v';
		attributes |= option == 'A';
	}
	if (optind + 1 != argc)
		return fail_usage(cli, optind < argc ? "one job at a time, or a list: 17,18"
						     : "which job?");
	names = job_names_split(1, argv + optind);
	for (char **name = names; !code && *name; name++)
		code = checkjob_show(cli, *name, verbose, attributes);
	job_names_clear(names);
	return code;
}

const struct command checkjob_command = {
	.name = "checkjob",
	.synopsis = "[-v|-A] [--json] JOB",
	.summary = "Show a job, and why it does not start",
	.options = "  -v                      also the nodes, and what rules out each of them\n"
		   "  -A                      a line of NAME=VALUE; for programs\n",
	.run = run_checkjob,
};
