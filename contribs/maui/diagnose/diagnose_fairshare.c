/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * diagnose -f: the engine's data back into the struct that the report is made from, so that the
 * table is the same here and offline. Data from the network is brought into range first: a missing
 * or absurd member affects nothing else.
 */
#include "contribs/maui/diagnose/diagnose_fairshare.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/util/bounds.h"
#include "common/report/report_fairshare.h"
#include "common/util/arena.h"
#include "common/util/credential.h"
#include "common/util/memory.h"
#include "contribs/maui/lib/credential_known.h"
#include "common/report/json.h"
#include "contribs/maui/lib/output.h"
#include "contribs/maui/lib/text.h"
#include "contribs/maui/queue/queue.h"
#include "contribs/maui/service/engine_request.h"

#define MAX_INTERVAL (INT64_C(1) << 53)

struct table {
	struct maui_report_fairshare report;
	struct maui_report_fsrow *rows[MAUI_CREDENTIALS];
	struct maui_arena *names;
	bool has_cap;
};

/* ---- data to struct ------------------------------------------------------------------------ */

static int64_t diagnose_fairshare_bounded(int64_t value, int64_t min, int64_t max)
{
	return value < min ? min : value > max ? max : value;
}

static bool read_report(struct json_object *data, struct maui_report_fairshare *report)
{
	struct maui_fairshare_settings *settings = &report->settings;
	struct json_object *windows = member_array(data, "windows");
	double decay = maui_amount(member_number(data, "decay"));

	/* A later engine may count in a metric that this program does not know. */
	if (!maui_fairshare_metric_find(member_text(data, "policy"), settings))
		return false;
	settings->ratio = member_flag(data, "ratio");
	settings->interval =
		diagnose_fairshare_bounded(member_integer(data, "interval"), 1, MAX_INTERVAL);
	settings->depth = (uint32_t)diagnose_fairshare_bounded(member_integer(data, "depth"), 1,
							       MAUI_FS_MAX_DEPTH);
	settings->decay = decay < 1 ? decay : 1;
	report->sum = maui_amount(member_number(data, "usage"));
	for (uint32_t k = 0; k < settings->depth && k < array_size(windows); k++)
		report->total[k] =
			maui_amount(member_number(json_object_array_get_idx(windows, k), "usage"));
	return true;
}

static double number_at(struct json_object *array, size_t index)
{
	struct json_object *value =
		index < array_size(array) ? json_object_array_get_idx(array, index) : NULL;

	if (!json_object_is_type(value, json_type_double) &&
	    !json_object_is_type(value, json_type_int))
		return 0;
	return maui_amount(json_object_get_double(value));
}

static void read_row(struct table *table, struct json_object *object, struct maui_report_fsrow *row)
{
	struct json_object *windows = member_array(object, "windows");
	const char *text = member_text(object, "name");
	char *name = maui_arena_text(table->names, text, strlen(text));

	clean_text(name);
	row->name = name;
	row->unnamed = member_flag(object, "unnamed");
	row->sum = maui_amount(member_number(object, "usage"));
	row->percent = maui_amount(member_number(object, "percent"));
	row->target.value = maui_amount(member_number(object, "target"));
	row->target.mode = maui_fstarget_mode(*member_text(object, "mark"));
	for (uint32_t k = 0; k < table->report.settings.depth; k++)
		row->usage[k] = number_at(windows, k);
}

static bool is_cap(const struct maui_fstarget *target)
{
	return target->value > 0 &&
	       (target->mode == MAUI_FS_CAP_RELATIVE || target->mode == MAUI_FS_CAP_ABSOLUTE);
}

static void read_type(struct table *table, enum maui_credential type, struct json_object *array,
		      bool all)
{
	struct maui_report_fsrow *rows = maui_calloc(array_size(array) + 1, sizeof(*rows));
	size_t count = 0;

	table->rows[type] = rows;
	for (size_t i = 0; i < array_size(array); i++) {
		struct json_object *object = json_object_array_get_idx(array, i);

		if (!json_object_is_type(object, json_type_object))
			continue;
		read_row(table, object, &rows[count]);
		table->has_cap |= is_cap(&rows[count].target);
		if (all || maui_report_fsrow_shown(&rows[count]))
			count++;
	}
	table->report.rows[type] = rows;
	table->report.count[type] = count;
}

static void read_credentials(struct table *table, struct json_object *credentials, bool all)
{
	for (enum maui_credential type = 0; type < MAUI_CREDENTIALS; type++)
		read_type(table, type, member_array(credentials, maui_credential_name(type)), all);
}

static void clear_table(struct table *table)
{
	for (int type = 0; type < MAUI_CREDENTIALS; type++)
		free(table->rows[type]);
	maui_arena_free(table->names);
}

/* ---- output -------------------------------------------------------------------------------- */

/* The original has no counterpart. */
static void print_details(struct json_object *data)
{
	int64_t counted = member_integer(data, "counted");
	static const char unknown[] = "not known";
	char text[TEXT_DATE_SIZE];

	printf("\nCounted until: %s\nFiles: ",
	       counted > 0 ? text_date(counted, unknown, text) : unknown);
	print_clean(member_text(data, "directory"));
	putchar('\n');
}

/* Only if the engine says so: an older one says nothing. */
static void note_caps(const struct table *table, struct json_object *data)
{
	struct json_object *enforced = NULL;

	json_object_object_get_ex(data, "enforced", &enforced);
	if (table->has_cap && json_object_is_type(enforced, json_type_boolean) &&
	    !json_object_get_boolean(enforced))
		note("hard caps (%% and ^) hold no job back: slurmctld has not loaded the select "
		     "plugin of Slurm-Maui");
}

static void print_blocked_job(struct json_object *job)
{
	bool percent = !strcmp(member_text(job, "mode"), "cap-percent");
	int64_t until = member_integer(job, "until");
	char text[TEXT_DATE_SIZE];

	printf("%-14" PRId64 " ", member_integer(job, "job"));
	print_clean(member_text(job, "type"));
	putchar(' ');
	print_clean(member_text(job, "name"));
	printf(": cap %.2f%s, used %.2f, asks for %.2f; free from %s\n", member_number(job, "cap"),
	       percent ? "%" : " proc-seconds", member_number(job, "usage"),
	       member_number(job, "request"),
	       until > 0 ? text_date(until, "never", text) : "never");
}

/* Jobs that a hard cap holds back. The original shows this job by job, in checkjob. */
static void print_blocked(struct json_object *blocked)
{
	if (array_size(blocked))
		printf("\nCAPPED JOBS\n-------------\n");
	for (size_t i = 0; i < array_size(blocked); i++) {
		struct json_object *job = json_object_array_get_idx(blocked, i);

		if (json_object_is_type(job, json_type_object))
			print_blocked_job(job);
	}
}

bool fairshare_is_off(struct json_object *data)
{
	struct maui_fairshare_settings settings;

	return maui_fairshare_metric_find(member_text(data, "policy"), &settings) &&
	       settings.metric == MAUI_FS_OFF;
}

/* Leave only this user's row among the users. */
static void keep_user(struct json_object *data, const char *user)
{
	struct json_object *credentials = member_object(data, "credentials");
	struct json_object *kept = credential_rows_of(member_array(credentials, "user"), user);

	if (!array_size(kept))
		note("user %s has neither used anything nor a target, or is not yours to see",
		     user);
	if (credentials)
		json_set(credentials, "user", kept);
	else
		json_object_put(kept);
}

int print_fairshare(struct json_object *data, bool verbose)
{
	struct json_object *credentials = member_object(data, "credentials");
	struct table table = {0};
	char *text;

	if (!credentials || !read_report(data, &table.report))
		return fail(EXIT_UNTRUSTED,
			    "the engine's answer has no credentials, or a policy that this program "
			    "does not know: '%.40s'",
			    member_text(data, "policy"));
	table.names = maui_arena_new();
	read_credentials(&table, credentials, verbose);
	text = maui_report_fairshare_text(&table.report);
	fputs(text, stdout);
	print_blocked(member_array(data, "blocked"));
	if (verbose)
		print_details(data);
	note_caps(&table, data);
	free(text);
	clear_table(&table);
	return EXIT_OK;
}

/* ---- asking -------------------------------------------------------------------------------- */

/* The service's name for a type, or for the original's word for it; NULL: unknown. */
static const char *type_name(const char *word)
{
	if (!strcasecmp(word, "acct"))
		word = "account";
	for (enum maui_credential type = 0; type < MAUI_CREDENTIALS; type++)
		if (!strcasecmp(word, maui_credential_name(type)))
			return maui_credential_name(type);
	return NULL;
}

static int diagnose_fairshare_ask(const struct cli *cli, const char *type,
				  struct json_object **ret_answer)
{
	struct json_object *arguments = json_make_object();

	json_set_given(arguments, "type", type);
	return engine_query(cli, "diagnose-fairshare", arguments, ret_answer);
}

static int diagnose_fairshare_show(const struct cli *cli, const char *user, bool verbose,
				   struct json_object *data)
{
	bool off = fairshare_is_off(data);

	if (user && !queue_find(member_object(data, "credentials"), "user", user) &&
	    !credential_is_known("user", user))
		return EXIT_ERRORS;
	if (user && !off)
		keep_user(data, user);
	if (cli->json)
		return print_json("maui.diagnose-fairshare/1", data);
	if (!off)
		return print_fairshare(data, verbose);
	note("FSPOLICY is not set: no usage is counted, and fairshare changes no priority");
	return EXIT_OK;
}

int diagnose_fairshare_run(const struct cli *cli, const char *user, bool verbose, char **words)
{
	const char *type = user ? "user" : NULL;
	struct json_object *answer;
	int code;

	if (*words && words[1])
		return fail_usage(cli, "one of user, group, account, class, qos at a time");
	if (*words) {
		type = type_name(*words);
		if (!type)
			return fail_usage(cli, "%s is not one of user, group, account, class, qos",
					  *words);
		if (user && strcmp(type, "user") != 0)
			return fail_usage(cli, "--user does not go with the %ss", type);
	}
	code = diagnose_fairshare_ask(cli, type, &answer);
	if (code)
		return code;
	code = diagnose_fairshare_show(cli, user, verbose, member_object(answer, "data"));
	json_object_put(answer);
	return code;
}
