/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "testsuite/fuzz/in_process.h"

#include <stdlib.h>
#include <string.h>

#include "common/util/text.h"
#include "contribs/maui/lib/command.h"
#include "contribs/maui/lib/terminal.h"
#include "contribs/maui/program.h"
#include "testsuite/fuzz/require.h"

#define MAX_WORDS 24
#define TEXT_SIZE 512

/* Where a stream goes: keeps all of what was last written. */
struct sink {
	FILE *stream;
	char *text;
	size_t used, room;
};

static struct sink out, errors;

static ssize_t keep(void *cookie, const char *text, size_t size)
{
	struct sink *sink = cookie;

	if (sink->used + size + 1 > sink->room) {
		sink->room = 2 * (sink->used + size + 1);
		sink->text = realloc(sink->text, sink->room);
		REQUIRE(sink->text);
	}
	memcpy(sink->text + sink->used, text, size);
	sink->used += size;
	sink->text[sink->used] = '\0';
	return (ssize_t)size;
}

static void open_sink(struct sink *sink)
{
	if (!sink->stream) {
		sink->stream = fopencookie(sink, "w", (cookie_io_functions_t){.write = keep});
		REQUIRE(sink->stream);
		setvbuf(sink->stream, NULL, _IOFBF, 1 << 16);
		keep(sink, "", 0);
	}
	sink->used = 0;
	sink->text[0] = '\0';
}

static void take(struct sink *sink, struct printed *ret_printed)
{
	fflush(sink->stream);
	if (ret_printed)
		*ret_printed = (struct printed){sink->text, sink->used};
}

/* In lines, with tabs in a script; a run on a terminal has no colours. */
static void require_printable(const struct sink *sink)
{
	for (size_t at = 0; at < sink->used; at++) {
		at += maui_printable_size(sink->text + at, sink->used - at);
		REQUIRE(at == sink->used || sink->text[at] == '\n' || sink->text[at] == '\t');
	}
}

/* The words, after the program's name; getopt reorders them. Returns their number. */
static int cut(char *text, char *argv[MAX_WORDS + 1])
{
	char *rest;
	int count = 0;

	for (char *word = strtok_r(text, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
		REQUIRE(count < MAX_WORDS);
		argv[count++] = word;
	}
	argv[count] = NULL;
	return count;
}

int run_command(const char *words, struct printed *ret_out, struct printed *ret_errors)
{
	FILE *real_out = stdout, *real_errors = stderr;
	char text[TEXT_SIZE], *argv[MAX_WORDS + 1];
	int count, code;

	REQUIRE((size_t)snprintf(text, sizeof(text), "maui %s", words) < sizeof(text));
	REQUIRE(!setenv("NO_COLOR", "1", 1));
	count = cut(text, argv);
	open_sink(&out);
	open_sink(&errors);
	stdout = out.stream;
	stderr = errors.stream;
	terminal_begin();
	code = command_run(count, argv);
	REQUIRE(!terminal_end());
	take(&out, ret_out);
	require_printable(&out);
	take(&errors, ret_errors);
	stdout = real_out;
	stderr = real_errors;
	REQUIRE(code >= EXIT_OK && code <= EXIT_REFUSED);
	return code;
}

/* One line, with nothing after the object in it. */
static struct json_object *parse(const struct printed *printed)
{
	struct json_tokener *tokener = json_tokener_new_ex(128);
	struct json_object *object;

	REQUIRE(tokener && printed->text[printed->size - 1] == '\n');
	REQUIRE(strlen(printed->text) == printed->size);
	/* That of 0.18 refuses all but ASCII. */
	if (json_c_version_num() != (18 << 8))
		json_tokener_set_flags(tokener, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8);
	REQUIRE(maui_printable_size(printed->text, printed->size - 1) == printed->size - 1);
	object = json_tokener_parse_ex(tokener, printed->text, (int)printed->size);
	REQUIRE(object && json_tokener_get_parse_end(tokener) >= printed->size - 1);
	json_tokener_free(tokener);
	return object;
}

int run_json(const char *words, struct json_object **ret_object)
{
	struct printed printed;
	struct json_object *schema;
	char text[TEXT_SIZE];
	int code;

	snprintf(text, sizeof(text), "%s --json", words);
	code = run_command(text, &printed, NULL);
	*ret_object = printed.size ? parse(&printed) : NULL;
	REQUIRE(*ret_object || code);
	if (*ret_object)
		REQUIRE(json_object_object_get_ex(*ret_object, "schema", &schema) &&
			!strncmp(json_object_get_string(schema), "maui.", 5));
	return code;
}
