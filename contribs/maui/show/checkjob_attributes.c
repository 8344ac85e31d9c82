/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The table of attributes, such as UNAME and RFEATURES, with the members of
 * maui.queue/1 that have their values.
 */
#include "contribs/maui/show/checkjob_attributes.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "contribs/maui/lib/output.h"
#include "contribs/maui/queue/job_text.h"
#include "contribs/maui/queue/machine_use.h"

/* A semicolon ends a value. */
static void print_text(const char *name, const char *text)
{
	char value[1024];

	if (!*text)
		return;
	clean_copy(text, value, sizeof(value));
	for (char *at = value; *at; at++)
		if (*at == ';')
			*at = '_';
	printf("%s=%s;", name, value);
}

static void print_number(const char *name, int64_t number)
{
	if (number > 0)
		printf("%s=%" PRId64 ";", name, number);
}

static void print_texts(struct json_object *job)
{
	static const struct {
		const char *name, *member;
	} texts[] = {
		{"UNAME", "user"},
		{"GNAME", "group"},
		{"ACCOUNT", "account"},
		{"QOS", "qos"},
		{"PARTITION", "partition"},
		{"RFEATURES", "features"},
		{"TASKLIST", "node_list"},
		{"HOSTLIST", "required_nodes"},
		{"RESERVATION", "reservation"},
		{"EXEC", "command"},
		{"IWD", "work_dir"},
		{"REASON", "reason"},
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		print_text(texts[i].name, member_text(job, texts[i].member));
}

static void print_numbers(const struct job_facts *facts, int64_t start_priority)
{
	struct json_object *job = facts->job;

	print_number("TASKS", job_tasks(job));
	print_number("PROCS", facts->procs);
	print_number("NODES", count_of(job, "nodes"));
	print_number("RMEM", job_memory(job));
	print_number("RDISK", count_of(job, "disk"));
	print_number("WCLIMIT", facts->limit == JOB_FOREVER ? 0 : facts->limit);
	print_number("QUEUETIME", facts->submit);
	print_number("ELIGIBLETIME", facts->since);
	print_number("STARTTIME", facts->start);
	print_number("COMPLETETIME", facts->phase == JOB_OVER ? count_of(job, "end") : 0);
	print_number("PRIORITY", start_priority);
}

void checkjob_print_attributes(const struct job_facts *facts, int64_t start_priority)
{
	char message[1024] = "";

	print_text("JOB", job_name(facts));
	print_text("STATE", facts->state);
	print_texts(facts->job);
	print_numbers(facts, start_priority);
	if (facts->phase == JOB_BLOCKED)
		print_text("MESSAGE", job_message(facts, message, sizeof(message)));
	putchar('\n');
}
