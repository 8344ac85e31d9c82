/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contribs/maui/service/advice.h"

#include <stdio.h>

#include "contribs/maui/lib/output.h"
#include "contribs/maui/service/engine.h"

static bool add_text(struct json_object *object, const char *name, const char *text)
{
	return !text || !json_object_object_add(object, name, json_object_new_string(text));
}

static bool add_jobs(struct json_object *object, const struct advice_scope *scope)
{
	struct json_object *array;

	if (!scope->count)
		return true;
	array = json_object_new_array();
	if (!array || json_object_object_add(object, "jobs", array)) {
		json_object_put(array);
		return false;
	}
	for (size_t i = 0; i < scope->count; i++)
		if (json_object_array_add(array, json_object_new_int64(scope->jobs[i])))
			return false;
	return true;
}

static int ask(const struct engine *engine, const char *command, const struct advice_scope *scope,
	       struct json_object **ret_answer)
{
	struct json_object *arguments = json_object_new_object();
	int code;

	if (!arguments || !add_text(arguments, "partition", scope->partition) ||
	    !add_text(arguments, "user", scope->user) || !add_jobs(arguments, scope)) {
		json_object_put(arguments);
		return fail_memory();
	}
	code = engine_ask(engine, command, arguments, ret_answer);
	if (code)
		*ret_answer = NULL;
	else if (!advice_rows(*ret_answer))
		code = fail(EXIT_UNTRUSTED, "its answer has no jobs");
	return code;
}

/* PrivateData may forbid it: then it is not known. */
static void ask_reservations(const struct engine *engine, int64_t job,
			     struct json_object **ret_answer)
{
	struct json_object *arguments = json_object_new_object();

	if (json_object_object_add(arguments, "job", json_object_new_int64(job)) ||
	    engine_ask(engine, "explain-reservations", arguments, ret_answer))
		*ret_answer = NULL;
}

static int ask_all(const struct engine *engine, unsigned int what, const struct advice_scope *scope,
		   struct advice *advice)
{
	int code = EXIT_OK;

	if (what & ADVICE_BLOCKED)
		code = ask(engine, "diagnose-blocked", scope, &advice->blocked);
	if (!code && what & ADVICE_PRIORITY)
		code = ask(engine, "diagnose-priority", scope, &advice->priority);
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
	code = found ? found : ask_all(&engine, what, scope, ret_advice);
	complaints_keep(NULL, 0);
	if (found == EXIT_ERRORS)
		return fail(EXIT_ERRORS, "%s", why);
	ret_advice->there = code == EXIT_OK;
	if (code == EXIT_OK)
		return EXIT_OK;
	advice_clear(ret_advice);
	note("this is what Slurm alone tells, for the engine does not: %s", why);
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
