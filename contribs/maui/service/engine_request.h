/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The engine in slurmctld, asked over its service: contribs/doc/service.md. */
#ifndef MAUI_ENGINE_REQUEST_H
#define MAUI_ENGINE_REQUEST_H

#include <limits.h>
#include <stdbool.h>

#include <json-c/json.h>

#include "contribs/maui/lib/command.h"

/* Where the engine listens if slurm.conf does not say. */
#define ENGINE_ADDRESS "127.0.0.1"

/* Where the engine is, and how to recognize it. */
struct engine {
	char host[256]; /* a path: of a socket, and there is no port */
	char port[8];
	char place[272];             /* both, for messages */
	char munge_socket[PATH_MAX]; /* "" munge's default */
	unsigned int slurm_uid;
	bool knows_slurm_uid;
	int timeout; /* seconds */
	bool notes;  /* say what every reader should know: that a maui.cfg was refused */
};

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
