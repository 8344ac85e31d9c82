/* SPDX-License-Identifier: GPL-2.0-or-later */
/* maui res explain: which reservations admit a job, and by which entry of their lists. The original
 * has no counterpart. */
#include "contribs/maui/reservation/reservation.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contribs/maui/lib/job_filter.h"
#include "contribs/maui/lib/job_name.h"
#include "contribs/maui/lib/node_text.h"
#include "contribs/maui/lib/output.h"
#include "contribs/maui/lib/rsv_text.h"
#include "contribs/maui/queue/job_resolve.h"
#include "contribs/maui/service/engine_request.h"

static void print_pass(struct json_object *data)
{
	const char *pass = member_text(data, "pass");

	if (!strcmp(pass, "engine"))
		printf("Pass: yes, an access list may admit the job\n");
	else if (*pass)
		printf("Pass: the user's own (--signal=R:), which gives no access by itself\n");
	else
		printf("Pass: none, Slurm keeps the job out of all of these\n");
	if (!*member_text(data, "asks"))
		return;
	printf("Asks: for reservation ");
	print_clean(member_text(data, "asks"));
	printf(" (--reservation), and gets no other node\n");
}

static void print_head(struct json_object *data)
{
	struct json_object *walltime;
	char text[MAUI_DURATION_SIZE];

	job_print_title("reservations", data);
	json_object_object_get_ex(data, "walltime", &walltime);
	maui_duration_format(member_integer(data, "walltime"), text);
	printf("  wall time: %s\n\n",
	       json_object_is_type(walltime, json_type_int) ? text : "unlimited");
	print_pass(data);
}

static void print_row(struct json_object *row, int64_t now)
{
	const char *affinity = member_text(row, "affinity");
	bool admitted = member_flag(row, "admitted");
	struct rsv_times times;

	rsv_times(row, now, &times);
	print_padded(member_text(row, "name"), -20);
	printf(" %11s %11s %-5s %-6s ", times.start, times.end,
	       member_flag(row, "meets") ? "yes" : "-",
	       !admitted                  ? "no"
	       : member_flag(row, "open") ? "yes"
					  : "closed");
	print_padded(*affinity ? affinity : "-", -8);
	putchar(' ');
	print_clean(member_text(row, "text"));
	putchar('\n');
}

static int res_print_all(struct json_object *answer)
{
	struct json_object *data = member_object(answer, "data");
	struct json_object *rows = member_array(data, "reservations");

	if (!rows)
		return fail(EXIT_UNTRUSTED, "the engine's answer has no reservations");
	print_head(data);
	printf("\n%-20s %11s %11s %-5s %-6s %-8s %s\n\n", "ReservationID", "Start", "End", "Meets",
	       "Admits", "Affinity", "Why");
	for (size_t i = 0; i < array_size(rows); i++)
		print_row(json_object_array_get_idx(rows, i), member_integer(answer, "time"));
	if (!array_size(rows))
		printf("there is no standing reservation\n");
	if (!member_flag(data, "select"))
		note("nobody gets into standing reservations: slurmctld has not loaded the select "
		     "plugin of Slurm-Maui");
	return EXIT_OK;
}

static int res_explain(const struct cli *cli, const char *job)
{
	struct json_object *answer;
	int code;

	code = engine_query(cli, "explain-reservations", job_arguments(job), &answer);
	if (code)
		return code;
	code = cli->json ? print_json("maui.explain-reservations/1", member_object(answer, "data"))
			 : res_print_all(answer);
	json_object_put(answer);
	return code;
}

static int run_res(struct cli *cli, int argc, char **argv)
{
	int code, option = next_option(cli, argc, argv, "", NULL);
	char **names = NULL;

	if (option != OPTIONS_END)
		return option == OPTIONS_DONE ? EXIT_OK : EXIT_ERRORS;
	if (optind >= argc)
		return fail_usage(cli, "res explain JOB?");
	if (strcmp(argv[optind], "explain") != 0)
		return fail_usage(cli, "res has no %s", argv[optind]);
	if (optind + 2 != argc)
		return fail_usage(cli, optind + 2 < argc ? "one job at a time, or a list: 17,18"
							 : "which job?");
	code = job_names_resolve(cli, 1, argv + optind + 1, &names);
	for (char **job = names; !code && *job; job++)
		code = res_explain(cli, *job);
	job_names_clear(names);
	return code;
}

const struct command res_command = {
	.name = "res",
	.synopsis = "explain [--json] JOB",
	.summary = "Show which standing reservations admit a job, and by which entry",
	.run = run_res,
};
