/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * diagnose -j, in the original's columns. In Slurm, jobs cannot ask for a network, a system, an
 * architecture or swap: these columns show the original's words for no such request.
 */
#include "contribs/maui/diagnose/diagnose_jobs.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/util/time/duration.h"
#include "common/report/json.h"
#include "contribs/maui/lib/node_text.h"
#include "contribs/maui/lib/output.h"
#include "contribs/maui/queue/job_list.h"
#include "contribs/maui/queue/job_text.h"
#include "contribs/maui/queue/machine_use.h"
#include "contribs/maui/queue/queue.h"

static void print_names(struct json_object *job)
{
	static const char *const members[] = {"user", "group", "account"};

	for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++) {
		const char *text = member_text(job, members[i]);

		putchar(' ');
		print_padded(*text ? text : "-", 8);
	}
}

/* The original's fields of three letters. */
static void print_short(const char *text)
{
	char buffer[16];

	printf(" %3.3s", clean_copy(text, buffer, sizeof(buffer)));
}

/* The column has eight letters. */
static const char *short_state(const char *state)
{
	if (strlen(state) <= 8)
		return state;
	return strstr(state, "Hold") ? "Hold" : "Running"; /* SystemHold, BatchHold; Completing */
}

static void print_job(const struct job_list *list, const struct job_facts *facts)
{
	struct json_object *job = facts->job;
	bool active = facts->phase == JOB_ACTIVE;
	const char *qos = member_text(job, "qos");
	char limit[MAUI_DURATION_SIZE], queued[MAUI_DURATION_SIZE], text[1024];

	print_padded(job_name(facts), -18);
	printf(" %8s", short_state(facts->state));
	print_short(active ? member_text(job, "partition") : "ALL");
	printf(" %4" PRId64, facts->procs);
	print_short(*qos ? qos : "DEFAULT");
	printf(" %11s %d %4" PRId64, maui_duration_format(facts->limit, limit), facts->reserved,
	       facts->procs);
	print_names(job);
	printf(" %11s   [NONE] [NONE] [NONE]",
	       maui_duration_format(list->now - facts->since, queued));
	snprintf(text, sizeof(text), ">=%" PRId64, job_node_memory(job));
	printf(" %6s", text);
	snprintf(text, sizeof(text), ">=%" PRId64, count_of(job, "disk"));
	printf(" %6s %6s ", text, "NC0");
	print_padded(job_classes(job, ":1", text, sizeof(text)), 11);
	putchar(' ');
	print_clean(job_features(job, text, sizeof(text)));
	putchar('\n');
}

static void diagnose_jobs_warn(const struct job_facts *facts)
{
	int64_t run = count_of(facts->job, "run_time");
	char over[MAUI_DURATION_SIZE];

	if (facts->phase != JOB_ACTIVE || facts->limit == JOB_FOREVER || run <= facts->limit)
		return;
	printf("WARNING:  job '");
	print_clean(job_name(facts));
	printf("' is over its time limit by %s\n", maui_duration_format(run - facts->limit, over));
}

static void print_table(const struct job_list *list)
{
	size_t count = 0, active = 0;

	printf("%-18s %8s Par %4s QOS %11s R %4s %8s %8s %8s %11s %8s %6s %6s %6s %6s %6s %11s "
	       "%s\n\n",
	       "Name", "State", "Proc", "WCLimit", "Min", "User", "Group", "Account", "QueuedTime",
	       "Network", "Opsys", "Arch", "Mem", "Disk", "Procs", "Class", "Features");
	for (size_t i = 0; i < list->count; i++) {
		const struct job_facts *facts = &list->jobs[i];

		if (facts->phase == JOB_OVER)
			continue;
		print_job(list, facts);
		diagnose_jobs_warn(facts);
		count++;
		active += facts->phase == JOB_ACTIVE;
	}
	printf("\n\nTotal Jobs: %zu  Active Jobs: %zu\n\n", count, active);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static struct json_object *make_rows(const struct job_list *list)
{
	struct json_object *rows = json_make_array();

	for (size_t i = 0; i < list->count; i++) {
		struct json_object *row;

		if (list->jobs[i].phase == JOB_OVER)
			continue;
		row = job_json(&list->jobs[i], list->now);
		job_add_wishes(row, list->jobs[i].job);
		json_append(rows, row);
	}
	return rows;
}

static int print_data(const struct job_list *list)
{
	struct json_object *data = json_make_object();
	int code;

	json_set_number(data, "time", list->now);
	json_set_flag(data, "engine", list->advice.there);
	json_set(data, "jobs", make_rows(list));
	code = print_json("maui.diagnose-jobs/1", data);
	json_object_put(data);
	return code;
}

int diagnose_jobs_run(const struct cli *cli, const char *partition, const char *user, char **words)
{
	const struct job_wish wish = {
		.queue = partition || *words ? 0 : QUEUE_VISIBLE,
		.advice = ADVICE_BLOCKED | ADVICE_PRIORITY,
		.partition = partition,
		.user = user,
		.names = words,
	};
	struct job_list list;
	int code = job_list_load(cli, &wish, &list);

	if (code)
		return code;
	if (cli->json)
		code = print_data(&list);
	else
		print_table(&list);
	job_list_clear(&list);
	return code;
}
