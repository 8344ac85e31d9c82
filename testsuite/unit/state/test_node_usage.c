/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <malloc.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/state/node_usage.h"
#include "testsuite/fuzz/state_file.h"

#define FIRST_LINE "slurm-maui nodes 1\n"

static struct maui_node_usage *usage;
static char *text;
static size_t size;

static void setup(void)
{
	usage = maui_node_usage_new();
	cr_assert_not_null(usage);
}

static void teardown(void)
{
	maui_node_usage_free(usage);
	free(text);
}

TestSuite(node_usage, .init = setup, .fini = teardown);

static bool pass(double elapsed, const char *name, bool up, bool busy)
{
	maui_node_usage_begin(usage, elapsed);
	maui_node_usage_see(usage, name, up, busy);
	return maui_node_usage_end(usage);
}

/* ---- counting ---- */

static const struct percent_case {
	const char *what;
	struct {
		double elapsed;
		bool up, busy;
	} pass[4]; /* 0 seconds count nothing */
	double percent;
} percent_cases[] = {
	{"never seen", {{0, false, false}}, 0},
	{"idle", {{30, true, false}}, 0},
	{"busy", {{30, true, true}}, 100},
	{"half", {{30, true, true}, {30, true, false}}, 50},
	{"passes count by their length", {{10, true, true}, {30, true, false}}, 25},
	{"down time is not counted", {{30, true, true}, {1000, false, false}}, 100},
	{"what is down runs nothing", {{30, true, false}, {1000, false, true}}, 0},
	{"only down", {{30, false, false}}, 0},
	{"the first pass has no length", {{-1, true, true}, {30, true, false}}, 0},
	{"no time has passed", {{0, true, true}, {30, true, false}}, 0},
	{"nobody knows how long", {{INFINITY, true, true}, {30, true, false}}, 0},
	{"not a number", {{NAN, true, true}, {30, true, false}}, 0},
	{"longer than a file can hold", {{1e300, true, true}, {30, true, false}}, 0},
	{"fractions of seconds", {{0.25, true, true}, {0.75, true, false}}, 25},
	{"a long life", {{1e11, true, true}, {1e11, true, false}, {1e11, true, true}}, 50},
};

Test(node_usage, seconds_are_told)
{
	struct maui_node_usage_seconds seconds;

	pass(30, "n1", true, true);
	pass(50, "n1", true, false);
	seconds = maui_node_usage_seconds(usage, "n1");
	cr_expect_eq(seconds.up, 80);
	cr_expect_eq(seconds.busy, 30);
	cr_expect_eq(maui_node_usage_seconds(usage, "unknown").up, 0);
}

Test(node_usage, percent_of_the_up_time)
{
	for (size_t i = 0; i < sizeof(percent_cases) / sizeof(*percent_cases); i++) {
		const struct percent_case *one = &percent_cases[i];

		maui_node_usage_take(usage, NULL);
		for (size_t k = 0; k < 4; k++)
			pass(one->pass[k].elapsed, "n1", one->pass[k].up, one->pass[k].busy);
		cr_expect_float_eq(maui_node_usage_percent(usage, "n1"), one->percent, 1e-9,
				   "%s: %g", one->what, maui_node_usage_percent(usage, "n1"));
	}
}

Test(node_usage, a_pass_says_whether_it_counted)
{
	cr_expect_not(pass(-1, "n1", true, true));
	cr_expect_not(pass(30, "n1", false, false));
	cr_expect(pass(30, "n1", true, false));
	cr_expect_not(pass(30, "", true, false));
	maui_node_usage_begin(usage, 30);
	cr_expect_not(maui_node_usage_end(usage));
}

Test(node_usage, a_node_counts_once_per_pass)
{
	maui_node_usage_begin(usage, 30);
	maui_node_usage_see(usage, "n1", true, true);
	maui_node_usage_see(usage, "n1", true, false);
	maui_node_usage_end(usage);
	cr_expect_eq(maui_node_usage_percent(usage, "n1"), 100);
}

Test(node_usage, outside_a_pass_nothing_counts)
{
	maui_node_usage_see(usage, "n1", true, true);
	pass(30, "n2", true, true);
	maui_node_usage_see(usage, "n1", true, true);
	cr_expect_eq(maui_node_usage_percent(usage, "n1"), 0);
	cr_expect_eq(maui_node_usage_count(usage), 1);
}

Test(node_usage, nodes_are_told_apart)
{
	maui_node_usage_begin(usage, 30);
	maui_node_usage_see(usage, "n1", true, true);
	maui_node_usage_see(usage, "n2", true, false);
	maui_node_usage_see(usage, "N1", true, false);
	maui_node_usage_end(usage);
	cr_expect_eq(maui_node_usage_percent(usage, "n1"), 100);
	cr_expect_eq(maui_node_usage_percent(usage, "n2"), 0);
	cr_expect_eq(maui_node_usage_percent(usage, "N1"), 0);
}

Test(node_usage, a_busy_time_without_end_stays_within_100)
{
	for (int i = 0; i < 100000; i++)
		pass(0.1 + i * 1e-7, "n1", true, true);
	cr_expect_eq(maui_node_usage_percent(usage, "n1"), 100);
}

/* ---- numbers ---- */

Test(node_usage, a_number_stands_for_a_name_for_ever)
{
	uint32_t id = maui_node_usage_id(usage, "n1");
	struct maui_node_usage *from = maui_node_usage_new();

	cr_assert_not_null(from);
	cr_expect_neq(id, 0);
	cr_expect_eq(maui_node_usage_percent_of(usage, id), 0);
	pass(30, "n1", true, true);
	cr_expect_eq(maui_node_usage_id(usage, "n1"), id);
	cr_expect_eq(maui_node_usage_percent_of(usage, id), 100);
	maui_node_usage_begin(from, 30);
	maui_node_usage_see(from, "n0", true, true);
	maui_node_usage_see(from, "n1", true, false);
	maui_node_usage_end(from);
	maui_node_usage_take(usage, from);
	maui_node_usage_free(from);
	cr_expect_eq(maui_node_usage_id(usage, "n1"), id);
	cr_expect_eq(maui_node_usage_percent_of(usage, id), 0);
	cr_expect_eq(maui_node_usage_percent(usage, "n0"), 100);
	pass(30, "n1", true, true);
	cr_expect_eq(maui_node_usage_percent_of(usage, id), 50);
}

Test(node_usage, nothing_is_taken_of_what_was_known_before)
{
	pass(30, "n1", true, true);
	maui_node_usage_take(usage, NULL);
	cr_expect_eq(maui_node_usage_percent(usage, "n1"), 0);
	cr_expect_eq(maui_node_usage_count(usage), 1);
}

Test(node_usage, numbers_that_nobody_was_given_mean_nothing)
{
	pass(30, "n1", true, true);
	cr_expect_eq(maui_node_usage_percent_of(usage, 0), 0);
	cr_expect_eq(maui_node_usage_percent_of(usage, 2), 0);
	cr_expect_eq(maui_node_usage_percent_of(usage, UINT32_MAX), 0);
}

Test(node_usage, names_that_no_line_can_hold_are_left_out)
{
	static const char *const names[] = {"", "a b", "a\n", "\t", "a\x7f"};
	char long_name[MAUI_NODE_USAGE_MAX_NAME + 2];

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		pass(30, names[i], true, true);
		cr_expect_eq(maui_node_usage_id(usage, names[i]), 0, "\"%s\"", names[i]);
		cr_expect_eq(maui_node_usage_percent(usage, names[i]), 0);
	}
	memset(long_name, 'n', sizeof(long_name));
	long_name[MAUI_NODE_USAGE_MAX_NAME + 1] = '\0';
	cr_expect_eq(maui_node_usage_id(usage, long_name), 0);
	long_name[MAUI_NODE_USAGE_MAX_NAME] = '\0';
	cr_expect_eq(maui_node_usage_id(usage, long_name), 1);
	cr_expect_not(maui_node_usage_left_out(usage));
}

/* ---- many ---- */

static void see_many(uint32_t count, double elapsed, bool busy)
{
	char name[32];

	maui_node_usage_begin(usage, elapsed);
	for (uint32_t i = 0; i < count; i++) {
		snprintf(name, sizeof(name), "node%05" PRIu32, i);
		maui_node_usage_see(usage, name, true, busy);
	}
	maui_node_usage_end(usage);
}

Test(node_usage, a_pass_over_known_nodes_asks_for_no_memory)
{
	size_t before;

	see_many(10000, 30, true);
	before = mallinfo2().uordblks;
	see_many(10000, 30, false);
	cr_expect_eq(mallinfo2().uordblks, before);
	cr_expect_eq(maui_node_usage_percent(usage, "node09999"), 50);
}

Test(node_usage, more_nodes_than_a_table_holds_are_left_out)
{
	struct maui_node_usage *again = NULL;

	see_many(MAUI_NODE_USAGE_MAX_NODES, 30, true);
	cr_expect_not(maui_node_usage_left_out(usage));
	pass(30, "one-more", true, true);
	cr_expect(maui_node_usage_left_out(usage));
	cr_expect_eq(maui_node_usage_percent(usage, "one-more"), 0);
	cr_expect_eq(maui_node_usage_count(usage), MAUI_NODE_USAGE_MAX_NODES);
	pass(30, "node65535", true, false);
	cr_expect_eq(maui_node_usage_percent(usage, "node65535"), 50);
	/* and they fit into a file */
	maui_node_usage_format(&usage, &text, &size);
	cr_expect_leq(size, MAUI_NODE_USAGE_MAX_SIZE);
	cr_assert_eq(maui_node_usage_parse(text, size, &again, NULL), 0);
	cr_expect_eq(maui_node_usage_percent(again, "node65535"), 50);
	/* when reading one with other nodes */
	maui_node_usage_free(usage);
	usage = maui_node_usage_new();
	maui_node_usage_id(usage, "one-more");
	maui_node_usage_take(usage, again);
	cr_expect(maui_node_usage_left_out(usage));
	cr_expect_eq(maui_node_usage_percent(usage, "node65534"), 100);
	cr_expect_eq(maui_node_usage_percent(usage, "node65535"), 0);
	maui_node_usage_free(again);
}

/* ---- text ---- */

/* n1: 3600 of 7200.4 seconds, n-2.example: 0 of 60, n3: never up for a second, n4: known, never
 * seen. */
static void write_sample(void)
{
	pass(3600, "n1", true, true);
	pass(3600.4, "n1", true, false);
	pass(59.5, "n-2.example", true, false);
	pass(0.4, "n3", true, true);
	maui_node_usage_id(usage, "n4");
	maui_node_usage_format(&usage, &text, &size);
}

Test(node_usage, what_was_written_is_read)
{
	struct maui_node_usage *again = NULL;
	struct maui_error error = {""};

	write_sample();
	cr_assert_eq(maui_node_usage_parse(text, size, &again, &error), 0, "%s", error.text);
	cr_expect_eq(maui_node_usage_count(again), 2);
	cr_expect_eq(maui_node_usage_percent(again, "n1"), 50);
	cr_expect_eq(maui_node_usage_seconds(again, "n1").up, 7200);
	cr_expect_eq(maui_node_usage_percent(again, "n-2.example"), 0);
	cr_expect_eq(maui_node_usage_percent(again, "n3"), 0);
	maui_node_usage_free(again);
}

/* A file with a valid last line. The result, which must be freed, is NULL if it is refused. */
static struct maui_node_usage *read_lines(const char *lines, size_t length,
					  struct maui_error *error)
{
	char *content = malloc(length + 128);
	struct maui_node_usage *result = NULL;
	size_t at = strlen(FIRST_LINE);

	cr_assert_not_null(content);
	memcpy(content, FIRST_LINE, at);
	memcpy(content + at, lines, length);
	at += length;
	content[at++] = '\n';
	at += (size_t)last_line(content + at, 80, content, at);
	cr_expect_eq(!maui_node_usage_parse(content, at, &result, error), result != NULL);
	free(content);
	return result;
}

Test(node_usage, a_name_has_its_bound)
{
	char line[MAUI_NODE_USAGE_MAX_NAME + 32];
	struct maui_node_usage *got;

	for (int more = 0; more < 2; more++) {
		int length = snprintf(line, sizeof(line), "node %0*d 1 0",
				      MAUI_NODE_USAGE_MAX_NAME + more, 7);

		got = read_lines(line, (size_t)length, NULL);
		cr_expect_eq(got != NULL, !more);
		maui_node_usage_free(got);
	}
}

Test(node_usage, a_file_of_too_many_nodes_is_refused)
{
	char *lines = malloc((MAUI_NODE_USAGE_MAX_NODES + 1) * 20), *at = lines;
	struct maui_error error = {""};

	cr_assert_not_null(lines);
	for (int i = 0; i <= MAUI_NODE_USAGE_MAX_NODES; i++)
		at += sprintf(at, "node n%d 1 0\n", i);
	cr_expect_null(read_lines(lines, (size_t)(at - lines) - 1, &error));
	cr_expect_str_eq(error.text, "line 65538 is one node too many");
	free(lines);
}

Test(node_usage, counting_goes_on_where_the_file_ended)
{
	struct maui_error error = {""};
	struct maui_node_usage *from =
		read_lines("node n1 300 100", strlen("node n1 300 100"), &error);

	cr_assert_not_null(from, "%s", error.text);
	maui_node_usage_take(usage, from);
	maui_node_usage_free(from);
	pass(100, "n1", true, true);
	cr_expect_eq(maui_node_usage_percent(usage, "n1"), 50);
}

Test(node_usage, what_a_file_could_not_hold_is_not_counted)
{
	struct maui_node_usage *from = read_lines("node n1 253402300799 0", 22, NULL);

	cr_assert_not_null(from);
	maui_node_usage_take(usage, from);
	maui_node_usage_free(from);
	cr_expect_not(pass(30, "n1", true, true));
	cr_expect_eq(maui_node_usage_percent(usage, "n1"), 0);
}
