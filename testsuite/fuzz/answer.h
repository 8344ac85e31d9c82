/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The engine's answer to whatever a command asks: a part of the fuzzer's input. */
#ifndef MAUI_FUZZ_ANSWER_H
#define MAUI_FUZZ_ANSWER_H

#include <json-c/json.h>

#include "contribs/maui/lib/command.h"
#include "testsuite/fuzz/memory_files.h"
#include "testsuite/fuzz/require.h"

static const struct memory_file *answer; /* NULL: there is none */

/* Anything but an object is a refusal. */
static int engine(const char *command, struct json_object *arguments, struct json_object **ret_data)
{
	struct json_tokener *tokener = json_tokener_new();

	(void)command;
	(void)arguments;
	REQUIRE(tokener);
	*ret_data = answer ? json_tokener_parse_ex(tokener, answer->text, (int)answer->size) : NULL;
	json_tokener_free(tokener);
	if (json_object_is_type(*ret_data, json_type_object))
		return EXIT_OK;
	json_object_put(*ret_data);
	return EXIT_REFUSED;
}

#endif
