/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the parser is built on: arena, numbers, files, words, excerpts. */
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/config/text/sources.h"
#include "common/config/text/words.h"
#include "common/util/arena.h"
#include "common/util/decimal.h"
#include "common/util/files/file.h"
#include "common/util/text.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

Test(support, an_arena_gives_zeroed_aligned_memory)
{
	struct maui_arena *arena = maui_arena_new();

	for (size_t size = 0; size < 3000; size += 7) {
		unsigned char *piece = maui_arena_alloc(arena, 1, size);
		char *text = maui_arena_text(arena, "abc", 3);

		cr_assert_not_null(piece);
		cr_expect_eq((uintptr_t)piece % alignof(max_align_t), 0);
		for (size_t i = 0; i < size; i++)
			cr_assert_eq(piece[i], 0);
		memset(piece, 0xff, size);
		cr_expect_str_eq(text, "abc");
	}
	cr_expect_not_null(maui_arena_alloc(arena, 1000, 1000));
	cr_expect_gt(maui_arena_size(arena), 1000000);
	cr_expect_str_eq(maui_arena_text(arena, "", 0), "");
	cr_expect_null(maui_arena_free(arena));
	cr_expect_null(maui_arena_free(NULL));
}

Test(support, whole_numbers_have_strtols_prefixes)
{
	static const struct {
		const char *text;
		int rc;
		int64_t value;
		const char *rest;
	} cases[] = {
		{"0", 0, 0, ""},
		{"10", 0, 10, ""},
		{"-10", 0, -10, ""},
		{"+10", 0, 10, ""},
		{" \t10", 0, 10, ""},
		{"010", 0, 8, ""},
		{"08", 0, 0, "8"},
		{"0x10", 0, 16, ""},
		{"0XfF", 0, 255, ""},
		{"0x", 0, 0, "x"},
		{"0xg", 0, 0, "xg"},
		{"0b1", 0, 0, "b1"},
		{"10abc", 0, 10, "abc"},
		{"9223372036854775807", 0, INT64_MAX, ""},
		{"-9223372036854775808", 0, INT64_MIN, ""},
		{"9223372036854775808", -ERANGE, 0, ""},
		{"-9223372036854775809", -ERANGE, 0, ""},
		{"", -EINVAL, 0, ""},
		{"-", -EINVAL, 0, ""},
		{"abc", -EINVAL, 0, ""},
		{"--1", -EINVAL, 0, ""},
		{" ", -EINVAL, 0, ""},
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		int64_t value = 77;
		const char *rest = NULL;
		int rc = maui_integer_parse(cases[i].text, &value, &rest);

		cr_expect_eq(rc, cases[i].rc, "%s: %d", cases[i].text, rc);
		cr_expect_eq(value, rc ? 77 : cases[i].value, "%s: %" PRId64, cases[i].text, value);
		if (!rc)
			cr_expect_str_eq(rest, cases[i].rest, "%s", cases[i].text);
		else
			cr_expect_null(rest);
	}
	cr_expect_eq(maui_integer_parse(NULL, NULL, NULL), -EINVAL);
}

Test(support, decimal_numbers_are_finite)
{
	static const struct {
		const char *text;
		int rc;
		double value;
		const char *rest;
	} cases[] = {
		{"0", 0, 0, ""},
		{"1.5", 0, 1.5, ""},
		{".5", 0, 0.5, ""},
		{"5.", 0, 5, ""},
		{"-1e3x", 0, -1000, "x"},
		{"1e", 0, 1, "e"},
		{"1e+", 0, 1, "e+"},
		{"1,5", 0, 1, ",5"},
		{"0x10", 0, 0, "x10"},
		{"010", 0, 10, ""},
		{"1e-999", 0, 0, ""},
		{"1e999", -ERANGE, 0, ""},
		{"-1e999", -ERANGE, 0, ""},
		{"nan", -EINVAL, 0, ""},
		{"inf", -EINVAL, 0, ""},
		{".", -EINVAL, 0, ""},
		{"e5", -EINVAL, 0, ""},
		{"", -EINVAL, 0, ""},
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		double value = 77;
		const char *rest = NULL;
		int rc = maui_real_parse(cases[i].text, &value, &rest);

		cr_expect_eq(rc, cases[i].rc, "%s: %d", cases[i].text, rc);
		cr_expect_eq(value, rc ? 77 : cases[i].value, "%s: %g", cases[i].text, value);
		if (!rc)
			cr_expect_str_eq(rest, cases[i].rest, "%s", cases[i].text);
	}
	cr_expect_eq(maui_real_parse(NULL, NULL, NULL), -EINVAL);
}

static char *in_directory(const char *directory, const char *name)
{
	static char path[256];

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	return path;
}

static void write_file(const char *path, const char *text, mode_t mode)
{
	FILE *file = fopen(path, "w");

	cr_assert_not_null(file);
	fputs(text, file);
	fclose(file);
	chmod(path, mode);
}

Test(support, a_file_is_read_whole_or_there_is_a_reason)
{
	char directory[] = "/tmp/maui-test-XXXXXX", *text = NULL, *path;
	unsigned int uid = geteuid(), other = 12345;
	struct maui_error error = {""};
	bool trusted = false;
	size_t size = 0;

	cr_assert(mkdtemp(directory));
	path = in_directory(directory, "f");
	write_file(path, "hello", 0644);
	cr_assert_eq(maui_file_read(path, 5, &uid, &text, &size, &trusted, &error), 0);
	cr_expect_eq(size, 5);
	cr_expect_str_eq(text, "hello");
	cr_expect(trusted);
	free(text);
	text = NULL;
	cr_expect_eq(maui_file_read(path, 4, &uid, &text, &size, &trusted, &error), -EFBIG);
	cr_expect(strstr(error.text, "more than the limit of 4"), "%s", error.text);
	chmod(path, 0660);
	cr_assert_eq(maui_file_read(path, 9, &uid, &text, &size, &trusted, &error), 0);
	cr_expect_not(trusted);
	free(text);
	chmod(path, 0602);
	cr_assert_eq(maui_file_read(path, 9, &uid, &text, &size, &trusted, NULL), 0);
	cr_expect_not(trusted);
	free(text);
	chmod(path, 0600);
	cr_assert_eq(maui_file_read(path, 9, &other, &text, &size, &trusted, NULL), 0);
	cr_expect_eq(trusted, uid == 0, "another user's file is not trusted");
	free(text);
	cr_assert_eq(maui_file_read(path, 9, NULL, &text, &size, NULL, NULL), 0);
	free(text);
	if (uid != 0) { /* root may read everything */
		chmod(path, 0000);
		cr_expect_eq(maui_file_read(path, 9, NULL, &text, &size, NULL, &error), -EACCES);
		cr_expect(strstr(error.text, "ermission"), "%s", error.text);
	}
	write_file(path, "", 0600);
	cr_assert_eq(maui_file_read(path, 9, NULL, &text, &size, NULL, NULL), 0);
	cr_expect_eq(size, 0);
	free(text);
	unlink(path);
	rmdir(directory);
}

Test(support, what_is_no_regular_file_is_not_read)
{
	char directory[] = "/tmp/maui-test-XXXXXX", *text = (char *)-1, *path;
	struct maui_error error = {""};
	size_t size = 7;

	cr_assert(mkdtemp(directory));
	path = in_directory(directory, "f");
	cr_expect_eq(maui_file_read(path, 9, NULL, &text, &size, NULL, &error), -ENOENT);
	cr_expect(strstr(error.text, path) && strstr(error.text, "No such file"), "%s", error.text);
	cr_expect_eq(maui_file_read(directory, 9, NULL, &text, &size, NULL, &error), -EISDIR);
	cr_expect(strstr(error.text, "is a directory"), "%s", error.text);
	cr_assert_eq(mkfifo(path, 0600), 0);
	cr_expect_eq(maui_file_read(path, 9, NULL, &text, &size, NULL, &error), -EINVAL);
	cr_expect(strstr(error.text, "is a FIFO"), "%s", error.text);
	unlink(path);
	cr_assert_eq(symlink("f", path), 0);
	cr_expect_eq(maui_file_read(path, 9, NULL, &text, &size, NULL, &error), -ELOOP);
	unlink(path);
	cr_expect_eq(maui_file_read("/dev/null", 9, NULL, &text, &size, NULL, &error), -EINVAL);
	cr_expect(strstr(error.text, "is a device"), "%s", error.text);
	cr_expect_eq(maui_file_read(NULL, 9, NULL, &text, &size, NULL, &error), -EINVAL);
	cr_expect_eq(maui_file_read("", 9, NULL, &text, &size, NULL, &error), -EINVAL);
	cr_expect_eq(maui_file_read(directory, 9, NULL, NULL, &size, NULL, &error), -EINVAL);
	cr_expect_eq(text, (char *)-1, "outputs are untouched on failure");
	cr_expect_eq(size, 7);
	rmdir(directory);
}

Test(support, a_file_without_a_size_is_read_up_to_its_end)
{
	char *text = NULL;
	size_t size = 0;

	if (access("/proc/self/status", R_OK))
		return;
	cr_assert_eq(maui_file_read("/proc/self/status", 1 << 20, NULL, &text, &size, NULL, NULL),
		     0);
	cr_expect_gt(size, 100);
	cr_expect_eq(strlen(text), size);
	free(text);
	text = NULL;
	cr_expect_eq(maui_file_read("/proc/self/status", 10, NULL, &text, &size, NULL, NULL),
		     -EFBIG);
	cr_expect_null(text);
}

Test(support, an_included_file_is_named_beside_the_including_one)
{
	static const struct {
		const char *path, *including, *name;
	} cases[] = {
		{"a", NULL, "a"},
		{"a", "b", "a"},
		{"a", "/etc/b", "/etc/a"},
		{"/x/a", "/etc/b", "/x/a"},
		{"./a", "/etc/b", "/etc/a"},
		{"././/a", "/etc/b", "/etc/a"},
		{"../a", "/etc/b", "/etc/../a"},
		{"d/./a", "c/b", "c/d/a"},
		{"/x//y/./a", NULL, "/x/y/a"},
		{"", "/etc/b", "/etc/"},
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		char *name = maui_source_name(cases[i].path, cases[i].including);

		cr_expect_str_eq(name, cases[i].name);
		free(name);
	}
}

Test(support, excerpts_are_short_and_printable)
{
	char buffer[MAUI_EXCERPT_SIZE], text[200];

	cr_expect_str_eq(maui_excerpt("abc", 3, buffer), "abc");
	cr_expect_str_eq(maui_excerpt("", 0, buffer), "");
	cr_expect_str_eq(maui_excerpt("a\nb\0c", 5, buffer), "a?b?c");
	cr_expect_str_eq(maui_excerpt("\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80", 9, buffer),
			 "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80");
	cr_expect_str_eq(maui_excerpt("\xc3", 1, buffer), "?");
	cr_expect_str_eq(maui_excerpt("\xc0\x80", 2, buffer), "??", "overlong");
	cr_expect_str_eq(maui_excerpt("\xed\xa0\x80", 3, buffer), "???", "a surrogate");
	cr_expect_str_eq(maui_excerpt("\xf5\x80\x80\x80", 4, buffer), "????", "beyond Unicode");
	cr_expect_str_eq(maui_excerpt("\xc2\x85", 2, buffer), "??", "a control character");
	memset(text, 'x', sizeof(text));
	maui_excerpt(text, sizeof(text), buffer);
	cr_expect_lt(strlen(buffer), MAUI_EXCERPT_SIZE);
	cr_expect_str_eq(buffer + strlen(buffer) - 4, "x...");
	for (size_t i = 0; i + 2 <= sizeof(text); i += 2)
		memcpy(text + i, "\xc3\xa4", 2);
	maui_excerpt(text, sizeof(text), buffer);
	cr_expect_str_eq(buffer + strlen(buffer) - 5, "\xc3\xa4...");
	strcpy(text, "\xe2\x82");
	maui_make_printable(text);
	cr_expect_str_eq(text, "??");
}

Test(support, words_are_taken_apart)
{
	static const struct {
		const char *line, *name, *dimension, *operation, *value;
	} cases[] = {
		{"A=1", "A", "", "=", "1"},
		{"A.B=1", "A.B", "", "=", "1"},
		{"A[x y=1", NULL, NULL, NULL, NULL},
		{"A[USER:b]=1,2", "A", "USER:b", "=", "1,2"},
		{"A<=4", "A", "", "<=", "4"},
		{"A+=4", "A", "", "+=", "4"},
		{"A-4", "A", "", "-", "4"},
		{"A==4", "A", "", "==", "4"},
		{"A=B=4", "A", "", "=", "B=4"},
		{"A='x y'", "A", "", "=", "'x y'"},
		{"A=", "A", "", "=", ""},
		{"A", NULL, NULL, NULL, NULL},
		{"A-", NULL, NULL, NULL, NULL},
		{"special-*", NULL, NULL, NULL, NULL},
		{"=A", NULL, NULL, NULL, NULL},
		{"'A'=1", NULL, NULL, NULL, NULL},
		{"A:1", NULL, NULL, NULL, NULL},
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		const char *line = cases[i].line;
		struct maui_word word;

		cr_assert(maui_word_next(line, strlen(line), 0, &word));
		cr_expect_eq(word.pair, cases[i].name != NULL, "%s", line);
		if (!word.pair || !cases[i].name)
			continue;
		cr_expect(maui_equals(line + word.name.start, maui_span_size(word.name),
				      cases[i].name));
		cr_expect(maui_equals(line + word.dimension.start, maui_span_size(word.dimension),
				      cases[i].dimension));
		cr_expect(maui_equals(line + word.operation.start, maui_span_size(word.operation),
				      cases[i].operation));
		cr_expect(maui_equals(line + word.value.start, maui_span_size(word.value),
				      cases[i].value));
	}
	cr_expect_not(maui_word_next("  ", 2, 0, &(struct maui_word){0}));
	cr_expect_not(maui_word_next("", 0, 0, &(struct maui_word){0}));
}
