/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * maui whatif: the queue of this moment under another maui.cfg, beside today's. The file is read
 * here, with what it includes, and sent as one text; the engine ranks and judges its last snapshot
 * by it. The original has no counterpart.
 */
#include "contribs/maui/explain/explain.h"

#include <inttypes.h>
#include <math.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/config/config.h"
#include "common/config/flat.h"
#include "common/report/json.h"
#include "contribs/maui/lib/output.h"
#include "contribs/maui/lib/terminal.h"
#include "contribs/maui/lib/text.h"
#include "contribs/maui/service/engine_request.h"

#define MAX_LIMIT  20000
#define TEXT_LIMIT 20
#define MAX_SAID   20 /* errors of the file */

/* ---- the table ------------------------------------------------------------------------------ */

static int64_t explain_whatif_side(struct json_object *object, const char *pair, const char *side)
{
	return member_integer(member_object(object, pair), side);
}

static const char *job_name(struct json_object *job, char *buffer, size_t size)
{
	const char *array = member_text(job, "array");

	if (*array)
		return clean_copy(array, buffer, size);
	snprintf(buffer, size, "%" PRId64, member_integer(job, "job"));
	return buffer;
}

/* "CRED +120.00": by how much the component changes. */
static void print_most(struct json_object *job)
{
	const char *most = member_text(job, "most");
	struct json_object *pair = member_object(member_object(job, "components"), most);
	char name[24];

	if (!*most || !pair)
		printf("-");
	else
		printf("%s %+.2f", clean_copy(most, name, sizeof(name)),
		       member_number(pair, "then") - member_number(pair, "today"));
	putchar('\n');
}

static void print_movers(struct json_object *data)
{
	struct json_object *jobs = member_array(data, "movers");

	if (!array_size(jobs))
		return;
	printf("%-16s %-12s %6s    %-6s %11s    %-11s %s\n", "Job", "User", "Rank", "Then",
	       "Priority", "Then", "Most");
	for (size_t i = 0; i < array_size(jobs); i++) {
		struct json_object *job = json_object_array_get_idx(jobs, i);
		char name[64], user[64];

		printf("%-16s %-12s %6" PRId64 " -> %-6" PRId64 " %11" PRId64 " -> %-11" PRId64 " ",
		       job_name(job, name, sizeof(name)),
		       clean_copy(member_text(job, "user"), user, sizeof(user)),
		       explain_whatif_side(job, "rank", "today"),
		       explain_whatif_side(job, "rank", "then"),
		       explain_whatif_side(job, "priority", "today"),
		       explain_whatif_side(job, "priority", "then"));
		print_most(job);
	}
	putchar('\n');
}

static void print_blocked(struct json_object *data, const char *list, const char *title)
{
	struct json_object *jobs = member_array(data, list);

	if (!array_size(jobs))
		return;
	printf("%s%s%s\n", mark(MARK_TITLE), title, mark(MARK_END));
	for (size_t i = 0; i < array_size(jobs); i++) {
		struct json_object *job = json_object_array_get_idx(jobs, i);
		char name[64];

		printf("job %s (", job_name(job, name, sizeof(name)));
		print_clean(member_text(job, "user"));
		printf(") ");
		print_clean(member_text(job, "message"));
		putchar('\n');
	}
	putchar('\n');
}

static void print_summary(struct json_object *data, const char *path)
{
	char text[TEXT_DATE_SIZE];

	printf("the queue of %s, today and under ",
	       text_date(member_integer(data, "time"), "?", text));
	print_clean(path);
	printf("\n%" PRId64 " jobs, %" PRId64 " change rank, %" PRId64 " priority, %" PRId64
	       " newly blocked, %" PRId64 " freed, %" PRId64 " blocked for another reason\n",
	       member_integer(data, "jobs"), member_integer(data, "ranks_changed"),
	       member_integer(data, "priorities_changed"), member_integer(data, "newly_blocked"),
	       member_integer(data, "freed"), member_integer(data, "blocked_otherwise"));
	printf("%" PRId64 " are blocked by a policy today, %" PRId64 " would be\n\n",
	       explain_whatif_side(data, "blocked", "today"),
	       explain_whatif_side(data, "blocked", "then"));
}

/* What the comparison does not show. */
static void print_notes(struct json_object *data)
{
	struct json_object *notes = member_array(data, "notes");

	for (size_t i = 0; i < array_size(notes); i++) {
		struct json_object *entry = json_object_array_get_idx(notes, i);

		printf("not included: ");
		print_clean(member_text(entry, "name"));
		printf(": ");
		print_clean(member_text(entry, "text"));
		putchar('\n');
	}
}

static void tell_omitted(struct json_object *data)
{
	static const struct {
		const char *count, *list;
	} lists[] = {
		{"ranks_changed", "movers"},
		{"newly_blocked", "newly_blocked_jobs"},
		{"freed", "freed_jobs"},
		{"blocked_otherwise", "blocked_otherwise_jobs"},
	};
	int64_t omitted = 0;

	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
		omitted += member_integer(data, lists[i].count) -
			   (int64_t)array_size(member_array(data, lists[i].list));
	if (omitted > 0)
		note("%" PRId64 " more lines are left out: --limit=N shows N of each kind",
		     omitted);
}

static int print_whatif(struct json_object *data, const char *path)
{
	if (!member_array(data, "movers") || !member_array(data, "newly_blocked_jobs"))
		return fail(EXIT_UNTRUSTED, "the engine's answer has no jobs");
	print_summary(data, path);
	print_movers(data);
	print_blocked(data, "newly_blocked_jobs", "newly blocked:");
	print_blocked(data, "freed_jobs", "freed, blocked today:");
	print_blocked(data, "blocked_otherwise_jobs", "blocked for another reason:");
	print_notes(data);
	tell_omitted(data);
	return EXIT_OK;
}

/* ---- the file ------------------------------------------------------------------------------- */

static int fail_errors(const struct maui_config *config, const char *path)
{
	complain_of_errors(config, MAX_SAID);
	return fail(EXIT_ERRORS, "%s has errors, and would change nothing: see `maui check`", path);
}

/* With what it includes, as one text. */
static int read_file(const char *path, struct maui_flat *flat)
{
	const struct passwd *slurm = getpwnam("slurm");
	const unsigned int slurm_uid = slurm ? slurm->pw_uid : 0;
	struct maui_reader reader;
	struct maui_config *config = NULL;
	struct maui_error error;
	int code = EXIT_OK;

	flat->from = maui_file_reader(&slurm_uid);
	reader = maui_flat_reader(flat);
	if (maui_config_load(path, &reader, &config, &error))
		return fail(EXIT_ERRORS, "%s", error.text);
	if (maui_config_errors(config))
		code = fail_errors(config, path);
	maui_config_unref(config);
	return code;
}

/* ---- the command ---------------------------------------------------------------------------- */

int whatif_arguments(const char *path, int64_t limit, struct json_object **ret_arguments)
{
	struct json_object *arguments;
	struct maui_flat flat = {0};
	int code = read_file(path, &flat);

	if (code == EXIT_OK) {
		arguments = json_make_object();
		json_set_text(arguments, "path", path);
		json_set(arguments, "text", json_make_part(flat.text, flat.size));
		json_set_number(arguments, "limit", limit);
		*ret_arguments = arguments;
	}
	free(flat.text);
	return code;
}

static int explain_whatif_show(const struct cli *cli, const char *path, struct json_object *data)
{
	if (!cli->json)
		return print_whatif(data, path);
	json_set_text(data, "file", path);
	return print_json("maui.whatif/1", data);
}

static int explain_whatif_compare(const struct cli *cli, const char *path, int64_t limit)
{
	struct json_object *arguments, *answer;
	int code = whatif_arguments(path, limit, &arguments);

	if (code == EXIT_OK)
		code = engine_query(cli, "whatif", arguments, &answer);
	if (code != EXIT_OK)
		return code;
	code = explain_whatif_show(cli, path, member_object(answer, "data"));
	json_object_put(answer);
	return code;
}

static int run_whatif(struct cli *cli, int argc, char **argv)
{
	static const struct option longs[] = {
		{"limit", required_argument, NULL, 'n'},
		{0},
	};
	int64_t limit = 0;
	int option;

	while ((option = next_option(cli, argc, argv, "n:", longs)) != OPTIONS_END) {
		if (option != 'n')
			return option == OPTIONS_DONE ? EXIT_OK : EXIT_ERRORS;
		limit = parse_count(optarg, MAX_LIMIT);
		if (!limit)
			return fail_usage(cli, "--limit=%s: jobs are a number from 1 to %d", optarg,
					  MAX_LIMIT);
	}
	if (optind + 1 != argc)
		return fail_usage(cli, optind < argc ? "one file at a time" : "which file?");
	return explain_whatif_compare(cli, argv[optind],
				      limit       ? limit
				      : cli->json ? MAX_LIMIT
						  : TEXT_LIMIT);
}

static const char whatif_help[] =
	"  -n, --limit=N           the N jobs that move most, and N of each other kind (20; with\n"
	"                          --json all)\n";

const struct command whatif_command = {
	.name = "whatif",
	.synopsis = "[-n N] [--json] FILE",
	.summary = "Compare the queue of this moment with what another maui.cfg would make of it",
	.options = whatif_help,
	.run = run_whatif,
};
