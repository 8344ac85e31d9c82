/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The engine in slurmctld, asked over its service: contribs/doc/service.md. */
#ifndef MAUI_ENGINE_REQUEST_H
#define MAUI_ENGINE_REQUEST_H

#include <json-c/json.h>

#include "contribs/maui/lib/command.h"
#include "contribs/maui/service/engine_place.h"

/*
 * Find the engine: options, then the environment (MAUI_SERVER=host:port or a path), then
 * slurm.conf, for the port also maui.cfg, then 127.0.0.1:42559. Says what is wrong and returns an exit code.
 */
int engine_find(const struct cli *cli, struct engine *ret_engine);

/*
 * One request. arguments is used up. EXIT_OK: *ret_answer is the whole answer, whose status is "ok"
 * and whose proof is valid; the caller puts it. Otherwise says what is wrong and returns an exit
 * code.
 */
int engine_ask(const struct engine *engine, const char *command, struct json_object *arguments,
	       struct json_object **ret_answer);

/* Both, for commands that ask one question. */
int engine_query(const struct cli *cli, const char *command, struct json_object *arguments,
		 struct json_object **ret_answer);

/* The same for a request that changes something: asks for a challenge first, and repeats it. */
int engine_change(const struct cli *cli, const char *command, struct json_object *arguments,
		  struct json_object **ret_answer);

#endif
