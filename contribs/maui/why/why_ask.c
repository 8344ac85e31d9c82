/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the engine has about the job. If it cannot be reached, or refuses, the rest is shown, and
 * what is missing is named. */
#include "contribs/maui/why/why.h"

#include <string.h>

#include "common/report/json.h"
#include "contribs/maui/lib/output.h"

#define COMPLAINT_SIZE 1024

/* What a user may be refused, in words. */
static const struct request {
	const char *command, *what;
} requests[] = {
	{"diagnose-blocked", "whether a limit, a cap or a list of maui.cfg holds the job back"},
	{"explain-reservations", "which reservations of Maui's admit the job"},
	{"explain-nodes", "limits of nodes, and the order in which the job gets them"},
	{"diagnose-fairshare", "what is used below the fairshare cap"},
};
enum { BLOCKED, RESERVATIONS, NODES, FAIRSHARE };

/* rows: at most so many; 0: all. */
static struct json_object *arguments_of(const struct why *why, size_t request, int64_t rows)
{
	struct json_object *arguments = json_make_object();
	int64_t job = member_integer(why->job, "job");

	if (why->last && (request == BLOCKED || request == FAIRSHARE))
		json_set_flag(arguments, "last", true);
	if (request == BLOCKED) {
		struct json_object *jobs = json_make_array();

		json_append_number(jobs, job);
		json_set(arguments, "jobs", jobs);
	} else if (request != FAIRSHARE) {
		json_set_number(arguments, "job", job);
	}
	if (rows)
		json_set_number(arguments, "limit", rows);
	return arguments;
}

static void add_unseen(struct why *why, const struct request *request, const char *reason)
{
	struct json_object *facts = json_make_object();

	why_fact_text(facts, "request", request->command);
	why_add(why, WHY_UNSEEN, "engine", facts, "%s: %s", request->what, reason);
}

const struct engine *why_find_engine(const struct cli *cli, struct engine *engine)
{
	char text[COMPLAINT_SIZE] = "";
	int code;

	complaints_keep(text, sizeof(text));
	code = engine_find(cli, engine);
	complaints_keep(NULL, 0);
	if (*text)
		note("%s", text);
	return code == EXIT_OK ? engine : NULL;
}

/* A NOTE, as a failed request does not end the command. */
static void why_ask_report(const struct why *why, const char *text)
{
	complaints_keep(NULL, 0);
	if (*text && !why->quiet)
		note("%s", text);
}

/* The data of an answer, which belongs to why; NULL: none. */
static struct json_object *ask_rows(struct why *why, size_t which, int64_t rows)
{
	const struct request *request = &requests[which];
	struct json_object *answer = NULL;
	char text[COMPLAINT_SIZE];
	int code;

	if (!why->engine) {
		add_unseen(why, request, "the engine cannot be asked");
		return NULL;
	}
	complaints_keep(text, sizeof(text));
	code = engine_ask(why->service, request->command, arguments_of(why, which, rows), &answer);
	why_ask_report(why, text);
	if (code == EXIT_REFUSED) {
		add_unseen(why, request, "the engine refused to answer");
	} else if (code != EXIT_OK) {
		why->engine = false;
		add_unseen(why, request, "the engine cannot be asked");
	}
	if (code != EXIT_OK)
		return NULL;
	json_append(why->answers, answer);
	return member_object(answer, "data");
}

static struct json_object *why_ask_request(struct why *why, size_t which)
{
	return ask_rows(why, which, 0);
}

static struct json_object *row_of(const struct why *why, struct json_object *rows)
{
	for (size_t i = 0; i < array_size(rows); i++) {
		struct json_object *row = json_object_array_get_idx(rows, i);

		if (member_integer(row, "job") == member_integer(why->job, "job"))
			return row;
	}
	return NULL;
}

/* Of several instances the first that the job would meet if it started now. */
static const char *asked_entry(struct json_object *entries)
{
	const char *name = "";

	for (size_t i = 0; i < array_size(entries); i++) {
		struct json_object *entry = json_object_array_get_idx(entries, i);

		if (!member_flag(entry, "asked"))
			continue;
		if (member_flag(entry, "meets"))
			return member_text(entry, "name");
		if (!*name)
			name = member_text(entry, "name");
	}
	return name;
}

/* job_submit/maui has cleared Slurm's member if it is one of ours. */
static const char *asked_for(const struct why *why)
{
	const char *name = member_text(why->job, "reservation");

	if (!*name)
		name = asked_entry(member_array(why->admission, "reservations"));
	return *name ? name : member_text(why->admission, "asks");
}

void why_ask(struct why *why)
{
	bool pending = queue_job_is_pending(why->job);

	why->engine = why->service != NULL;
	if (pending)
		why->blocked = row_of(why, member_array(why_ask_request(why, BLOCKED), "jobs"));
	if (pending && !strcmp(member_text(why->blocked, "kind"), "fairshare-cap"))
		why->cap = row_of(why, member_array(why_ask_request(why, FAIRSHARE), "blocked"));
	why->admission = why_ask_request(why, RESERVATIONS);
	why->asks = asked_for(why);
	/* A running job is told where its nodes are in the order; a waiting one needs only which
	 * nodes limits keep from it, and the list of a large machine is long. */
	why->order = ask_rows(why, NODES, pending ? 1 : 0);
	if (!why->engine && !why->quiet)
		note("what follows is from Slurm alone");
}
