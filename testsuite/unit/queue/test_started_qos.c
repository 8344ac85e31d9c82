/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <criterion/criterion.h>

#include "common/queue/started_qos.h"

enum { ABSENT = 0, A = 2, B = 3, C = 4 };

static struct maui_started_qos_table table;

static void see(int64_t started, uint32_t recorded)
{
	maui_started_qos_see(&table, 7, started, recorded);
}

static void read_file(int64_t started, uint32_t qos)
{
	struct maui_started_qos one = {.job_id = 7, .qos = qos, .started = started};

	maui_started_qos_restore(&table, &one);
}

/* A life of one job's run, which began at 100: what its record named before, what the file said,
 * and the QOS that its record has now. */
static const struct {
	const char *name;
	uint32_t before, file, after, now, expected;
} cases[] = {
	{"seen for the first time", ABSENT, ABSENT, ABSENT, B, B},
	{"seen before", B, ABSENT, ABSENT, B, B},
	{"changed by Slurm", B, ABSENT, ABSENT, A, A},
	{"after a restart, not seen yet", ABSENT, B, ABSENT, A, B},
	{"after a restart, seen", ABSENT, B, A, A, B},
	{"after a restart, changed by Slurm", ABSENT, B, A, C, C},
	{"after a restart of a Slurm that keeps it", ABSENT, B, B, B, B},
	{"the file was read late", A, B, A, A, B},
};

Test(started_qos, what_counts)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		maui_started_qos_clear(&table);
		if (cases[i].before)
			see(100, cases[i].before);
		if (cases[i].file)
			read_file(100, cases[i].file);
		if (cases[i].after)
			see(100, cases[i].after);
		cr_expect_eq(maui_started_qos_of(&table, 7, 100, cases[i].now), cases[i].expected,
			     "%s", cases[i].name);
		see(100, cases[i].now);
		cr_expect_eq(maui_started_qos_of(&table, 7, 100, cases[i].now), cases[i].expected,
			     "%s, once more", cases[i].name);
	}
}

Test(started_qos, another_run_is_another_job)
{
	read_file(100, B);
	cr_expect_eq(maui_started_qos_of(&table, 7, 200, A), A);
	see(200, A);
	read_file(100, B); /* the file was read late */
	cr_expect_eq(maui_started_qos_of(&table, 7, 200, A), A);
}

Test(started_qos, only_changes_are_news)
{
	cr_expect_eq(maui_started_qos_see(&table, 7, 100, B), 1);
	cr_expect_eq(maui_started_qos_see(&table, 7, 100, B), 0);
	cr_expect_eq(maui_started_qos_see(&table, 7, 100, A), 1);
	cr_expect_eq(maui_started_qos_see(&table, 7, 200, A), 1);
	read_file(200, B);
	cr_expect_eq(maui_started_qos_see(&table, 7, 200, A), 0, "the file has it");
}

Test(started_qos, what_is_forgotten_is_taken_from_the_record)
{
	read_file(100, B);
	maui_started_qos_forget(&table, 7);
	maui_started_qos_forget(&table, 8);
	cr_expect_eq(maui_started_qos_of(&table, 7, 100, A), A);
	cr_expect_eq(maui_started_qos_see(&table, 7, 100, A), 1);
}

/* Every third of many is gone after each walk; the others keep what they have. */
Test(started_qos, jobs_that_a_walk_does_not_see_are_forgotten)
{
	static const size_t gone[] = {333, 334, 333};
	enum { JOBS = 1000 };

	for (uint32_t id = 1; id <= JOBS; id++)
		maui_started_qos_restore(
			&table,
			&(struct maui_started_qos){.job_id = id, .qos = 10 + id, .started = id});
	for (uint32_t walk = 0; walk < 3; walk++) {
		maui_started_qos_begin(&table);
		for (uint32_t id = 1; id <= JOBS; id++)
			if (id % 3 > walk)
				maui_started_qos_see(&table, id, id, 1);
		cr_expect_eq(maui_started_qos_end(&table), gone[walk]);
		for (uint32_t id = 1; id <= JOBS; id++)
			cr_expect_eq(maui_started_qos_of(&table, id, id, 1),
				     id % 3 > walk ? 10 + id : 1);
	}
	cr_expect_eq(table.count, 0);
	maui_started_qos_clear(&table);
}
