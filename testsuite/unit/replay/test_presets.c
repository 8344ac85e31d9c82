/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Schedules of a few jobs on 10 processors, worked out by hand. */
#include "testsuite/unit/replay/replay_fixture.h"

#define PROCS 10

static const struct {
	const char *name, *trace;
	enum maui_replay_preset preset;
	bool perfect;
	const char *schedule;
} cases[] = {
	{"whoever fits begins at once", "0 4x10/10 a; 0 6x10/10 a", MAUI_REPLAY_FCFS, false,
	 "1 0; 2 0"},
	{"nobody overtakes with fcfs", "0 8x100/100 a; 1 4x10/10 a; 2 1x10/10 a", MAUI_REPLAY_FCFS,
	 false, "1 0; 2 100; 3 100"},
	{"one that ends in time overtakes", "0 8x100/100 a; 1 4x10/10 a; 2 2x98/98 a",
	 MAUI_REPLAY_EASY, false, "1 0; 2 100; 3 2 b"},
	{"one that ends a second too late does not, unless processors are left over",
	 "0 8x100/100 a; 1 9x10/10 a; 2 2x99/99 a", MAUI_REPLAY_EASY, false, "1 0; 2 100; 3 110"},
	{"with processors left over it does", "0 8x100/100 a; 1 8x10/10 a; 2 2x500/500 a",
	 MAUI_REPLAY_EASY, false, "1 0; 2 100; 3 2 b"},
	{"what is left over is given once",
	 "0 8x100/100 a; 1 9x10/10 a; 2 1x500/500 a; 3 1x500/500 a", MAUI_REPLAY_EASY, false,
	 "1 0; 2 100; 3 2 b; 4 110"},
	{"an early end lets the first begin early", "0 8x50/100 a; 1 9x10/10 a; 2 2x98/98 a",
	 MAUI_REPLAY_EASY, false, "1 0; 2 100; 3 2 b"},
	{"perfect estimates know of the early end", "0 8x50/100 a; 1 9x10/10 a; 2 2x60/98 a",
	 MAUI_REPLAY_EASY, true, "1 0; 2 50; 3 60"},
	{"only the first has a reservation",
	 "0 8x100/100 a; 1 10x10/10 a; 2 2x100/100 a; 3 2x97/97 a", MAUI_REPLAY_EASY, false,
	 "1 0; 2 100; 3 110; 4 3 b"},
	{"in one second submissions are before ends", "0 10x100/200 a; 50 6x10/10 a; 100 4x10/10 a",
	 MAUI_REPLAY_EASY, false, "1 0; 2 100; 3 100"},
	{"first come, first backfilled",
	 "0 8x100/100 a; 1 9x10/10 a; 2 2x90/90 a; 2 2x10/10 a; 2 2x20/20 a", MAUI_REPLAY_EASY,
	 false, "1 0; 2 100; 3 2 b; 4 110; 5 110"},
	{"shortest first with sjbf",
	 "0 10x10/10 a; 1 8x100/100 a; 2 9x10/10 a; 3 2x70/70 a; 3 2x10/10 a; 3 2x20/20 a",
	 MAUI_REPLAY_SJBF, false, "1 0; 2 10; 3 110; 4 40 b; 5 10 b; 6 20 b"},
	{"a job that outlives its limit ends there", "0 10x100/60 a; 1 1x10/10 a", MAUI_REPLAY_EASY,
	 false, "1 0; 2 60"},
	{"those of one second end one by one", "0 5x10/20 a; 0 5x10/20 a; 1 10x5/5 a; 2 5x5/5 a",
	 MAUI_REPLAY_EASY, false, "1 0; 2 0; 3 15; 4 10 b"},
};

Test(replay_presets, jobs_begin_when_they_should)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct maui_replay_trace *trace = replay_trace(cases[i].trace, PROCS);
		struct maui_replay_schedule schedule;
		char text[512];

		maui_replay_preset_run(trace, PROCS, cases[i].preset, cases[i].perfect, &schedule);
		cr_expect_str_eq(replay_text(trace, &schedule, text, sizeof(text)),
				 cases[i].schedule, "%s: %s", cases[i].name, text);
		maui_replay_schedule_clear(&schedule);
		maui_replay_trace_free(trace);
	}
}

/* Whatever the jobs are, no second has more processors in use than there are. */
Test(replay_presets, the_machine_is_never_too_small)
{
	uint32_t seed = 20261123;
	struct maui_replay_trace *trace = maui_replay_trace_new();

	for (int64_t i = 0; i < 2000; i++) {
		struct maui_replay_job job = {.number = i + 1, .submitted = i * 7};

		seed = seed * 1664525 + 1013904223;
		job.run = 1 + (seed >> 8) % 200;
		job.estimate = job.run + (seed >> 20) % 100;
		maui_replay_trace_add(trace, &job, 1 + (seed >> 16) % PROCS);
	}
	for (int preset = MAUI_REPLAY_FCFS; preset <= MAUI_REPLAY_SJBF; preset++) {
		struct maui_replay_schedule schedule;

		maui_replay_preset_run(trace, PROCS, (enum maui_replay_preset)preset, false,
				       &schedule);
		for (size_t i = 0; i < trace->count; i++) {
			int64_t begin = schedule.started[i];
			uint32_t procs = 0;

			cr_assert_geq(begin, trace->jobs[i].submitted);
			for (size_t j = 0; j < trace->count; j++)
				if (schedule.started[j] <= begin &&
				    begin < schedule.started[j] + trace->jobs[j].run)
					procs += trace->jobs[j].procs;
			cr_assert_leq(procs, PROCS, "job %zu of preset %d", i + 1, preset);
		}
		maui_replay_schedule_clear(&schedule);
	}
	maui_replay_trace_free(trace);
}
