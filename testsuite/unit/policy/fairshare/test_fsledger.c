/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Every second of every job is charged once, whatever happens to the job. */
#include "testsuite/unit/policy/fairshare/fsledger_fixture.h"

#include <stdlib.h>

Test(fsledger, counts_from_the_start_to_the_end_to_the_second)
{
	struct machine machine = machine_at(BEGIN);
	struct maui_run run;

	pass(&machine, BEGIN + 5, NULL);
	cr_assert_eq(pass_running(&machine, BEGIN + 10, BEGIN + 7), MAUI_FS_REGULAR);
	cr_assert_eq(used(&machine, 0), 4 * 3);
	pass_running(&machine, BEGIN + 15, BEGIN + 7);
	cr_assert_eq(used(&machine, 0), 4 * 8);
	machine.now = BEGIN + 18;
	run = running(&machine, BEGIN + 7);
	run.over = true;
	cr_assert_eq(pass(&machine, BEGIN + 20, &run), MAUI_FS_RUN_ENDED);
	cr_assert_eq(used(&machine, 0), 4 * 11);
	pass(&machine, BEGIN + 25, &run);
	cr_assert_eq(used(&machine, 0), 4 * 11, "its record is still there, and is no new usage");
	pass(&machine, BEGIN + 30, NULL);
	cr_assert_eq(used(&machine, 0), 4 * 11);
	machine_end(&machine);
}

Test(fsledger, counts_a_job_that_came_and_went_between_two_passes)
{
	struct machine machine = machine_at(BEGIN);
	struct maui_run run;

	pass(&machine, BEGIN + 5, NULL);
	machine.now = BEGIN + 9;
	run = running(&machine, BEGIN + 6);
	run.over = true;
	cr_assert_eq(pass(&machine, BEGIN + 30, &run), MAUI_FS_RUN_ENDED);
	cr_assert_eq(used(&machine, 0), 4 * 3);
	machine_end(&machine);
}

/* Backfill starts a job at the time when it began to look at the queue. */
Test(fsledger, a_new_job_is_charged_from_its_start_also_before_the_last_pass)
{
	struct machine machine = machine_at(BEGIN);

	pass(&machine, BEGIN + 10, NULL);
	pass_running(&machine, BEGIN + 12, BEGIN + 7);
	cr_assert_eq(used(&machine, 0), 4 * 5);
	machine_end(&machine);
}

Test(fsledger, a_job_reported_twice_in_a_pass_is_charged_once)
{
	struct machine machine = machine_at(BEGIN);
	struct maui_run run;

	begin(&machine, BEGIN + 10, -1);
	run = running(&machine, BEGIN);
	report(&machine, &run);
	report(&machine, &run);
	run.over = true;
	report(&machine, &run);
	maui_fsledger_end(machine.ledger);
	cr_assert_eq(used(&machine, 0), 40);
	machine_end(&machine);
}

Test(fsledger, puts_seconds_into_the_windows_they_belong_to)
{
	struct machine machine = machine_at(BEGIN);

	pass_running(&machine, BEGIN + 250, BEGIN + 90);
	cr_assert_eq(used(&machine, 2), 4 * 10);
	cr_assert_eq(used(&machine, 1), 4 * 100);
	cr_assert_eq(used(&machine, 0), 4 * 50);
	machine_end(&machine);
}

/* What is open after a restart is no longer open after the first pass. */
Test(fsledger, a_run_that_was_missed_by_the_first_pass_is_charged_once)
{
	static const int64_t counted[DEPTH] = {0};
	struct machine machine = machine_at(BEGIN + 50);

	maui_fsledger_resume(machine.ledger, machine.windows, counted, INT64_MIN);
	pass(&machine, BEGIN + 60, NULL);
	pass_running(&machine, BEGIN + 70, BEGIN - 50);
	cr_assert_eq(used(&machine, 1), 4 * 50);
	cr_assert_eq(used(&machine, 0), 4 * 70);
	machine_end(&machine);
}

/* Of a run not seen before that is resumed at this moment, no second is of the last stretch. */
Test(fsledger, what_ran_before_a_pause_is_charged_where_it_was)
{
	struct machine machine = machine_at(BEGIN);
	struct maui_run run;

	machine.now = BEGIN + 150;
	run = running(&machine, BEGIN + 10);
	run.resumed = BEGIN + 150;
	run.seconds = 20; /* suspended from 30 to 150 */
	pass(&machine, BEGIN + 150, &run);
	cr_assert_eq(used(&machine, 1), 4 * 20);
	cr_assert_eq(used(&machine, 0), 0);
	machine_end(&machine);
}

Test(fsledger, suspended_time_is_nobodys)
{
	struct machine machine = machine_at(BEGIN);
	struct maui_run run;

	pass_running(&machine, BEGIN + 10, BEGIN);
	machine.now = BEGIN + 20; /* suspended at 13 */
	run = running(&machine, BEGIN);
	run.until = BEGIN + 13;
	run.seconds = 13;
	cr_assert_eq(pass(&machine, BEGIN + 20, &run), MAUI_FS_IRREGULAR);
	cr_assert_eq(used(&machine, 0), 4 * 13);
	cr_assert_eq(pass(&machine, BEGIN + 30, &run), MAUI_FS_REGULAR);
	cr_assert_eq(used(&machine, 0), 4 * 13);
	run.resumed = BEGIN + 34;
	run.until = BEGIN + 40;
	run.seconds = 13 + 6;
	cr_assert_eq(pass(&machine, BEGIN + 40, &run), MAUI_FS_IRREGULAR);
	cr_assert_eq(used(&machine, 0), 4 * 19);
	run.until = BEGIN + 50;
	run.seconds = 13 + 16;
	cr_assert_eq(pass(&machine, BEGIN + 50, &run), MAUI_FS_REGULAR);
	cr_assert_eq(used(&machine, 0), 4 * 29);
	machine_end(&machine);
}

Test(fsledger, a_pause_within_one_pass_is_left_out)
{
	struct machine machine = machine_at(BEGIN);
	struct maui_run run;

	pass_running(&machine, BEGIN + 10, BEGIN);
	machine.now = BEGIN + 30;
	run = running(&machine, BEGIN);
	run.resumed = BEGIN + 25; /* suspended from 12 to 25 */
	run.seconds = 12 + 5;
	cr_assert_eq(pass(&machine, BEGIN + 30, &run), MAUI_FS_IRREGULAR);
	cr_assert_eq(used(&machine, 0), 4 * 17);
	machine_end(&machine);
}

/* A suspended job is requeued: its record ends at the present (S-SEL-19). */
static void end_in_pause(int64_t resumed, bool paused_seen)
{
	struct machine machine = machine_at(BEGIN);
	struct maui_run run;

	pass_running(&machine, BEGIN + 10, BEGIN);
	machine.now = BEGIN + 20;
	run = running(&machine, BEGIN); /* suspended at 13 */
	run.until = BEGIN + 13;
	run.seconds = 13;
	run.paused = true;
	if (paused_seen)
		pass(&machine, BEGIN + 20, &run);
	machine.now = BEGIN + 60;
	run.paused = false;
	run.over = true;
	run.resumed = resumed;
	run.until = BEGIN + 60;
	run.seconds = 13 + run.until - resumed;
	pass(&machine, BEGIN + 60, &run);
	cr_assert_eq(used(&machine, 0),
		     4 * (resumed == BEGIN + 13 && paused_seen ? 13 : run.seconds));
	machine_end(&machine);
}

Test(fsledger, an_end_in_a_pause_charges_no_pause)
{
	end_in_pause(BEGIN + 13, true);
}

Test(fsledger, a_run_that_was_resumed_is_charged_to_its_end)
{
	end_in_pause(BEGIN + 50, true);
	end_in_pause(BEGIN + 50, false);
}

/* Slurm tells of it again when slurm.conf is read while the job is completing (S-SEL-21). */
Test(fsledger, an_end_that_is_told_again_is_charged_once)
{
	struct machine machine = machine_at(BEGIN);
	struct maui_run run;

	pass_running(&machine, BEGIN + 10, BEGIN);
	machine.now = BEGIN + 20;
	run = running(&machine, BEGIN);
	run.over = run.seen = true;
	pass(&machine, BEGIN + 22, &run);
	pass(&machine, BEGIN + 24, NULL); /* it waits again */
	pass(&machine, BEGIN + 26, &run);
	cr_assert_eq(used(&machine, 0), 4 * 20);
	machine_end(&machine);
}

/* Its record is by another clock than that of the pass: no more than has passed is charged. */
Test(fsledger, no_run_is_charged_for_more_than_has_passed)
{
	struct machine machine = machine_at(BEGIN);
	struct maui_run run;

	pass_running(&machine, BEGIN + 10, BEGIN);
	machine.now = BEGIN + 20;
	run = running(&machine, BEGIN);
	run.seconds += 300;
	begin(&machine, BEGIN + 20, 10);
	report(&machine, &run);
	maui_fsledger_end(machine.ledger);
	cr_assert_eq(used_in_all(&machine), 4 * 20);
	machine_end(&machine);
}

Test(fsledger, a_size_holds_from_when_it_was_changed)
{
	struct machine machine = machine_at(BEGIN);
	struct maui_run run;

	pass_running(&machine, BEGIN + 10, BEGIN);
	machine.now = BEGIN + 30;
	run = running(&machine, BEGIN);
	run.rate = 1;
	run.resized = BEGIN + 16;
	cr_assert_eq(pass(&machine, BEGIN + 30, &run), MAUI_FS_IRREGULAR);
	cr_assert_eq(used(&machine, 0), 4 * 16 + 14);
	machine.now = BEGIN + 40;
	run.until = BEGIN + 40;
	run.seconds = 40;
	cr_assert_eq(pass(&machine, BEGIN + 40, &run), MAUI_FS_REGULAR);
	cr_assert_eq(used(&machine, 0), 4 * 16 + 24);
	machine_end(&machine);
}

Test(fsledger, a_requeued_job_is_charged_until_it_was_requeued)
{
	struct machine machine = machine_at(BEGIN);
	size_t at = 0;

	pass_running(&machine, BEGIN + 10, BEGIN);
	begin(&machine, BEGIN + 20, -1);
	cr_assert_eq(maui_fsledger_missing(machine.ledger, &at), 7);
	cr_assert_eq(maui_fsledger_missing(machine.ledger, &at), 0);
	maui_fsledger_ended(machine.ledger, machine.windows, 8, BEGIN + 14); /* never seen */
	maui_fsledger_ended(machine.ledger, machine.windows, 7, BEGIN + 14);
	maui_fsledger_end(machine.ledger);
	cr_assert_eq(used(&machine, 0), 4 * 14);
	pass_running(&machine, BEGIN + 40, BEGIN + 35); /* it runs again */
	cr_assert_eq(used(&machine, 0), 4 * 19);
	machine_end(&machine);
}

/* Slurm reports each end as it happens, even those that no pass would see. */
Test(fsledger, a_job_may_be_requeued_and_start_again_between_two_passes)
{
	struct machine machine = machine_at(BEGIN);
	struct maui_run first, second;

	pass_running(&machine, BEGIN + 10, BEGIN);
	begin(&machine, BEGIN + 20, -1);
	first = running(&machine, BEGIN);
	first.over = true;
	first.until = BEGIN + 13;
	first.seconds = 13;
	second = running(&machine, BEGIN + 15);
	cr_assert_eq(report(&machine, &first), MAUI_FS_RUN_ENDED);
	report(&machine, &second);
	maui_fsledger_end(machine.ledger);
	cr_assert_eq(used(&machine, 0), 4 * (13 + 5));
	pass_running(&machine, BEGIN + 30, BEGIN + 15);
	cr_assert_eq(used(&machine, 0), 4 * (13 + 15));
	machine_end(&machine);
}

/* A pass has the time of its beginning, and hears of what happens until it is complete. */
Test(fsledger, an_end_after_the_pass_is_charged_in_the_next_one)
{
	struct machine machine = machine_at(BEGIN);
	struct maui_run run;
	size_t at = 0;

	pass_running(&machine, BEGIN + 10, BEGIN);
	begin(&machine, BEGIN + 20, -1);
	run = running(&machine, BEGIN);
	report(&machine, &run);
	run.over = true;
	run.until = BEGIN + 22;
	run.seconds = 22;
	report(&machine, &run);
	maui_fsledger_end(machine.ledger);
	cr_assert_eq(used(&machine, 0), 4 * 20);
	begin(&machine, BEGIN + 30, -1);
	cr_assert_eq(maui_fsledger_missing(machine.ledger, &at), 0);
	maui_fsledger_end(machine.ledger);
	cr_assert_eq(used(&machine, 0), 4 * 22);
	machine_end(&machine);
}

Test(fsledger, hundreds_of_ends_after_the_pass_are_charged_in_the_next_one)
{
	struct machine machine = machine_at(BEGIN);

	pass(&machine, BEGIN + 5, NULL);
	begin(&machine, BEGIN + 20, -1);
	for (uint32_t id = 1; id <= 300; id++) {
		struct maui_run run = running(&machine, BEGIN + 10);

		run.job_id = id;
		run.over = true;
		run.until = BEGIN + 22;
		run.seconds = 12;
		/* What has been charged by now has not ended. */
		cr_assert_eq(report(&machine, &run), MAUI_FS_REGULAR);
	}
	maui_fsledger_end(machine.ledger);
	cr_assert_eq(used(&machine, 0), 300 * 4 * 10);
	pass(&machine, BEGIN + 30, NULL);
	cr_assert_eq(used(&machine, 0), 300 * 4 * 12);
	machine_end(&machine);
}

Test(fsledger, a_run_that_is_after_the_pass_as_a_whole_is_charged_in_the_next_one)
{
	struct machine machine = machine_at(BEGIN);
	struct maui_run run;

	pass(&machine, BEGIN + 10, NULL);
	begin(&machine, BEGIN + 20, -1);
	run = running(&machine, BEGIN + 20);
	run.over = true;
	run.until = BEGIN + 21;
	run.seconds = 1;
	report(&machine, &run);
	maui_fsledger_end(machine.ledger);
	cr_assert_eq(used(&machine, 0), 0);
	pass(&machine, BEGIN + 30, NULL);
	pass(&machine, BEGIN + 31, NULL);
	cr_assert_eq(used(&machine, 0), 4);
	machine_end(&machine);
}

/* UTILIZEDPS: its usage is known when the run is over, and its processes are. */
struct use_case {
	const char *name;
	int64_t known_from; /* of the run's 150 seconds; another process counted the time before */
	double used, held, wanted[2]; /* windows 0 and 1: 50 and 100 seconds of the run */
};

static const struct use_case use_cases[] = {
	{"all of it", 0, 600, 600, {200, 400}},
	{"half of it", 0, 300, 600, {100, 200}},
	{"more than was held", 0, 900, 600, {300, 600}},
	{"one of four processors was measured", 0, 0, 150, {150, 300}},
	{"parts that overlap", 0, 300, 1200, {100, 200}},
	{"not known", 0, 0, 0, {200, 400}},
	{"nobody knows the use from before", 20, 300, 600, {200, 320}},
};

Test(fsledger, the_use_of_a_run_corrects_what_was_charged_once)
{
	for (size_t i = 0; i < sizeof(use_cases) / sizeof(*use_cases); i++) {
		const struct use_case *given = &use_cases[i];
		struct machine machine = machine_at(BEGIN);
		int64_t counted[DEPTH] = {BEGIN + given->known_from};
		struct maui_run run;

		if (given->known_from)
			maui_fsledger_resume(machine.ledger, machine.windows, counted, INT64_MIN);
		pass_running(&machine, BEGIN + 30, BEGIN);
		pass_running(&machine, BEGIN + 120, BEGIN);
		machine.now = BEGIN + 150;
		run = running(&machine, BEGIN);
		run.over = true;
		pass(&machine, BEGIN + 160, &run); /* its processes end */
		run.used = given->used;
		run.held = given->held;
		for (int again = 0; again < 2; again++) {
			pass(&machine, BEGIN + 170 + again, &run);
			for (uint32_t k = 0; k < 2; k++)
				cr_assert_eq(used(&machine, k), given->wanted[k], "%s: %u: %g",
					     given->name, k, used(&machine, k));
		}
		machine_end(&machine);
	}
}

Test(fsledger, a_job_whose_record_is_gone_is_charged_no_more)
{
	struct machine machine = machine_at(BEGIN);

	pass_running(&machine, BEGIN + 10, BEGIN);
	pass(&machine, BEGIN + 20, NULL);
	cr_assert_eq(used(&machine, 0), 40);
	pass(&machine, BEGIN + 30, NULL);
	cr_assert_eq(used(&machine, 0), 40);
	machine_end(&machine);
}

/*
 * Many jobs with random pauses and requeues, and random passes that are up to two seconds late:
 * they see what has happened since they began. The sum is what was run.
 */
#define LIVES 50
#define ENDS  1000

struct life {
	int64_t start, seconds, resumed, paused_at; /* start 0: it waits; paused_at 0: it runs */
};

struct lives {
	struct life life[LIVES];
	struct maui_run ended[ENDS]; /* since the last pass */
	size_t ended_count;
	int64_t truth;
};

static struct maui_run run_of(const struct lives *lives, size_t i, int64_t now)
{
	const struct life *life = &lives->life[i];

	return (struct maui_run){.job_id = (uint32_t)i + 1,
				 .start = life->start,
				 .resumed = life->resumed,
				 .seconds = life->seconds,
				 .until = life->paused_at ? life->paused_at : now,
				 .rate = 1,
				 .credential = {[MAUI_USER] = USER}};
}

static void step(struct lives *lives, size_t i, int64_t now)
{
	struct life *life = &lives->life[i];
	int dice = rand() % 100;

	if (!life->start) {
		if (dice < 30)
			*life = (struct life){.start = now, .resumed = now};
		return;
	}
	if (!life->paused_at) {
		life->seconds++; /* for the second that ends now */
		lives->truth++;
	}
	if (dice < 3) {
		life->paused_at = life->paused_at ? 0 : now;
		if (!life->paused_at)
			life->resumed = now;
	} else if (dice < 8) {
		struct maui_run run = run_of(lives, i, now);

		run.over = true;
		cr_assert_lt(lives->ended_count, ENDS);
		lives->ended[lives->ended_count++] = run;
		*life = (struct life){0};
	}
}

static void second(struct lives *lives, int64_t now)
{
	for (size_t i = 0; i < LIVES; i++)
		step(lives, i, now);
}

/* Running jobs are seen as they are at the pass, ended ones even if they ended a little later. */
static void pass_lives(struct machine *machine, struct lives *lives, int64_t now, int late)
{
	struct maui_run seen[LIVES];
	size_t count = 0;

	for (size_t i = 0; i < LIVES; i++)
		if (lives->life[i].start)
			seen[count++] = run_of(lives, i, now);
	for (int i = 1; i <= late; i++)
		second(lives, now + i);
	begin(machine, now, -1);
	for (size_t i = 0; i < lives->ended_count; i++)
		if (lives->ended[i].until <= now)
			report(machine, &lives->ended[i]);
	for (size_t i = 0; i < count; i++)
		report(machine, &seen[i]);
	for (size_t i = 0; i < lives->ended_count; i++)
		if (lives->ended[i].until > now)
			report(machine, &lives->ended[i]);
	maui_fsledger_end(machine->ledger);
	lives->ended_count = 0;
}

Test(fsledger, nothing_is_lost_or_counted_twice_in_many_lives)
{
	struct machine machine = machine_at(BEGIN);
	static struct lives lives;

	srand(20261121);
	for (int64_t now = BEGIN + 1; now < BEGIN + DEPTH * INTERVAL - 3; now++) {
		int64_t truth;
		int late = rand() % 3;

		second(&lives, now);
		if (rand() % 5)
			continue;
		truth = lives.truth;
		pass_lives(&machine, &lives, now, late);
		cr_assert_eq(used_in_all(&machine), (double)truth, "at %lld: %g, not %lld",
			     (long long)now, used_in_all(&machine), (long long)truth);
		now += late;
	}
	machine_end(&machine);
}
