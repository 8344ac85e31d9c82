/* SPDX-License-Identifier: GPL-2.0-or-later */
/* JSON and texts that commands make: out of memory at every allocation, the command ends. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "common/report/json.h"
#include "contribs/maui/lib/command.h"
#include "contribs/maui/lib/text.h"
#include "testsuite/unit/shortage.h"

#define WRAPPED(type, name, failure, parameters, arguments)                                        \
	type __real_##name parameters;                                                             \
	type __wrap_##name parameters;                                                             \
	type __wrap_##name parameters                                                              \
	{                                                                                          \
		return runs_short() ? (failure) : __real_##name arguments;                         \
	}

WRAPPED(struct json_object *, json_object_new_object, NULL, (void), ())
WRAPPED(struct json_object *, json_object_new_array, NULL, (void), ())
WRAPPED(struct json_object *, json_object_new_string, NULL, (const char *text), (text))
WRAPPED(struct json_object *, json_object_new_string_len, NULL, (const char *text, int size),
	(text, size))
WRAPPED(struct json_object *, json_object_new_int64, NULL, (int64_t number), (number))
WRAPPED(struct json_object *, json_object_new_double, NULL, (double number), (number))
WRAPPED(struct json_object *, json_object_new_double_s, NULL, (double number, const char *text),
	(number, text))
WRAPPED(struct json_object *, json_object_new_boolean, NULL, (json_bool flag), (flag))
WRAPPED(int, json_object_object_add, -1,
	(struct json_object * object, const char *name, struct json_object *value),
	(object, name, value))
WRAPPED(int, json_object_object_add_ex, -1,
	(struct json_object * object, const char *name, struct json_object *value, unsigned flags),
	(object, name, value, flags))
WRAPPED(int, json_object_array_add, -1, (struct json_object * array, struct json_object *value),
	(array, value))

static void set_text(struct json_object *object)
{
	json_set_text(object, "a", "text");
}

static void set_no_text(struct json_object *object)
{
	json_set_text(object, "a", NULL);
}

static void set_number(struct json_object *object)
{
	json_set_number(object, "a", INT64_MIN);
}

static void set_real(struct json_object *object)
{
	json_set_real(object, "a", 0.5);
}

static void set_decimal(struct json_object *object)
{
	json_set_decimal(object, "a", 8.7);
	json_set_decimal(object, "b", NAN);
	json_set_decimal(object, "c", 20);
}

static void set_flag(struct json_object *object)
{
	json_set_flag(object, "a", true);
}

static void set_null(struct json_object *object)
{
	json_set(object, "a", NULL);
}

static void set_new(struct json_object *object)
{
	json_set_new(object, "a", json_make_part("text", 2));
}

static void add(struct json_object *object)
{
	json_add(object, "a", json_make_text("text"));
	json_add(object, "b", json_make_text(NULL));
	json_add(object, "c", json_make_number(1));
	json_add(object, "d", json_make_decimal(8.7));
	json_add(object, "e", json_make_flag(false));
}

static void set_same(struct json_object *object)
{
	struct json_object *from = json_make_object();

	json_set_number(from, "a", 1);
	json_set_same(object, from, "a");
	json_set_same(object, from, "b");
	json_set_same(object, NULL, "c");
	json_object_put(from);
}

static void append(struct json_object *object)
{
	struct json_object *array = json_make_array();

	json_set(object, "a", array);
	json_append_text(array, "x");
	json_append_number(array, 2);
	json_append(array, NULL);
}

static void set_printed(struct json_object *object)
{
	char *text = text_printf("%s %d", "text", 7), *copy = text_copy(text);

	json_set_text(object, text, copy);
	free(text);
	free(copy);
}

static const struct {
	void (*make)(struct json_object *object);
	size_t taken; /* of json-c: how many there are */
	const char *text;
} cases[] = {
	{set_text, 2, "{\"a\":\"text\"}"},
	{set_no_text, 1, "{\"a\":null}"},
	{set_number, 2, "{\"a\":-9223372036854775808}"},
	{set_real, 2, "{\"a\":0.5}"},
	{set_decimal, 5, "{\"a\":8.7,\"b\":null,\"c\":20}"},
	{set_flag, 2, "{\"a\":true}"},
	{set_null, 1, "{\"a\":null}"},
	{set_new, 2, "{\"a\":\"te\"}"},
	{add, 9, "{\"a\":\"text\",\"b\":null,\"c\":1,\"d\":8.7,\"e\":false}"},
	{set_same, 6, "{\"a\":1,\"b\":null,\"c\":null}"},
	{append, 7, "{\"a\":[\"x\",2,null]}"},
	{set_printed, 2, "{\"text 7\":\"text 7\"}"},
};

Test(command_json, what_is_made)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct json_object *object = json_make_object();

		shortage_begin(0, false);
		cases[i].make(object);
		cr_expect_eq(shortage_end(), cases[i].taken, "%s", cases[i].text);
		cr_expect_str_eq(json_object_to_json_string_ext(object, JSON_C_TO_STRING_PLAIN),
				 cases[i].text);
		json_object_put(object);
	}
}

/*
 * LeakSanitizer checks at the end of main(): a command that exits in the middle leaves its memory
 * allocated.
 */
static void leave(int status, void *unused)
{
	(void)unused;
	_exit(status);
}

/* In a child: returns how it exits, and stores what it prints. */
static int end_of(size_t which, size_t at, char said[256])
{
	int out[2], status = 0;
	ssize_t size;
	pid_t pid;

	cr_assert_eq(pipe(out), 0);
	pid = fork();
	cr_assert_geq(pid, 0);
	if (!pid) {
		struct json_object *object = json_make_object();

		on_exit(leave, NULL);
		dup2(out[1], STDERR_FILENO);
		complaints_keep((char[64]){""}, 64);
		shortage_begin(at, true);
		cases[which].make(object);
		_exit(77);
	}
	close(out[1]);
	size = read(out[0], said, 255);
	said[size > 0 ? size : 0] = '\0';
	close(out[0]);
	cr_assert_eq(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

Test(command_json, a_shortage_anywhere_ends_the_command)
{
	char said[256];

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		for (size_t at = 1; at <= cases[i].taken; at++) {
			cr_expect_eq(end_of(i, at, said), EXIT_ERRORS, "%s, %zu", cases[i].text,
				     at);
			cr_expect_not_null(strstr(said, "out of memory"), "%s, %zu: %s",
					   cases[i].text, at, said);
		}
}

Test(command_text, dates)
{
	static const struct {
		int64_t seconds;
		const char *text;
	} dates[] = {
		{0, "1970-01-01T00:00:00"},
		{1700000000, "2023-11-14T22:13:20"},
		{INT64_C(67767976233532799), "2147483647-12-31T23:59:59"}, /* the last one */
		{INT64_MAX, "?"},
		{INT64_MIN, "?"},
	};
	char text[TEXT_DATE_SIZE];

	setenv("TZ", "UTC", 1);
	tzset();
	for (size_t i = 0; i < sizeof(dates) / sizeof(dates[0]); i++)
		cr_expect_str_eq(text_date(dates[i].seconds, "?", text), dates[i].text);
}
