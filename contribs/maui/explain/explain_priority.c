/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * maui priority: the arithmetic of a job's priority, term by term, down to squeue's number. The
 * original has no counterpart; diagnose -p shows the shares for many jobs.
 */
#include "contribs/maui/explain/explain.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contribs/maui/lib/job_filter.h"
#include "contribs/maui/lib/job_name.h"
#include "common/report/json.h"
#include "contribs/maui/lib/output.h"
#include "contribs/maui/queue/job_resolve.h"
#include "contribs/maui/service/engine_request.h"

#define GREATEST 4294967295 /* of Slurm's priorities */

/* ---- the terms ------------------------------------------------------------------------------ */

static void print_cap(double cap)
{
	if (cap > 0)
		printf(" %14.10g", cap);
	else
		printf(" %14s", "-");
}

static bool print_subs(struct json_object *info, struct json_object *term, bool all)
{
	struct json_object *subs = member_array(info, "subcomponents");
	bool any = false;

	for (size_t i = 0; i < array_size(subs); i++) {
		struct json_object *sub = json_object_array_get_idx(subs, i);
		struct json_object *own = member_object(member_object(term, "subcomponents"),
							member_text(sub, "name"));
		double weight = member_number(own, "weight"), factor = member_number(own, "factor");
		char name[24];

		if (!all && weight == 0)
			continue;
		any = true;
		printf("  %-16s %12.10g %16.3f",
		       clean_copy(member_text(sub, "name"), name, sizeof(name)), weight,
		       factor + 0.0);
		print_cap(member_number(sub, "cap"));
		printf(" %18.3f\n", weight * factor + 0.0);
	}
	return any;
}

/* A component under its subcomponents. Returns what it adds. */
static double print_component(struct json_object *info, struct json_object *term, bool all)
{
	double weight = member_number(term, "weight"), value = member_number(term, "value");
	char name[24];

	if (!all && weight == 0)
		return 0;
	if (!print_subs(info, term, all))
		return 0;
	printf("%-18s %12.10g %16.3f", clean_copy(member_text(info, "name"), name, sizeof(name)),
	       weight, value + 0.0);
	print_cap(member_number(info, "cap"));
	printf(" %18.3f\n", weight * value + 0.0);
	return weight * value;
}

static void print_terms(struct json_object *components, struct json_object *job, bool all)
{
	double sum = 0;

	printf("%-18s %12s %16s %14s %18s\n", "Term", "Weight", "Factor", "Cap", "Product");
	for (size_t i = 0; i < array_size(components); i++) {
		struct json_object *info = json_object_array_get_idx(components, i);

		sum += print_component(
			info,
			member_object(member_object(job, "components"), member_text(info, "name")),
			all);
	}
	printf("%-18s %62.3f\n", "Sum", sum + 0.0);
}

/* ---- from the sum to squeue's number -------------------------------------------------------- */

static void print_step(const char *what, int64_t number)
{
	printf("%-60s %20" PRId64 "\n", what, number);
}

/* Why Maui's number is not the sum. */
static const char *maui_step(struct json_object *job)
{
	double sum = member_number(job, "sum");
	int64_t priority = member_integer(job, "maui_priority");

	if (member_flag(job, "system_priority") && !member_integer(job, "site"))
		return "Maui's priority (a system priority is set)";
	if (sum < 1 && priority == 1)
		return "Maui's priority (1 is the least)";
	if (sum > (double)priority + 1)
		return "Maui's priority (the greatest there is)";
	return "Maui's priority (without the fraction)";
}

static int64_t explain_priority_limited(int64_t number)
{
	return number < 1 ? 1 : number > GREATEST ? GREATEST : number;
}

/* Why squeue's number differs from what was added up; NULL: it does not. */
static const char *explain_priority_difference(struct json_object *job, int64_t sum,
					       int64_t priority)
{
	const char *state = member_text(job, "state");

	if (!strcmp(state, "held"))
		return "held: by a user, an administrator, a limit, or Slurm";
	if (!strcmp(state, "rejected"))
		return "held by REJECTNEGPRIOJOBS: it is negative";
	if (!strcmp(state, "direct"))
		return "set by hand; the rest is what Maui would give";
	if (priority == sum)
		return NULL;
	return priority < sum ? "over a soft limit: behind those that are not"
			      : "changed since the engine looked";
}

static void print_sum(struct json_object *job, bool shadow)
{
	int64_t base = member_integer(job, "base"), nice = member_integer(job, "nice");
	int64_t site = member_integer(job, "site"), maui = member_integer(job, "maui_priority");
	int64_t priority = member_integer(job, "priority"),
		sum = explain_priority_limited(maui + base - nice + site);
	const char *why = explain_priority_difference(job, sum, priority);
	char what[96];

	print_step(maui_step(job), maui);
	if (base)
		print_step("+ base (ENABLENEGJOBPRIORITY)", base);
	if (nice)
		print_step("- nice", -nice);
	if (site)
		print_step("+ site factor (setspri -r)", site);
	if (maui + base - nice + site != sum)
		print_step("within Slurm's limits", sum);
	snprintf(what, sizeof(what), "%s%s%s%s",
		 shadow ? "squeue's priority under Maui" : "squeue's priority", why ? " (" : "",
		 why ? why : "", why ? ")" : "");
	print_step(what, priority);
	if (shadow)
		print_step("squeue's priority today", member_integer(job, "slurm_priority"));
}

static void print_head(struct json_object *job)
{
	static const char *const members[] = {"user", "group",     "account",
					      "qos",  "partition", "state"};
	const char *array = member_text(job, "array");

	printf("priority of job %" PRId64, member_integer(job, "job"));
	if (*array) {
		printf(" (");
		print_clean(array);
		putchar(')');
	}
	for (size_t i = 0; i < sizeof(members) / sizeof(*members); i++) {
		const char *text = member_text(job, members[i]);

		if (!*text)
			continue;
		printf("  %s: ", members[i]);
		print_clean(text);
	}
	printf("\n\n");
}

/* ---- asking --------------------------------------------------------------------------------- */

/* The job in one partition, or in all that it asks for; caps are those of the partition. */
static int explain_priority_ask(const struct cli *cli, const char *name, const char *partition,
				struct json_object **ret_answer)
{
	struct json_object *arguments = json_make_object(), *jobs = json_make_array();
	struct json_object *data;
	int code;

	json_append_number(jobs, strtoll(name, NULL, 10));
	json_set(arguments, "jobs", jobs);
	json_set_given(arguments, "partition", partition);
	code = engine_query(cli, "diagnose-priority", arguments, ret_answer);
	if (code != EXIT_OK)
		return code;
	data = member_object(*ret_answer, "data");
	if (!member_array(data, "jobs") || !member_array(data, "components")) {
		json_object_put(*ret_answer);
		return fail(EXIT_UNTRUSTED, "the engine's answer has no jobs or no components");
	}
	job_filter(member_array(data, "jobs"), (char *[]){(char *)name, NULL});
	return EXIT_OK;
}

static int print_in(const struct cli *cli, const char *name, const char *partition, bool all)
{
	struct json_object *answer = NULL, *data, *jobs;
	int code = explain_priority_ask(cli, name, partition, &answer);

	if (code != EXIT_OK)
		return code;
	data = member_object(answer, "data");
	jobs = member_array(data, "jobs");
	for (size_t i = 0; i < array_size(jobs); i++) {
		struct json_object *job = json_object_array_get_idx(jobs, i);

		print_head(job);
		print_terms(member_array(data, "components"), job, all);
		print_sum(job, member_flag(data, "shadow"));
		putchar('\n');
	}
	json_object_put(answer);
	return EXIT_OK;
}

/* Each partition once, whatever tasks there are. */
static int explain_priority_print_all(const struct cli *cli, const char *name,
				      struct json_object *jobs, bool all)
{
	int code = EXIT_OK;

	for (size_t i = 0; code == EXIT_OK && i < array_size(jobs); i++) {
		const char *partition =
			member_text(json_object_array_get_idx(jobs, i), "partition");
		bool seen = false;

		for (size_t k = 0; k < i; k++)
			seen |= !strcmp(partition, member_text(json_object_array_get_idx(jobs, k),
							       "partition"));
		if (!seen)
			code = print_in(cli, name, partition, all);
	}
	return code;
}

static int explain_priority_query(const struct cli *cli, const char *name, bool all)
{
	struct json_object *answer = NULL, *data;
	int code = explain_priority_ask(cli, name, NULL, &answer);

	if (code != EXIT_OK)
		return code;
	data = member_object(answer, "data");
	if (!array_size(member_array(data, "jobs")))
		code = fail(EXIT_REFUSED, "no such job waits, or it is not yours to see: %s", name);
	else if (cli->json)
		code = print_json("maui.diagnose-priority/1", data);
	else
		code = explain_priority_print_all(cli, name, member_array(data, "jobs"), all);
	json_object_put(answer);
	return code;
}

static int run_priority(struct cli *cli, int argc, char **argv)
{
	bool all = false;
	char **names = NULL;
	int code, option = verbose_option(cli, argc, argv, &all);

	if (option != OPTIONS_END)
		return option == OPTIONS_DONE ? EXIT_OK : EXIT_ERRORS;
	if (optind + 1 != argc)
		return fail_usage(cli, optind < argc ? "one job at a time, or a list: 17,18"
						     : "which job?");
	code = job_names_resolve(cli, 1, argv + optind, &names);
	for (char **job = names; !code && *job; job++)
		code = explain_priority_query(cli, *job, all);
	job_names_clear(names);
	return code;
}

const struct command priority_command = {
	.name = "priority",
	.synopsis = "[-v] [--json] JOB",
	.summary = "Show how a job's priority adds up, term by term, to squeue's number",
	.options = "  -v                      also terms without weight\n",
	.run = run_priority,
};
