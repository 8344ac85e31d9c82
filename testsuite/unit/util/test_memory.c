/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An allocation that fails says how much was asked for, and ends the process. */
#include "common/util/memory.h"

#include <criterion/criterion.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/util/arena.h"
#include "common/util/grow.h"
#include "testsuite/unit/asan_returns_null.h"

#define TOO_MUCH ((size_t)PTRDIFF_MAX) /* no allocator has it, and glibc refuses more */

/* ---- there is memory ---- */

Test(memory, what_is_asked_for_is_there)
{
	char *text = maui_asprintf("%s %d", "node", 7);
	uint32_t *list = maui_calloc(3, sizeof(*list));

	cr_expect_str_eq(text, "node 7");
	free(text);
	cr_expect_eq(list[0] | list[1] | list[2], 0);
	list = maui_realloc(list, 1000, sizeof(*list));
	list[999] = 9;
	free(list);
	text = maui_strdup("abc");
	cr_expect_str_eq(text, "abc");
	free(text);
	text = maui_strndup("abc", 2);
	cr_expect_str_eq(text, "ab");
	free(text);
	text = maui_strndup("abc", 9);
	cr_expect_str_eq(text, "abc");
	free(text);
}

Test(memory, nothing_asked_for_is_not_null)
{
	void *const none[] = {maui_calloc(0, 8), maui_malloc(8, 0), maui_realloc(NULL, 0, 8)};

	for (size_t i = 0; i < sizeof(none) / sizeof(*none); i++) {
		cr_expect_not_null(none[i]);
		free(none[i]);
	}
}

/* ---- there is none ---- */

static void calloc_fails(void)
{
	free(maui_calloc(1, TOO_MUCH));
}

static void malloc_fails(void)
{
	free(maui_malloc(1, TOO_MUCH));
}

static void realloc_fails(void)
{
	free(maui_realloc(maui_malloc(1, 1), 1, TOO_MUCH));
}

static void count_overflows(void)
{
	free(maui_calloc(SIZE_MAX / 2, 3));
}

static void array_overflows(void)
{
	size_t room = 0;

	free(maui_grow(NULL, SIZE_MAX / 2, &room, 3));
}

static void arena_overflows(void)
{
	maui_arena_free(maui_arena_alloc(maui_arena_new(), SIZE_MAX, 2));
}

static void arena_text_overflows(void)
{
	free(maui_arena_text(maui_arena_new(), "", SIZE_MAX));
}

static void arena_fails(void)
{
	maui_arena_free(maui_arena_alloc(maui_arena_new(), 1, SIZE_MAX / 4 * 3));
}

static void say(size_t bytes)
{
	fprintf(stderr, "handler: %zu\n", bytes);
	_exit(7);
}

static void handler_ends_it(void)
{
	maui_memory_set_handler(say);
	free(maui_calloc(2, TOO_MUCH / 2));
}

static void ignore(size_t bytes)
{
}

static void handler_returns(void)
{
	maui_memory_set_handler(ignore);
	free(maui_malloc(1, TOO_MUCH));
}

/*
 * The last line that the process writes to stderr (AddressSanitizer warns before it); *ret_status is
 * its exit status, -1 if a signal ended it.
 */
static void run(void (*fails)(void), char text[static 200], int *ret_status)
{
	char written[4096];
	const char *last;
	int ends[2], status;
	size_t size = 0;
	ssize_t got;
	pid_t child;

	cr_assert_eq(pipe(ends), 0);
	child = fork();
	cr_assert_geq(child, 0);
	if (!child) {
		dup2(ends[1], STDERR_FILENO);
		fails();
		_exit(0);
	}
	close(ends[1]);
	while ((got = read(ends[0], written + size, sizeof(written) - 1 - size)) > 0)
		size += (size_t)got;
	written[size] = '\0';
	close(ends[0]);
	last = size > 1 ? memrchr(written, '\n', size - 1) : NULL;
	snprintf(text, 200, "%.199s", last ? last + 1 : written);
	cr_assert_eq(waitpid(child, &status, 0), child);
	*ret_status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

Test(memory, a_failure_says_how_much_was_asked_for_and_ends_the_process)
{
	static const struct {
		const char *name;
		void (*fails)(void);
		size_t bytes;
	} ways[] = {
		{"calloc", calloc_fails, TOO_MUCH},       {"malloc", malloc_fails, TOO_MUCH},
		{"realloc", realloc_fails, TOO_MUCH},     {"count", count_overflows, SIZE_MAX},
		{"grow", array_overflows, SIZE_MAX},      {"arena", arena_overflows, SIZE_MAX},
		{"text", arena_text_overflows, SIZE_MAX}, {"handler", handler_returns, TOO_MUCH},
	};
	char text[200], expected[200];
	int status;

	for (size_t i = 0; i < sizeof(ways) / sizeof(*ways); i++) {
		run(ways[i].fails, text, &status);
		snprintf(expected, sizeof(expected), "out of memory: cannot allocate %zu bytes\n",
			 ways[i].bytes);
		cr_expect_str_eq(text, expected, "%s", ways[i].name);
		cr_expect_eq(status, EXIT_FAILURE, "%s: %d", ways[i].name, status);
	}
}

Test(memory, an_arena_ends_in_the_same_way)
{
	char text[200];
	int status;

	run(arena_fails, text, &status);
	cr_expect_eq(strncmp(text, "out of memory: cannot allocate ", 31), 0, "%s", text);
	cr_expect_eq(status, EXIT_FAILURE);
}

Test(memory, a_handler_is_told_how_much_was_asked_for)
{
	char text[200], expected[200];
	int status;

	run(handler_ends_it, text, &status);
	snprintf(expected, sizeof(expected), "handler: %zu\n", TOO_MUCH / 2 * 2);
	cr_expect_str_eq(text, expected);
	cr_expect_eq(status, 7);
}
