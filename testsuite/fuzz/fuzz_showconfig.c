/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Any bytes as a maui.cfg, with files beside it, to `maui showconfig FILE` and `maui whatif FILE`:
 * the single text that whatif sends means the same to the engine as the files do to showconfig.
 */
#include <string.h>

#include "common/config/config.h"
#include "common/report/report.h"
#include "contribs/maui/lib/command.h"
#include "contribs/maui/lib/output.h"
#include "testsuite/fuzz/in_process.h"
#include "testsuite/fuzz/memory_files.h"
#include "testsuite/fuzz/require.h"

#define PATH MEMORY_DIRECTORY "maui.cfg"

/* What the engine was asked; NULL: nothing. */
static struct json_object *sent;

static int engine(const char *command, struct json_object *arguments, struct json_object **ret_data)
{
	REQUIRE(!strcmp(command, "whatif") && arguments && !sent);
	sent = json_object_get(arguments);
	*ret_data = json_object_new_object();
	json_object_object_add(*ret_data, "movers", json_object_new_array());
	json_object_object_add(*ret_data, "newly_blocked_jobs", json_object_new_array());
	return EXIT_OK;
}

/* ---- showconfig ---- */

static bool is_text(struct json_object *object, const char *name, bool or_null)
{
	struct json_object *member;

	if (!json_object_object_get_ex(object, name, &member))
		return false;
	return member ? json_object_is_type(member, json_type_string) : or_null;
}

static void check_value(struct json_object *value)
{
	struct json_object *origin = member_object(value, "origin");

	REQUIRE(is_text(value, "parameter", false) && is_text(value, "value", false));
	REQUIRE(is_text(value, "index", true) && is_text(value, "section", true));
	REQUIRE(is_text(value, "name", true));
	if (origin)
		REQUIRE(memory_files_find(member_text(origin, "file")) &&
			member_integer(origin, "line") >= 1 &&
			member_integer(origin, "column") >= 1);
}

/* The values. */
static struct json_object *check_values(int code, struct json_object *shown)
{
	struct json_object *values = member_array(shown, "values");

	REQUIRE(values && (code == EXIT_OK || code == EXIT_ERRORS));
	for (size_t i = 0; i < array_size(values); i++)
		check_value(json_object_array_get_idx(values, i));
	return values;
}

static void check_lines(int code)
{
	struct printed text, verbose;

	REQUIRE(run_command("showconfig " PATH, &text, NULL) == code);
	REQUIRE(text.size && text.text[text.size - 1] == '\n');
	REQUIRE(run_command("showconfig -v " PATH, &verbose, NULL) == code);
	REQUIRE(verbose.size && verbose.text[verbose.size - 1] == '\n');
}

/* ---- whatif ---- */

/* Of who may write the files, which decides this, the text that is sent says nothing. */
static bool names_a_command(struct json_object *value)
{
	const char *name = member_text(value, "parameter");

	return !strcmp(name, "TRIGGER") || !strcmp(name, "NODEALLOCATIONLOCAL") ||
	       !strcmp(name, "NODEALLOCATIONPOLICY");
}

/* The values without their places and the file's path. */
static void forget_places(struct json_object *values)
{
	for (size_t i = array_size(values); i-- > 0;) {
		struct json_object *value = json_object_array_get_idx(values, i);

		if (names_a_command(value))
			json_object_array_del_idx(values, i, 1);
		else
			json_object_object_del(value, "origin");
	}
}

/* As the engine reads it. */
static struct json_object *values_of(const char *text, size_t size)
{
	struct maui_config *config = NULL;
	struct json_object *data;
	struct maui_error error;

	REQUIRE(!maui_config_parse(PATH, text, size, NULL, &config, &error));
	REQUIRE(!maui_config_errors(config));
	data = maui_report_config(config);
	maui_config_unref(config);
	return data;
}

static void check_sent(struct json_object *shown)
{
	struct json_object *text, *values;

	REQUIRE(sent && json_object_object_get_ex(sent, "text", &text));
	values = values_of(json_object_get_string(text), (size_t)json_object_get_string_len(text));
	forget_places(shown);
	forget_places(member_array(values, "values"));
	REQUIRE(json_object_equal(shown, member_array(values, "values")));
	json_object_put(values);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct memory_files files;
	struct json_object *shown, *compared, *values;
	int code, asked;

	memory_files_split("maui.cfg", data, size, &files);
	memory_files_use(&files);
	engine_is(engine);
	code = run_json("showconfig " PATH, &shown);
	values = check_values(code, shown);
	if (size % 4 == 0) /* the output for people costs as much as all the rest */
		check_lines(code);
	asked = run_json("whatif " PATH, &compared);
	REQUIRE(asked == code && !compared == !!code && !sent == !!code);
	if (!asked)
		check_sent(values);
	json_object_put(sent);
	sent = NULL;
	json_object_put(shown);
	json_object_put(compared);
	memory_files_use(NULL);
	return 0;
}
