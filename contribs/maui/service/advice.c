/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Asks the engine for diagnose-blocked, diagnose-priority and
 * explain-reservations, in this order, and turns an engine's error into a NOTE.
 */
#include "contribs/maui/service/advice.h"

#include <stdio.h>

#include "common/report/json.h"
#include "contribs/maui/lib/output.h"
#include "contribs/maui/service/engine_request.h"

static void set_jobs(struct json_object *object, const struct advice_scope *scope)
{
	struct json_object *array;

	if (!scope->count)
		return;
	array = json_make_array();
	for (size_t i = 0; i < scope->count; i++)
		json_append_number(array, scope->jobs[i]);
	json_set(object, "jobs", array);
}

static int advice_ask(const struct engine *engine, const char *command,
		      const struct advice_scope *scope, struct json_object **ret_answer)
{
	struct json_object *arguments = json_make_object();
	int code;

	json_set_given(arguments, "partition", scope->partition);
	json_set_given(arguments, "user", scope->user);
	set_jobs(arguments, scope);
	code = engine_ask(engine, command, arguments, ret_answer);
	if (code)
		*ret_answer = NULL;
	else if (!advice_rows(*ret_answer))
		code = fail(EXIT_UNTRUSTED, "its answer has no jobs");
	return code;
}

/* PrivateData may forbid it: then it is unknown. */
static void ask_reservations(const struct engine *engine, int64_t job,
			     struct json_object **ret_answer)
{
	struct json_object *arguments = json_make_object();

	json_set_number(arguments, "job", job);
	if (engine_ask(engine, "explain-reservations", arguments, ret_answer))
		*ret_answer = NULL;
}

static int advice_ask_all(const struct engine *engine, unsigned int what,
			  const struct advice_scope *scope, struct advice *advice)
{
	int code = EXIT_OK;

	if (what & ADVICE_BLOCKED)
		code = advice_ask(engine, "diagnose-blocked", scope, &advice->blocked);
	if (!code && what & ADVICE_PRIORITY)
		code = advice_ask(engine, "diagnose-priority", scope, &advice->priority);
	if (!code && what & ADVICE_RESERVATIONS && scope->count)
		ask_reservations(engine, scope->jobs[0], &advice->reservations);
	return code;
}

int advice_get(const struct cli *cli, unsigned int what, const struct advice_scope *scope,
	       struct advice *ret_advice)
{
	struct engine engine;
	char why[512];
	int found, code;

	*ret_advice = (struct advice){0};
	complaints_keep(why, sizeof(why));
	found = engine_find(cli, &engine);
	code = found ? found : advice_ask_all(&engine, what, scope, ret_advice);
	complaints_keep(NULL, 0);
	if (found == EXIT_ERRORS)
		return fail(EXIT_ERRORS, "%s", why);
	ret_advice->there = code == EXIT_OK;
	if (code == EXIT_OK)
		return EXIT_OK;
	advice_clear(ret_advice);
	note("this is from Slurm alone, as the engine does not answer: %s", why);
	return EXIT_OK;
}

void advice_clear(struct advice *advice)
{
	json_object_put(advice->blocked);
	json_object_put(advice->priority);
	json_object_put(advice->reservations);
	*advice = (struct advice){0};
}

struct json_object *advice_rows(struct json_object *answer)
{
	return member_array(member_object(answer, "data"), "jobs");
}

int64_t advice_omitted(struct json_object *answer)
{
	return member_integer(member_object(answer, "data"), "omitted");
}
