/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Many jobs begin, pause and end, and the clock is set by seconds or hours at any moment, also
 * several times between two passes. Slurm's records are by that clock; what happens is reported as it
 * happens. The sum is what was run by the clock that nobody sets.
 */
#include <stdlib.h>

#include "testsuite/unit/policy/fairshare/fsledger_fixture.h"

#define JOBS   30
#define EVENTS 1000
#define HOURS  4
#define WINDOW 10000000 /* seconds: all are in one */

static const struct maui_fairshare_settings one_window = {
	.metric = MAUI_FS_DEDICATEDPS, .interval = WINDOW, .depth = DEPTH, .decay = 1};

/* As Slurm keeps it; start 0: it waits. */
struct record {
	int64_t start, suspend_time, pre_sus_time;
	bool suspended;
};

struct world {
	struct machine machine;
	struct record records[JOBS];
	struct maui_run events[EVENTS]; /* since the last pass */
	size_t count;
	int64_t wall, steady, passed; /* passed: the steady time of the last pass */
	int64_t truth;
};

static struct maui_run run_of(const struct world *world, size_t i)
{
	const struct record *record = &world->records[i];
	struct maui_run run = {.job_id = (uint32_t)i + 1,
			       .start = record->start,
			       .resumed = record->start,
			       .until = world->wall,
			       .seconds = world->wall - record->start,
			       .rate = 1,
			       .credential = {[MAUI_USER] = USER}};

	run.paused = record->suspended;
	if (record->suspended) {
		run.until = record->suspend_time;
		run.seconds = record->pre_sus_time;
		run.resumed = run.until - run.seconds;
	} else if (record->suspend_time) {
		run.resumed = record->suspend_time;
		run.seconds = record->pre_sus_time + world->wall - record->suspend_time;
	}
	return run;
}

static void happens(struct world *world, size_t i, bool over, bool paused)
{
	struct maui_run run = run_of(world, i);

	run.over = over;
	run.seen = true;
	run.paused = paused;
	run.elapsed = (double)(world->steady - world->passed);
	run.step = maui_fsledger_step(world->machine.ledger, world->wall, run.elapsed);
	cr_assert_lt(world->count, EVENTS);
	world->events[world->count++] = run;
}

static void pause_or_resume(struct world *world, size_t i)
{
	struct record *record = &world->records[i];

	happens(world, i, false, !record->suspended);
	if (!record->suspended)
		record->pre_sus_time = run_of(world, i).seconds;
	record->suspended = !record->suspended;
	record->suspend_time = world->wall;
}

static void live(struct world *world, size_t i)
{
	struct record *record = &world->records[i];
	int dice = rand() % 100;

	if (!record->start && dice < 30) {
		*record = (struct record){.start = world->wall};
		happens(world, i, false, false);
	} else if (record->start && dice < 5) {
		pause_or_resume(world, i);
	} else if (record->start && dice < 10) {
		happens(world, i, true, false);
		*record = (struct record){0};
	}
}

static void second(struct world *world)
{
	world->wall++;
	world->steady++;
	for (size_t i = 0; i < JOBS; i++)
		if (world->records[i].start && !world->records[i].suspended)
			world->truth++;
	for (size_t i = 0; i < JOBS; i++)
		live(world, i);
}

static void make_pass(struct world *world)
{
	begin(&world->machine, world->wall, (double)(world->steady - world->passed));
	for (size_t i = 0; i < world->count; i++)
		report(&world->machine, &world->events[i]);
	for (size_t i = 0; i < JOBS; i++) {
		struct maui_run run = run_of(world, i);

		if (world->records[i].start)
			report(&world->machine, &run);
	}
	maui_fsledger_end(world->machine.ledger);
	world->passed = world->steady;
	world->count = 0;
}

/* Also the sum of some is none, or more than one second: less is no step. */
static int64_t any_step(void)
{
	int64_t size = 3 * (rand() % 2 ? 1 + rand() % 7 : rand() % (HOURS * 1200));

	return rand() % 2 ? size : -size;
}

Test(fsledger_clock, what_is_seen_as_it_happens_is_charged_to_the_second)
{
	static struct world world = {.wall = WINDOW + WINDOW / 2, .steady = 1};

	srand(20261128);
	world.machine = machine_at(world.wall);
	maui_fairshare_free(world.machine.windows);
	world.machine.windows = maui_fairshare_new(&one_window, world.wall);
	cr_assert_eq(maui_fairshare_reserve(world.machine.windows, MAUI_USER, USER), 0);
	make_pass(&world);
	for (int i = 0; i < 20000; i++) {
		second(&world);
		if (i && rand() % 20 == 0)
			world.wall += any_step();
		if (rand() % 10)
			continue;
		make_pass(&world);
		cr_assert_eq(used_in_all(&world.machine), (double)world.truth,
			     "second %d: %g, not %lld", i, used_in_all(&world.machine),
			     (long long)world.truth);
	}
	machine_end(&world.machine);
}
