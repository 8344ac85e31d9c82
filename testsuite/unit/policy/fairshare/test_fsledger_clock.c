/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Many jobs begin, pause and end, and the clock is set by seconds or hours at any moment, also
 * several times between two passes. Slurm's records are by that clock; what happens is reported as it
 * happens. The truth is what was run by the clock that nobody sets.
 */
#include <stdlib.h>
#include <string.h>

#include "testsuite/unit/policy/fairshare/fsledger_fixture.h"

#define JOBS          30
#define EVENTS        1000
#define HOURS         4
#define MINJOBAGE     15
#define LONGEST_AHEAD 10       /* seconds by which an end may be after the pass that hears of it */
#define WINDOW        10000000 /* seconds: all are in one */
#define MIDDLE        (WINDOW + WINDOW / 2)
#define EDGE          (WINDOW / 4)

static const struct maui_fairshare_settings one_window = {
	.metric = MAUI_FS_DEDICATEDPS, .interval = WINDOW, .depth = DEPTH, .decay = 1};

enum state { WAITS, RUNS, PAUSED, OVER };

/* As Slurm keeps it. */
struct record {
	enum state state;
	int64_t start, end, suspend_time, pre_sus_time;
	int64_t changed; /* the steady time of its last event */
	int64_t ran;     /* the truth, of all runs of the job */
};

struct world {
	struct machine machine;
	struct record records[JOBS];
	struct maui_run events[EVENTS]; /* since the last pass */
	size_t count;
	int64_t wall, steady, passed; /* passed: the steady time of the last pass */
	bool done;                    /* there was a pass */
};

static uint32_t user_of(size_t job)
{
	return (uint32_t)job + 1;
}

static struct maui_run run_of(const struct world *world, size_t i)
{
	const struct record *record = &world->records[i];
	struct maui_run run = {.job_id = (uint32_t)i + 1,
			       .start = record->start,
			       .resumed = record->start,
			       .over = record->state == OVER,
			       .paused = record->state == PAUSED,
			       .until = record->state == OVER ? record->end : world->wall,
			       .rate = 1,
			       .credential = {[MAUI_USER] = user_of(i)}};

	if (record->state == PAUSED) {
		run.until = record->suspend_time;
		run.seconds = record->pre_sus_time;
		run.resumed = run.until - run.seconds;
	} else if (record->suspend_time) {
		run.resumed = record->suspend_time;
		run.seconds = record->pre_sus_time + run.until - record->suspend_time;
	} else {
		run.seconds = run.until - run.start;
	}
	return run;
}

static void see(struct world *world, size_t i, bool paused)
{
	struct maui_run run = run_of(world, i);

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
	bool pauses = record->state == RUNS;

	see(world, i, pauses);
	if (pauses)
		record->pre_sus_time = run_of(world, i).seconds;
	record->state = pauses ? PAUSED : RUNS;
	record->suspend_time = world->wall;
	record->changed = world->steady;
}

static void begin_job(struct world *world, size_t i)
{
	struct record *record = &world->records[i];

	*record = (struct record){
		.state = RUNS, .start = world->wall, .changed = world->steady, .ran = record->ran};
	see(world, i, false);
}

/* A suspended job that is requeued ends at the present (S-SEL-19), and its record begins anew. */
static void end_job(struct world *world, size_t i)
{
	struct record *record = &world->records[i];
	bool requeued = rand() % 3 == 0;

	record->end = record->state == PAUSED && !requeued ? record->suspend_time : world->wall;
	record->state = OVER;
	record->changed = world->steady;
	see(world, i, false);
	if (requeued)
		record->state = WAITS;
}

/* slurm.conf is read while a requeued job is completing: its end is told again (S-SEL-21). */
static void end_again(struct world *world, size_t i)
{
	world->records[i].state = OVER;
	see(world, i, false);
	world->records[i].state = WAITS;
}

static bool is_active(const struct record *record)
{
	return record->state == RUNS || record->state == PAUSED;
}

static void live(struct world *world, size_t i)
{
	const struct record *record = &world->records[i];
	int dice = rand() % 100;

	if (!is_active(record) && dice < (record->state == OVER ? 3 : 30))
		begin_job(world, i);
	else if (is_active(record) && dice < 5)
		pause_or_resume(world, i);
	else if (is_active(record) && dice < 10)
		end_job(world, i);
	else if (record->state == WAITS && record->end && dice < 35)
		end_again(world, i);
}

static void second(struct world *world)
{
	world->wall++;
	world->steady++;
	for (size_t i = 0; i < JOBS; i++)
		world->records[i].ran += world->records[i].state == RUNS;
	for (size_t i = 0; i < JOBS; i++)
		live(world, i);
}

/* Slurm forgets what is over by its end, which may be in the future. */
static void report_record(struct world *world, size_t i)
{
	struct record *record = &world->records[i];
	struct maui_run run = run_of(world, i);

	if (record->state == OVER && record->end <= world->wall - MINJOBAGE)
		record->state = WAITS;
	if (record->state == WAITS ||
	    (run.over && run.until < maui_fsledger_counted(world->machine.ledger)))
		return;
	report(&world->machine, &run);
}

static void make_pass(struct world *world)
{
	begin(&world->machine, world->wall,
	      world->done ? (double)(world->steady - world->passed) : -1);
	for (size_t i = 0; i < world->count; i++)
		report(&world->machine, &world->events[i]);
	for (size_t i = 0; i < JOBS; i++)
		report_record(world, i);
	maui_fsledger_end(world->machine.ledger);
	world->passed = world->steady;
	world->done = true;
	world->count = 0;
}

/* Also the sum of some is none, or more than one second: less is no step. */
static int64_t any_step(const struct world *world)
{
	int64_t size = 3 * (rand() % 2 ? 1 + rand() % 7 : rand() % (HOURS * 1200));

	if (world->wall < MIDDLE - EDGE || world->wall > MIDDLE + EDGE)
		return MIDDLE - world->wall;
	return rand() % 2 ? size : -size;
}

static double charged(const struct world *world, size_t i)
{
	return maui_fairshare_usage(world->machine.windows, MAUI_USER, user_of(i), 0);
}

static void open_world(struct world *world)
{
	srand(20261128);
	*world = (struct world){.wall = MIDDLE, .steady = 1};
	world->machine = machine_at(world->wall);
	maui_fairshare_free(world->machine.windows);
	world->machine.windows = maui_fairshare_new(&one_window, world->wall);
	cr_assert_eq(maui_fairshare_reserve(world->machine.windows, MAUI_USER, JOBS + 1), 0);
	make_pass(world);
}

Test(fsledger_clock, what_is_seen_as_it_happens_is_charged_to_the_second)
{
	static struct world world;

	open_world(&world);
	for (int i = 0; i < 20000; i++) {
		second(&world);
		if (rand() % 20 == 0)
			world.wall += any_step(&world);
		if (rand() % 10)
			continue;
		make_pass(&world);
		for (size_t j = 0; j < JOBS; j++)
			cr_assert_eq(charged(&world, j), (double)world.records[j].ran,
				     "second %d, job %zu: %g, not %lld", i, j, charged(&world, j),
				     (long long)world.records[j].ran);
	}
	machine_end(&world.machine);
}

/* Another process, whose files have counted so far. What was seen since is forgotten. */
static void begin_process(struct world *world, int64_t counted)
{
	maui_fsledger_free(world->machine.ledger);
	world->machine.ledger = maui_fsledger_new();
	maui_fsledger_resume(world->machine.ledger, world->machine.windows,
			     (int64_t[DEPTH]){counted, counted, counted, counted}, counted);
	world->count = 0;
}

/* With the files of the last pass. */
static void restart(struct world *world)
{
	begin_process(world, maui_fsledger_counted(world->machine.ledger));
}

/* Of what began or ended unseen not every second can be known: at most what has passed since a pass. */
#define UNKNOWN 60

Test(fsledger_clock, a_new_process_takes_no_step_for_time_that_was_run)
{
	static struct world world;
	double before[JOBS] = {0};
	int64_t ran[JOBS] = {0};

	open_world(&world);
	for (int i = 0; i < 50000; i++) {
		bool restarts = rand() % 15 == 0;

		second(&world);
		if (restarts)
			restart(&world);
		if (rand() % 20 == 0)
			world.wall += any_step(&world);
		if (!restarts && rand() % 10)
			continue;
		make_pass(&world);
		for (size_t j = 0; j < JOBS; j++) {
			double more = charged(&world, j) - before[j];

			cr_assert_leq(more, (double)(world.records[j].ran - ran[j] + UNKNOWN),
				      "second %d, job %zu: %g, not %lld", i, j, more,
				      (long long)(world.records[j].ran - ran[j]));
			before[j] = charged(&world, j);
			ran[j] = world.records[j].ran;
		}
	}
	machine_end(&world.machine);
}

/* ---- kill -9: Slurm's records and the files are older than what happened, and not as old ---- */

struct kept {
	struct record records[JOBS];
	double usage[JOBS];
	int64_t counted, passed; /* of the files */
};

static void keep_files(const struct world *world, struct kept *kept)
{
	kept->counted = maui_fsledger_counted(world->machine.ledger);
	kept->passed = world->passed;
	for (size_t j = 0; j < JOBS; j++)
		kept->usage[j] = charged(world, j);
}

static void keep_records(const struct world *world, struct kept *kept)
{
	memcpy(kept->records, world->records, sizeof(kept->records));
}

static void kill_process(struct world *world, const struct kept *kept)
{
	for (size_t j = 0; j < JOBS; j++) {
		world->records[j] = kept->records[j];
		maui_fairshare_set(world->machine.windows, MAUI_USER, user_of(j), 0,
				   kept->usage[j]);
	}
	begin_process(world, kept->counted);
	world->passed = kept->passed;
}

/* How many seconds of a job the files cannot have counted. By the clock of its end a run that is over
 * may be one that ended after the files. */
static int64_t most_uncounted(const struct world *world, const struct kept *kept, size_t j)
{
	const struct record *record = &world->records[j];
	int64_t end = record->state == OVER ? record->end : record->suspend_time;
	int64_t passed = world->steady - kept->passed, latest = kept->counted + passed;
	bool after = end > kept->counted &&
		     end <= LONGEST_AHEAD + (latest > world->wall ? latest : world->wall);

	if (record->changed < kept->passed && record->state != RUNS && !after)
		return 0;
	return passed + (after ? LONGEST_AHEAD : 0);
}

Test(fsledger_clock, a_killed_process_charges_no_step_and_no_end_twice)
{
	static struct world world;
	static struct kept kept;

	open_world(&world);
	keep_files(&world, &kept);
	keep_records(&world, &kept);
	for (int i = 0; i < 50000; i++) {
		bool killed = rand() % 15 == 0;

		second(&world);
		if (killed)
			kill_process(&world, &kept);
		if (rand() % 20 == 0)
			world.wall += any_step(&world);
		if (!killed && rand() % 3)
			continue;
		make_pass(&world);
		for (size_t j = 0; killed && j < JOBS; j++)
			cr_assert_leq(charged(&world, j),
				      kept.usage[j] + (double)most_uncounted(&world, &kept, j),
				      "second %d, job %zu: %g, not %g", i, j, charged(&world, j),
				      kept.usage[j]);
		if (rand() % 3 == 0)
			keep_files(&world, &kept);
		if (rand() % 3 == 0)
			keep_records(&world, &kept);
	}
	machine_end(&world.machine);
}
