/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * maui showres: the original's tables. Type User is ours, made from SRCFG; Type Slurm is any other
 * reservation of Slurm's. Jobs have none here.
 */
#include "contribs/maui/reservation/reservation.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/report/json.h"
#include "contribs/maui/lib/node_text.h"
#include "contribs/maui/lib/output.h"
#include "contribs/maui/lib/rsv_text.h"
#include "contribs/maui/service/engine_request.h"

/* Behind the original's columns: Slurm shows its nodes as MAINT. */
static const char *showres_mark(struct json_object *row)
{
	return member_flag(row, "maint") ? "  MAINT" : "";
}

/* ---- a line each --------------------------------------------------------------------------- */

static void print_row(struct json_object *row, int64_t now)
{
	struct rsv_times times;

	rsv_times(row, now, &times);
	print_padded(member_text(row, "name"), -18);
	printf(" %5s - %11s %11s %11s %4" PRId64 "/%-4" PRId64 " %s%s\n", rsv_type(row),
	       times.start, times.end, times.duration, member_integer(row, "node_count"),
	       member_integer(row, "procs"), times.date, showres_mark(row));
}

/* What ought to exist, and does not, is no reservation: a NOTE says so. */
static void note_missing(struct json_object *row)
{
	const char *problem = member_text(row, "problem");

	note("reservation %s is not there: %s", member_text(row, "name"),
	     *problem ? problem : member_text(row, "text"));
}

static void print_list(struct json_object *rows, int64_t now)
{
	size_t count = 0;

	printf("Reservations\n\n%-18s %5s S %11s %11s %11s %4s/%-4s %s\n\n", "ReservationID",
	       "Type", "Start", "End", "Duration", "N", "P", "StartTime");
	for (size_t i = 0; i < array_size(rows); i++) {
		struct json_object *row = json_object_array_get_idx(rows, i);

		if (!member_flag(row, "there") && !member_flag(row, "would"))
			continue;
		print_row(row, now);
		count++;
	}
	printf("\n%zu reservation%s located\n", count, count == 1 ? "" : "s");
}

/* ---- by node ------------------------------------------------------------------------------- */

static void print_node(struct json_object *node, struct json_object *row, int64_t now)
{
	struct rsv_times times;

	rsv_times(row, now, &times);
	print_padded(member_text(node, "node"), 20);
	printf(" %10s ", rsv_type(row));
	print_padded(member_text(row, "name"), 18);
	printf(" %10s %4" PRId64 " %11s %11s %20s%s\n", "N/A", member_integer(node, "tasks"),
	       times.start, times.ends ? times.duration : "INFINITE", times.date,
	       showres_mark(row));
}

static void print_by_node(struct json_object *data, int64_t now)
{
	struct json_object *rows = member_array(data, "reservations");
	struct json_object *nodes = member_array(data, "nodes");
	int64_t omitted = member_integer(data, "omitted_nodes");
	char date[RSV_DATE_SIZE];
	size_t count = 0;

	printf("reservations on %s\n\n%20s %10s %18s %10s %4s %11s %11s %20s\n\n",
	       rsv_date(now, date), "NodeName", "Type", "ReservationID", "JobState", "Task",
	       "Start", "Duration", "StartTime");
	for (size_t i = 0; i < array_size(nodes); i++) {
		struct json_object *node = json_object_array_get_idx(nodes, i);
		int64_t at = member_integer(node, "reservation");

		if (at < 0 || (uint64_t)at >= array_size(rows))
			continue;
		print_node(node, json_object_array_get_idx(rows, (size_t)at), now);
		count++;
	}
	printf("%zu node%s reserved\n", count, count == 1 ? "" : "s");
	if (omitted > 0)
		note("%" PRId64 " more lines are not shown: ask for one reservation by name",
		     omitted);
}

/* ---- the command --------------------------------------------------------------------------- */

static int showres_print_all(struct json_object *answer, bool by_node)
{
	struct json_object *data = member_object(answer, "data");
	struct json_object *rows = member_array(data, "reservations");
	int64_t now = member_integer(answer, "time");

	if (!rows || (by_node && !member_array(data, "nodes")))
		return fail(EXIT_UNTRUSTED, "the engine's answer has no reservations");
	if (by_node)
		print_by_node(data, now);
	else
		print_list(rows, now);
	for (size_t i = 0; i < array_size(rows); i++) {
		struct json_object *row = json_object_array_get_idx(rows, i);

		if (!member_flag(row, "there") && !member_flag(row, "would"))
			note_missing(row);
	}
	rsv_notes(data);
	return EXIT_OK;
}

static struct json_object *make_arguments(const char *name, bool by_node)
{
	struct json_object *arguments = json_make_object();

	json_set_given(arguments, "name", name);
	if (by_node)
		json_set_flag(arguments, "nodes", true);
	return arguments;
}

static int showres_show(const struct cli *cli, const char *name, bool by_node)
{
	struct json_object *arguments = make_arguments(name, by_node), *answer;
	int code;

	code = engine_query(cli, "show-reservations", arguments, &answer);
	if (code)
		return code;
	code = cli->json ? print_json("maui.show-reservations/1", member_object(answer, "data"))
			 : showres_print_all(answer, by_node);
	json_object_put(answer);
	return code;
}

static int run_showres(struct cli *cli, int argc, char **argv)
{
	bool by_node = false;
	int option;

	while ((option = next_option(cli, argc, argv, "ngrsv", NULL)) != OPTIONS_END) {
		if (option == OPTIONS_DONE || option == OPTIONS_BAD)
			return option == OPTIONS_DONE ? EXIT_OK : EXIT_ERRORS;
		/* The others ask for the default. */
		by_node |= option == 'n';
	}
	if (argc - optind > 1)
		return fail_usage(cli, "one reservation at a time");
	return showres_show(cli, argv[optind], by_node);
}

const struct command showres_command = {
	.name = "showres",
	.synopsis = "[-n] [--json] [NAME]",
	.summary = "Show the reservations: those of SRCFG and of setres, then Slurm's others",
	.options = "  -n                      node by node\n"
		   "  -g, -r, -s, -v          accepted: they ask for the default\n",
	.run = run_showres,
};
