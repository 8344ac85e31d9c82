/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes the engine's answer to diagnose-blocked in Maui's form: a heading, a
 * line for each blocked job, and with -v its user and partitions.
 */
#include "contribs/maui/diagnose/diagnose_blocked.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "contribs/maui/lib/command.h"
#include "contribs/maui/lib/output.h"

static void print_name(struct json_object *job)
{
	const char *array = member_text(job, "array");

	if (*array)
		print_clean(array);
	else
		printf("%" PRId64, member_integer(job, "job"));
}

static void print_job(struct json_object *job)
{
	printf("job ");
	print_name(job);
	putchar(' ');
	print_clean(member_text(job, "message"));
	putchar('\n');
}

/* The original has no counterpart. */
static void print_details(struct json_object *job)
{
	struct json_object *partitions = member_array(job, "partitions");
	char text[1024];

	printf("  user ");
	print_clean(member_text(job, "user"));
	printf(", partition ");
	joined(partitions, ",", text, sizeof(text));
	print_clean(*text ? text : "[NONE]");
	printf(": ");
	print_clean(member_text(job, "text"));
	putchar('\n');
}

int print_blocked(struct json_object *data, bool verbose)
{
	struct json_object *jobs = member_array(data, "jobs");
	int64_t omitted = member_integer(data, "omitted");

	if (!jobs)
		return fail(EXIT_UNTRUSTED, "the engine's answer has no jobs");
	printf("Diagnosing blocked jobs (policylevel %s  partition ",
	       strcmp(member_text(data, "level"), "hard") != 0 ? "SOFT" : "HARD");
	print_clean(member_text(data, "partition"));
	printf(")\n\n");
	for (size_t i = 0; i < array_size(jobs); i++) {
		struct json_object *job = json_object_array_get_idx(jobs, i);

		print_job(job);
		if (verbose)
			print_details(job);
	}
	putchar('\n');
	if (omitted > 0)
		note("%" PRId64 " more jobs are blocked: ask by -t, --user or job", omitted);
	return EXIT_OK;
}
