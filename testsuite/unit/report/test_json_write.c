/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Text of any bytes becomes JSON that strict readers take. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "common/report/json_write.h"

static const struct {
	const char *text, *json;
} texts[] = {
	{"plain", "plain"},
	{"", ""},
	{"a\"b\\c/d", "a\\\"b\\\\c/d"},
	{"\n\t\x1b\x7f", "\\u000a\\u0009\\u001b\\u007f"},
	{"gr\xc3\xbc\xc3\x9f", "gr\xc3\xbc\xc3\x9f"},
	{"caf\xe9", "caf\\ufffd"},
	{"\xe9t\xe9", "\\ufffdt\\ufffd"},
	{"\xc2\x9b\xc2\x80\xc2\xa0", "\\u009b\\u0080\xc2\xa0"}, /* C1, and what follows it */
	{"\x9b\xc2", "\\ufffd\\ufffd"},
	{"\xc0\xaf", "\\ufffd\\ufffd"},                       /* overlong */
	{"\xed\xa0\x80", "\\ufffd\\ufffd\\ufffd"},            /* a surrogate */
	{"\xf4\x90\x80\x80", "\\ufffd\\ufffd\\ufffd\\ufffd"}, /* behind the last */
	{"\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80"},
	{"\xe2\x82", "\\ufffd\\ufffd"}, /* cut off */
};

static char *written(const char *text)
{
	char *json = NULL;
	size_t size;
	FILE *file = open_memstream(&json, &size);

	cr_assert(file);
	maui_json_write_string(text, strlen(text), file);
	cr_assert_eq(fclose(file), 0);
	return json;
}

Test(json_write, a_string_is_utf8_without_control_characters)
{
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		char *json = written(texts[i].text);

		cr_expect_str_eq(json, texts[i].json, "case %zu", i);
		free(json);
	}
}

/* json-c escapes in its own way; names of members count, too. */
Test(json_write, so_is_a_line_of_json)
{
	struct json_object *object = json_object_new_object();
	size_t size;
	char *line;

	json_object_object_add(object, "k\xe9", json_object_new_string("a\"\n\xc2\x9b/\xe9"));
	line = json_line(object, &size);
	cr_assert_str_eq(line, "{\"k\\ufffd\":\"a\\\"\\n\\u009b/\\ufffd\"}\n");
	cr_expect_eq(size, strlen(line));
	free(line);
	json_object_put(object);
}
