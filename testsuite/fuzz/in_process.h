/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Commands of `maui`, run in this process: no fork, and their output is kept. There is no Slurm
 * (no_slurm.c); the target supplies the engine.
 */
#ifndef MAUI_FUZZ_IN_PROCESS_H
#define MAUI_FUZZ_IN_PROCESS_H

#include <stddef.h>

#include <json-c/json.h>

/* What a command has printed: NUL-terminated, and valid until the next run. */
struct printed {
	const char *text;
	size_t size;
};

/*
 * The exit code of `maui WORDS`, which are separated by blanks: one of maui(1)'s, the engine's own
 * only if there is one. Either pointer may be NULL.
 */
int run_command(const char *words, struct printed *ret_out, struct printed *ret_errors);

/*
 * The same for a command with --json whose output, if there is any, is one line with an object of a
 * schema. The caller puts *ret_object, which is NULL if there is none.
 */
int run_json(const char *words, struct json_object **ret_object);

/*
 * The engine from now on; NULL for none. Returns an exit code, and its answer in *ret_data;
 * EXIT_REFUSED: it refuses. arguments, which may be NULL, stays the caller's.
 */
typedef int (*fake_engine)(const char *command, struct json_object *arguments,
			   struct json_object **ret_data);
void engine_is(fake_engine engine);

#endif
