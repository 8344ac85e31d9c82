/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * maui diff: what would change if the maui.cfg of an engine in shadow mode were in force: order,
 * blocked jobs, reservations, and shares. The engine answers four requests in turn: a job that
 * comes or goes between two of them is shown as far as it is known.
 */
#include "contribs/maui/explain/explain.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contribs/maui/explain/diff_jobs.h"
#include "common/report/json.h"
#include "contribs/maui/lib/alike_text.h"
#include "contribs/maui/lib/node_text.h"
#include "contribs/maui/lib/output.h"
#include "contribs/maui/lib/rsv_text.h"
#include "contribs/maui/lib/terminal.h"
#include "contribs/maui/service/engine_request.h"

#define FEW 20 /* lines of a table without -v */

enum { PRIORITIES, BLOCKED, RESERVATIONS, FAIRSHARE, ANSWERS };

struct diff {
	struct json_object *answer[ANSWERS]; /* NULL: the engine refuses it to this user */
	struct json_object *data[ANSWERS];
	struct diff_jobs jobs;
};

static const char *const types[] = {"user", "group", "account", "qos", "class"};

/* ---- as text ------------------------------------------------------------------------------- */

static const char *name_of(struct json_object *row, char *text, size_t size)
{
	const char *array = member_text(row, "array");

	if (*array)
		clean_copy(array, text, size);
	else
		snprintf(text, size, "%" PRId64, member_integer(row, "job"));
	return text;
}

static void print_who(struct json_object *row)
{
	char name[64];

	print_padded(name_of(row, name, sizeof(name)), -16);
	putchar(' ');
	print_padded(member_text(row, "user"), -12);
	putchar(' ');
	print_padded(member_text(row, "partition"), -10);
}

/* Why Slurm itself does not start it, if it is more than its place in the queue. */
static const char *slurm_reason(const struct diff_job *job)
{
	const char *reason = member_text(job->row, "slurm_reason");

	return strcmp(reason, "Priority") != 0 && strcmp(reason, "Resources") != 0 ? reason : "";
}

static void print_rank(size_t number)
{
	if (number)
		printf(" %5zu", number);
	else
		printf(" %5s", "-");
}

static void print_job(const struct diff_job *job)
{
	int64_t change;
	char text[24];

	print_who(job->row);
	printf(" %10" PRId64, job->slurm_priority);
	print_rank(job->slurm_rank);
	printf(" %10" PRId64, job->maui_priority);
	print_rank(job->maui_rank);
	if (diff_job_change(job, &change) && change)
		snprintf(text, sizeof(text), "%+" PRId64, change);
	else
		snprintf(text, sizeof(text), "%s", job->maui_rank ? "=" : "-");
	printf(" %6s  ", text);
	print_clean(slurm_reason(job));
	putchar('\n');
}

static void print_title(const char *title)
{
	printf("\n%s%s%s\n\n", mark(MARK_TITLE), title, mark(MARK_END));
}

static void print_more(size_t count)
{
	if (count)
		printf("(%zu more: -v)\n", count);
}

/* Without -v only those that move. */
static void print_order(const struct diff_jobs *jobs, bool all)
{
	size_t shown = 0, ranked = 0;

	print_title("Order of start, as far as priorities give it");
	printf("%-16s %-12s %-10s %10s %5s %10s %5s %6s  %s\n", "Job", "User", "Partition", "Slurm",
	       "Rank", "Maui", "Rank", "Change", "Slurm says");
	for (size_t i = 0; i < jobs->count; i++) {
		int64_t change;

		if (!diff_job_change(&jobs->jobs[i], &change) && !all)
			continue;
		ranked++;
		if (!all && (!change || shown == FEW))
			continue;
		print_job(&jobs->jobs[i]);
		shown++;
	}
	if (!shown)
		printf("(no job would move)\n");
	if (!all)
		print_more(ranked - shown);
}

static void print_blocked(const struct diff_jobs *jobs, bool all)
{
	size_t shown = 0;

	if (!jobs->blocked)
		return;
	print_title("Jobs that Maui would block");
	printf("%-16s %-12s %-10s %5s  %s\n", "Job", "User", "Partition", "Rank", "Why");
	for (size_t i = 0; i < jobs->count; i++) {
		const struct diff_job *job = &jobs->jobs[i];

		if (!job->blocked)
			continue;
		if (!all && shown == FEW)
			break;
		print_who(job->row);
		print_rank(job->slurm_rank);
		printf("  ");
		print_clean(member_text(job->refusal, "text"));
		putchar('\n');
		shown++;
	}
	print_more(jobs->blocked - shown);
}

static bool is_new(struct json_object *row)
{
	return member_flag(row, "ours") && !member_flag(row, "there");
}

static void print_reservation(struct json_object *row, int64_t now)
{
	struct rsv_times times;

	rsv_times(row, now, &times);
	print_padded(member_text(row, "name"), -20);
	printf(" %s %11s %5" PRId64 "  ", times.date, times.duration, member_integer(row, "procs"));
	print_clean(member_flag(row, "would") ? member_text(row, "nodes") : "(not made)");
	printf("  ");
	print_clean(member_text(row, "text"));
	putchar('\n');
}

static void print_reservations(struct json_object *data, int64_t now, bool all)
{
	struct json_object *rows = member_array(data, "reservations");
	size_t count = 0;

	for (size_t i = 0; i < array_size(rows); i++) {
		struct json_object *row = json_object_array_get_idx(rows, i);

		if (!is_new(row))
			continue;
		if (!count++) {
			print_title("Reservations that would be made");
			printf("%-20s %-19s %11s %5s  Nodes\n", "Name", "Start", "Duration",
			       "Procs");
		}
		if (all || count <= FEW)
			print_reservation(row, now);
	}
	if (!all && count > FEW)
		print_more(count - FEW);
}

static bool has_target(struct json_object *row)
{
	return json_object_is_type(json_object_object_get(row, "target"), json_type_double) ||
	       json_object_is_type(json_object_object_get(row, "target"), json_type_int);
}

static void print_shares(struct json_object *data, bool all)
{
	struct json_object *credentials = member_object(data, "credentials");
	size_t count = 0;

	for (size_t type = 0; type < sizeof(types) / sizeof(*types); type++) {
		struct json_object *rows = member_array(credentials, types[type]);

		for (size_t i = 0; i < array_size(rows); i++) {
			struct json_object *row = json_object_array_get_idx(rows, i);

			if (!has_target(row))
				continue;
			if (!count++) {
				print_title("Shares of fairshare against their targets, percent");
				printf("%-8s %-16s %8s %9s\n", "Type", "Name", "Used", "Target");
			}
			if (!all && count > FEW)
				continue;
			printf("%-8s ", types[type]);
			print_padded(member_text(row, "name"), -16);
			printf(" %8.2f %8.2f%1.1s%s\n", member_number(row, "percent"),
			       member_number(row, "target"), member_text(row, "mark"),
			       member_flag(row, "off_target") ? "  off" : "");
		}
	}
	if (!all && count > FEW)
		print_more(count - FEW);
}

static int print_diff(const struct diff *diff, bool all)
{
	const struct diff_jobs *jobs = &diff->jobs;
	int64_t omitted = member_integer(diff->data[PRIORITIES], "omitted");

	printf("With maui.cfg in force, of %zu job%s that wait%s:\n"
	       "%zu would have another place in the order, %zu would be blocked, "
	       "%zu wait for something else in any case\n",
	       jobs->count, jobs->count == 1 ? "" : "s", jobs->count == 1 ? "s" : "", jobs->moved,
	       jobs->blocked, jobs->held);
	print_order(jobs, all);
	print_blocked(jobs, all);
	print_reservations(diff->data[RESERVATIONS],
			   member_integer(diff->answer[PRIORITIES], "time"), all);
	print_shares(diff->data[FAIRSHARE], all);
	print_title("How alike the two orders are");
	printf("%zu job%s with a rank on both sides\n", jobs->ranked, jobs->ranked == 1 ? "" : "s");
	print_alike(&jobs->kendall, "Slurm", "Maui");
	if (omitted > 0)
		note("%" PRId64 " more jobs wait and are not ranked here", omitted);
	return EXIT_OK;
}

/* ---- as JSON ------------------------------------------------------------------------------- */

/* null if it has no rank */
static struct json_object *diff_side(int64_t priority, size_t rank)
{
	struct json_object *object = json_make_object();

	json_set_number(object, "priority", priority);
	json_set(object, "rank", rank ? json_make_number((int64_t)rank) : NULL);
	return object;
}

static struct json_object *refusal_object(struct json_object *refusal)
{
	struct json_object *object;

	if (!refusal)
		return NULL;
	object = json_make_object();
	json_set_same(object, refusal, "kind");
	json_set_same(object, refusal, "level");
	json_set_same(object, refusal, "text");
	return object;
}

static struct json_object *job_object(const struct diff_job *job)
{
	static const char *const members[] = {"job",     "array", "user",      "group",
					      "account", "qos",   "partition", "state"};
	struct json_object *object = json_make_object(),
			   *slurm = diff_side(job->slurm_priority, job->slurm_rank);
	int64_t change;

	for (size_t i = 0; i < sizeof(members) / sizeof(*members); i++)
		json_set_same(object, job->row, members[i]);
	json_set(slurm, "reason",
		 json_object_get(json_object_object_get(job->row, "slurm_reason")));
	json_set(object, "slurm", slurm);
	json_set(object, "maui", diff_side(job->maui_priority, job->maui_rank));
	json_set(object, "change", diff_job_change(job, &change) ? json_make_number(change) : NULL);
	json_set_flag(object, "blocked", job->blocked);
	json_set(object, "reason", refusal_object(job->refusal));
	return object;
}

static struct json_object *reservation_array(struct json_object *data)
{
	static const char *const members[] = {"name",  "standing",   "start", "end",  "would",
					      "nodes", "node_count", "procs", "text", "problem"};
	struct json_object *rows = member_array(data, "reservations"), *array;

	if (!rows)
		return NULL;
	array = json_make_array();
	for (size_t i = 0; i < array_size(rows); i++) {
		struct json_object *row = json_object_array_get_idx(rows, i), *object;

		if (!is_new(row))
			continue;
		object = json_make_object();
		for (size_t k = 0; k < sizeof(members) / sizeof(*members); k++)
			json_set_same(object, row, members[k]);
		json_append(array, object);
	}
	return array;
}

static struct json_object *share_array(struct json_object *data)
{
	static const char *const members[] = {"name", "percent", "target", "mode", "off_target"};
	struct json_object *credentials = member_object(data, "credentials"),
			   *array = json_make_array();

	for (size_t type = 0; type < sizeof(types) / sizeof(*types); type++) {
		struct json_object *rows = member_array(credentials, types[type]);

		for (size_t i = 0; i < array_size(rows); i++) {
			struct json_object *row = json_object_array_get_idx(rows, i),
					   *object = json_make_object();

			json_set_text(object, "type", types[type]);
			for (size_t k = 0; k < sizeof(members) / sizeof(*members); k++)
				json_set_same(object, row, members[k]);
			json_append(array, object);
		}
	}
	return array;
}

static int print_diff_json(const struct diff *diff)
{
	struct json_object *data = json_make_object(), *jobs = json_make_array(),
			   *counts = json_make_object();
	int code;

	json_set_number(counts, "jobs", (int64_t)diff->jobs.count);
	json_set_number(counts, "moved", (int64_t)diff->jobs.moved);
	json_set_number(counts, "blocked", (int64_t)diff->jobs.blocked);
	json_set_number(counts, "held", (int64_t)diff->jobs.held);
	for (size_t i = 0; i < diff->jobs.count; i++)
		json_append(jobs, job_object(&diff->jobs.jobs[i]));
	json_set_same(data, diff->answer[PRIORITIES], "time");
	json_set(data, "counts", counts);
	json_set(data, "jobs", jobs);
	json_set_same(data, diff->data[PRIORITIES], "omitted");
	json_set(data, "reservations", reservation_array(diff->data[RESERVATIONS]));
	json_set(data, "shares", share_array(diff->data[FAIRSHARE]));
	json_set(data, "alike", alike_object(&diff->jobs.kendall, diff->jobs.ranked));
	code = print_json("maui.diff/1", data);
	json_object_put(data);
	return code;
}

/* ---- asking -------------------------------------------------------------------------------- */

static int diff_ask(const struct engine *engine, struct diff *diff, int which)
{
	static const char *const commands[] = {
		[PRIORITIES] = "diagnose-priority",
		[BLOCKED] = "diagnose-blocked",
		[RESERVATIONS] = "diagnose-reservations",
		[FAIRSHARE] = "diagnose-fairshare",
	};
	int code = engine_ask(engine, commands[which], NULL, &diff->answer[which]);

	if (code == EXIT_OK)
		diff->data[which] = member_object(diff->answer[which], "data");
	return code;
}

static int diff_ask_all(const struct cli *cli, struct diff *diff)
{
	struct engine engine;
	int code = engine_find(cli, &engine);

	if (code == EXIT_OK)
		code = diff_ask(&engine, diff, PRIORITIES);
	if (code == EXIT_OK && !member_flag(diff->data[PRIORITIES], "shadow"))
		return fail(EXIT_ERRORS,
			    "the engine is not in shadow mode: its maui.cfg is in force, and there "
			    "is nothing to compare it with; see maui-slurm(8)");
	for (int which = BLOCKED; code == EXIT_OK && which < ANSWERS; which++) {
		code = diff_ask(&engine, diff, which);
		if (code == EXIT_REFUSED && which == RESERVATIONS) /* PrivateData: it has said so */
			code = EXIT_OK;
	}
	if (code == EXIT_OK && (!member_array(diff->data[PRIORITIES], "jobs") ||
				!member_array(diff->data[BLOCKED], "jobs")))
		code = fail(EXIT_UNTRUSTED, "the engine's answer has no jobs");
	return code;
}

static int run_diff(struct cli *cli, int argc, char **argv)
{
	struct diff diff = {.jobs = {0}};
	struct diff_jobs jobs;
	bool all = false;
	int option, code;

	option = verbose_option(cli, argc, argv, &all);
	if (option != OPTIONS_END)
		return option == OPTIONS_DONE ? EXIT_OK : EXIT_ERRORS;
	if (optind < argc)
		return fail_usage(cli, "unexpected argument %s", argv[optind]);
	code = diff_ask_all(cli, &diff);
	if (code == EXIT_OK) {
		diff_jobs_make(diff.data[PRIORITIES], diff.data[BLOCKED], &jobs);
		diff.jobs = jobs;
		code = cli->json ? print_diff_json(&diff) : print_diff(&diff, all);
	}
	diff_jobs_clear(&diff.jobs);
	for (int i = 0; i < ANSWERS; i++)
		json_object_put(diff.answer[i]);
	return code;
}

static const char diff_help[] =
	"  -v                      all jobs, reservations and shares, not the first 20 of each\n";

const struct command diff_command = {
	.name = "diff",
	.synopsis = "[-v] [--json]",
	.summary = "Show what would change if an engine in shadow mode were in charge",
	.options = diff_help,
	.run = run_diff,
};
