/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Every second is charged once, also by a process that goes on, and when the clock is set. */
#include "testsuite/unit/policy/fairshare/fsledger_fixture.h"

/*
 * The process ends at `counted`, and the next one begins at `now`; the windows are those in the
 * files.
 */
static void restart(struct machine *machine, const int64_t counted[DEPTH])
{
	maui_fsledger_free(machine->ledger);
	machine->ledger = maui_fsledger_new();
	cr_assert(machine->ledger);
	maui_fsledger_resume(machine->ledger, machine->windows, counted, INT64_MIN);
}

Test(fsledger_restart, a_new_process_goes_on_where_the_files_end)
{
	struct machine machine = machine_at(BEGIN);

	pass_running(&machine, BEGIN + 110, BEGIN);
	cr_assert_eq(used_in_all(&machine), 440);
	restart(&machine, (int64_t[]){BEGIN + 110, BEGIN + 110, BEGIN + 110, BEGIN + 110});
	pass_running(&machine, BEGIN + 150, BEGIN);
	cr_assert_eq(used(&machine, 0), 4 * 50);
	cr_assert_eq(used(&machine, 1), 4 * 100);
	machine_end(&machine);
}

/* The steady clock has fractions of a second, and the wall clock has none: that is no step. */
Test(fsledger_restart, less_than_a_step_of_the_clock_loses_no_second)
{
	const double elapsed[] = {38.6, 39.4, 39.6, 40, 40.6, 41.4};

	for (size_t i = 0; i < sizeof(elapsed) / sizeof(*elapsed); i++) {
		struct machine machine = machine_at(BEGIN);
		struct maui_run run;

		pass_running(&machine, BEGIN + 110, BEGIN);
		restart(&machine, (int64_t[]){BEGIN + 110, BEGIN + 110, BEGIN + 110, BEGIN + 110});
		begin(&machine, BEGIN + 150, elapsed[i]);
		run = running(&machine, BEGIN);
		report(&machine, &run);
		maui_fsledger_end(machine.ledger);
		cr_assert_eq(used_in_all(&machine), 600, "%g", elapsed[i]);
		machine_end(&machine);
	}
}

Test(fsledger_restart, an_end_after_the_first_pass_is_charged_as_a_whole)
{
	struct machine machine = machine_at(BEGIN);
	struct maui_run run;

	pass_running(&machine, BEGIN + 110, BEGIN);
	restart(&machine, (int64_t[]){BEGIN + 110, BEGIN + 110, BEGIN + 110, BEGIN + 110});
	begin(&machine, BEGIN + 150, 40);
	run = running(&machine, BEGIN);
	run.over = true;
	run.until += 2;
	run.seconds += 2;
	report(&machine, &run);
	maui_fsledger_end(machine.ledger);
	cr_assert_eq(used_in_all(&machine), 4 * 152);
	machine_end(&machine);
}

Test(fsledger_restart, the_time_without_a_process_goes_into_its_windows)
{
	struct machine machine = machine_at(BEGIN);
	int64_t none = INT64_MIN, counted = BEGIN + 10;

	pass_running(&machine, BEGIN + 10, BEGIN);
	maui_fairshare_advance(machine.windows, BEGIN + 310);
	restart(&machine, (int64_t[]){none, none, none, counted});
	pass_running(&machine, BEGIN + 310, BEGIN);
	cr_assert_eq(used(&machine, 0), 40);
	cr_assert_eq(used(&machine, 1), 400);
	cr_assert_eq(used(&machine, 2), 400);
	cr_assert_eq(used(&machine, 3), 400);
	machine_end(&machine);
}

Test(fsledger_restart, windows_may_end_between_a_new_process_and_its_first_pass)
{
	struct machine machine = machine_at(BEGIN);
	int64_t none = INT64_MIN;

	pass_running(&machine, BEGIN + 60, BEGIN);
	restart(&machine, (int64_t[]){BEGIN + 60, none, none, none});
	pass_running(&machine, BEGIN + 230, BEGIN);
	cr_assert_eq(used(&machine, 2), 4 * 100);
	cr_assert_eq(used(&machine, 1), 4 * 100);
	cr_assert_eq(used(&machine, 0), 4 * 30);
	machine_end(&machine);
}

/* A machine that stops between two files: the old window's says more than the new one's. */
Test(fsledger_restart, each_window_is_counted_from_where_its_own_file_ends)
{
	struct machine machine = machine_at(BEGIN + 100);
	int64_t none = INT64_MIN;

	maui_fairshare_set(machine.windows, MAUI_USER, USER, 1, 4 * 100);
	maui_fairshare_set(machine.windows, MAUI_FS_TOTAL, 0, 1, 4 * 100);
	restart(&machine, (int64_t[]){none, BEGIN + 105, none, none});
	pass_running(&machine, BEGIN + 120, BEGIN);
	cr_assert_eq(used(&machine, 1), 400);
	cr_assert_eq(used(&machine, 0), 80);
	machine_end(&machine);
}

Test(fsledger_restart, jobs_that_ended_without_a_process_are_charged_while_slurm_knows_them)
{
	struct machine machine = machine_at(BEGIN);
	int64_t counted = BEGIN + 10;
	struct maui_run run;

	pass_running(&machine, BEGIN + 10, BEGIN);
	restart(&machine, (int64_t[]){counted, counted, counted, counted});
	machine.now = BEGIN + 30;
	run = running(&machine, BEGIN);
	run.over = true;
	pass(&machine, BEGIN + 60, &run);
	cr_assert_eq(used(&machine, 0), 4 * 30);
	machine_end(&machine);
}

struct clock_case {
	const char *name;
	int64_t now;    /* of the second pass, by the wall clock; the first is at BEGIN + 10 */
	double elapsed; /* by the other clock */
	double used;    /* in total, afterwards */
};

static const struct clock_case clock_cases[] = {
	{"nothing happens", BEGIN + 20, 10.0, 4 * 20},
	{"within a second", BEGIN + 20, 10.9, 4 * 20},
	{"an hour ahead", BEGIN + 20 + 3600, 10.1, 4 * 20},
	{"five seconds back", BEGIN + 15, 10.0, 4 * 20},
	{"back behind the first pass", BEGIN + 4, 10.0, 4 * 20},
	{"the clock that nobody sets is unknown", BEGIN + 20, -1, 4 * 20},
};

Test(fsledger_restart, a_clock_that_is_set_neither_adds_nor_takes)
{
	for (size_t i = 0; i < sizeof(clock_cases) / sizeof(*clock_cases); i++) {
		const struct clock_case *given = &clock_cases[i];
		struct machine machine = machine_at(BEGIN);
		struct maui_run run;

		pass_running(&machine, BEGIN + 10, BEGIN);
		cr_assert_eq(used_in_all(&machine), 40);
		begin(&machine, given->now, given->elapsed);
		run = running(&machine, BEGIN);
		report(&machine, &run);
		maui_fsledger_end(machine.ledger);
		if (given->now <
		    BEGIN + 3600) /* otherwise the first window is forgotten, and 40 with it */
			cr_assert_eq(used_in_all(&machine), given->used, "%s: %g", given->name,
				     used_in_all(&machine));
		else
			cr_assert_eq(used_in_all(&machine), given->used - 40, "%s: %g", given->name,
				     used_in_all(&machine));
		machine_end(&machine);
	}
}

/* The clock is set forward by 50 s while there is no process for 3 s. An end after the files is by
 * that clock, unless that has not come there either: then it is by one that was ahead earlier. */
Test(fsledger_restart, an_end_in_the_future_was_charged_by_an_earlier_process)
{
	const struct {
		int64_t until;
		double used;
	} cases[] = {
		{BEGIN + 92, 4 * 2},
		{BEGIN + 93, 4 * 3},
		{BEGIN + 1000, 0},
		{BEGIN + 7200, 0},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct machine machine = machine_at(BEGIN);
		int64_t counted = BEGIN + 40;
		struct maui_run run = running(&machine, BEGIN);

		restart(&machine, (int64_t[]){counted, counted, counted, counted});
		begin(&machine, BEGIN + 93, 3);
		run.over = true;
		run.until = cases[i].until;
		run.seconds = run.until - BEGIN;
		report(&machine, &run);
		maui_fsledger_end(machine.ledger);
		cr_assert_eq(used_in_all(&machine), cases[i].used, "until %lld: %g",
			     (long long)(cases[i].until - BEGIN), used_in_all(&machine));
		machine_end(&machine);
	}
}
