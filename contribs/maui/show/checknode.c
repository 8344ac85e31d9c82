/* SPDX-License-Identifier: GPL-2.0-or-later */
/* maui checknode: all that the engine has about a node, in the original's layout. */
#include "contribs/maui/show/show.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "common/util/time/duration.h"
#include "common/report/json.h"
#include "contribs/maui/lib/node_text.h"
#include "contribs/maui/lib/output.h"
#include "contribs/maui/lib/rsv_text.h"
#include "contribs/maui/service/engine_request.h"

/* What is not known to end. */
#define FOREVER (INT64_C(1) << 40)

static void print_span(int64_t start, int64_t end, int64_t now)
{
	char from[MAUI_DURATION_SIZE], to[MAUI_DURATION_SIZE], length[MAUI_DURATION_SIZE];
	bool ends = end > 0 && end < FOREVER;

	if (start < 0 || start > FOREVER)
		start = 0;
	maui_duration_format(start - now, from);
	maui_duration_format(ends ? end - now : FOREVER, to);
	maui_duration_format(ends ? end - start : FOREVER, length);
	printf("  %s -> %s (%s)\n", from, to, length);
}

static void print_owned(const char *label, const char *names)
{
	if (!*names)
		return;
	printf("  %s: ", label);
	print_clean(names);
}

/* In Slurm ours belong to root, who is not somebody that maui.cfg lets in. */
static void print_access(struct json_object *one)
{
	if (member_flag(one, "ours")) {
		printf("    ");
		rsv_print_acl(one);
		if (!member_flag(one, "open"))
			printf("    it is closed: nobody gets in\n");
		return;
	}
	if (!*member_text(one, "users") && !*member_text(one, "accounts"))
		return;
	printf("  ");
	print_owned("Users", member_text(one, "users"));
	print_owned("Accounts", member_text(one, "accounts"));
	putchar('\n');
}

static void print_reservations(struct json_object *data, int64_t now)
{
	struct json_object *jobs = member_array(data, "job_list");
	struct json_object *reservations = member_array(data, "reservation_list");

	if (array_size(jobs) || array_size(reservations))
		printf("\nReservations:\n");
	for (size_t i = 0; i < array_size(reservations); i++) {
		struct json_object *one = json_object_array_get_idx(reservations, i);

		printf("  User '");
		print_clean(member_text(one, "name"));
		putchar('\'');
		print_span(member_integer(one, "start"), rsv_end(one), now);
		print_access(one);
	}
	for (size_t i = 0; i < array_size(jobs); i++) {
		struct json_object *job = json_object_array_get_idx(jobs, i);

		printf("  Job '%" PRId64 "'(x%" PRId64 ")", member_integer(job, "job"),
		       member_integer(job, "procs"));
		print_span(member_integer(job, "start"), member_integer(job, "end"), now);
	}
}

static void print_job_list(struct json_object *data)
{
	struct json_object *jobs = member_array(data, "job_list");
	int64_t hidden = member_integer(data, "hidden_jobs");
	const char *gap = "";

	printf("JobList:  ");
	for (size_t i = 0; i < array_size(jobs); i++) {
		struct json_object *job = json_object_array_get_idx(jobs, i);

		printf("%s%" PRId64 "(", gap, member_integer(job, "job"));
		print_clean(member_text(job, "user"));
		printf(":%" PRId64 ")", member_integer(job, "procs"));
		gap = ",";
	}
	if (!array_size(jobs))
		printf("[NONE]");
	putchar('\n');
	if (hidden > 0)
		note("%" PRId64 " more jobs are here that are not yours to see", hidden);
}

/* After the others; nothing of a node without GRES. */
static void print_gres(struct json_object *data, const char *amount)
{
	struct json_object *gres = member_array(data, "gres");

	for (size_t i = 0; i < array_size(gres); i++) {
		struct json_object *one = json_object_array_get_idx(gres, i);

		printf("  ");
		print_clean(member_text(one, "name"));
		printf(": %" PRId64, member_integer(one, amount));
	}
	putchar('\n');
}

static void print_amounts(struct json_object *data)
{
	int64_t memory = amount_of(data, "configured", "memory");
	struct json_object *unused;

	printf("Configured Resources: PROCS: %" PRId64 "  MEM: %" PRId64 "M  SWAP: %" PRId64
	       "M  DISK: %" PRId64 "M",
	       amount_of(data, "configured", "procs"), memory,
	       amount_of(data, "configured", "swap"), amount_of(data, "configured", "disk"));
	print_gres(data, "configured");
	printf("Utilized   Resources: ");
	if (json_object_object_get_ex(data, "free_memory", &unused) && unused)
		printf("MEM: %" PRId64 "M\n", memory > member_integer(data, "free_memory")
						      ? memory - member_integer(data, "free_memory")
						      : 0);
	else
		printf("[NONE]\n");
	printf("Dedicated  Resources: PROCS: %" PRId64 "  MEM: %" PRId64 "M",
	       amount_of(data, "dedicated", "procs"), amount_of(data, "dedicated", "memory"));
	print_gres(data, "dedicated");
}

static void print_state(struct json_object *data)
{
	printf("State:      ");
	print_clean(member_text(data, "state"));
	printf("  (in Slurm: ");
	print_clean(member_text(data, "slurm_state"));
	printf(")\n");
	if (!*member_text(data, "reason"))
		return;
	printf("Reason:     ");
	print_clean(member_text(data, "reason"));
	putchar('\n');
}

static void print_systems(struct json_object *data)
{
	printf("Opsys:         ");
	print_clean(*member_text(data, "opsys") ? member_text(data, "opsys") : "[NONE]");
	printf("  Arch:         ");
	print_clean(*member_text(data, "arch") ? member_text(data, "arch") : "[NONE]");
	printf("\nSpeed:      %.2f  Load:       %.3f\n", member_number(data, "speed"),
	       member_number(data, "load"));
	if (member_number(data, "procspeed") > 0)
		printf("ProcSpeed:  %.10g\n", member_number(data, "procspeed"));
}

static void print_times(struct json_object *data)
{
	char up[MAUI_DURATION_SIZE], active[MAUI_DURATION_SIZE];

	maui_duration_format(member_integer(data, "up"), up);
	maui_duration_format(member_integer(data, "active"), active);
	printf("\nUp: %s  Active: %s (%.2f%%)\n", up + strspn(up, " "),
	       active + strspn(active, " "), member_number(data, "usage"));
}

static void print_since(const char *label, int64_t time)
{
	char date[RSV_DATE_SIZE];

	if (time > 0)
		printf("%s%s\n", label, rsv_date(time, date));
}

/* What else Slurm says: -v. */
static void print_more(struct json_object *data)
{
	struct json_object *jobs = member_array(data, "job_list");

	print_since("Booted:     ", member_integer(data, "boot"));
	print_since("Slurmd:     ", member_integer(data, "slurmd_start"));
	for (size_t i = 0; i < array_size(jobs); i++) {
		struct json_object *job = json_object_array_get_idx(jobs, i);

		printf("Job '%" PRId64 "'  User: ", member_integer(job, "job"));
		print_clean(member_text(job, "user"));
		printf("  Class: ");
		print_clean(member_text(job, "partition"));
		printf("  State: ");
		print_clean(member_text(job, "state"));
		printf("  PROCS: %" PRId64 "  MEM: %" PRId64 "M\n", member_integer(job, "procs"),
		       member_integer(job, "memory"));
	}
}

static void print_node(struct json_object *answer, bool verbose)
{
	struct json_object *data = member_object(answer, "data");
	int64_t now = member_integer(answer, "time");
	char text[4096];

	printf("\n\nchecking node ");
	print_clean(member_text(data, "name"));
	printf("\n\n");
	print_state(data);
	print_amounts(data);
	print_systems(data);
	printf("Network:    [NONE]\n");
	printf("Features:   %s\n", bracketed(member_array(data, "features"), text, sizeof(text)));
	printf("Classes:    %s\n", class_text(data, ' ', text, sizeof(text)));
	print_times(data);
	printf("\nPriority:   %.2f under %s\n", member_number(data, "value"),
	       clean_copy(member_text(data, "policy"), text, sizeof(text)));
	printf("PRIORITYF:  ");
	print_clean(member_text(data, "formula"));
	printf("\n            ");
	print_terms(data);
	printf("\nLimits:     ");
	print_limits(member_array(data, "limits"));
	putchar('\n');
	print_reservations(data, now >= 0 && now < FOREVER ? now : 0);
	print_job_list(data);
	if (verbose)
		print_more(data);
	putchar('\n');
}

static int run_checknode(struct cli *cli, int argc, char **argv)
{
	struct json_object *arguments, *answer, *data;
	bool verbose = false;
	int option, code;

	option = verbose_option(cli, argc, argv, &verbose);
	if (option != OPTIONS_END)
		return option == OPTIONS_DONE ? EXIT_OK : EXIT_ERRORS;
	if (optind + 1 != argc)
		return fail_usage(cli, optind < argc ? "one node at a time" : "which node?");
	arguments = json_make_object();
	json_set_text(arguments, "node", argv[optind]);
	code = engine_query(cli, "check-node", arguments, &answer);
	if (code)
		return code;
	data = member_object(answer, "data");
	if (cli->json)
		code = print_json("maui.check-node/1", data);
	else if (!*member_text(data, "name"))
		code = fail(EXIT_UNTRUSTED, "the engine's answer has no node");
	else
		print_node(answer, verbose);
	json_object_put(answer);
	return code;
}

static const char checknode_help[] =
	"  -v                      also since when it has been up, and what each job has there\n";

const struct command checknode_command = {
	.name = "checknode",
	.synopsis = "[-v] [--json] NODE",
	.summary = "Show a node as the engine sees it",
	.options = checknode_help,
	.run = run_checknode,
};
