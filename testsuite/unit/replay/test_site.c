/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Schedules of a few jobs on 10 processors under a maui.cfg, worked out by hand. Backfill takes its
 * turn at 0, 30, 60, ...
 */
#include <time.h>

#include "testsuite/unit/replay/replay_fixture.h"

#include "common/policy/policy.h"
#include "common/replay/site/site.h"

#define PROCS 10
#define PRIORITIES                                                                                 \
	"RMPOLLINTERVAL 1\nCREDWEIGHT 1\nUSERWEIGHT 1\n"                                           \
	"USERCFG[DEFAULT] PRIORITY=10\nUSERCFG[b] PRIORITY=100\n"
#define FAIRSHARE                                                                                  \
	"RMPOLLINTERVAL 1\nFSPOLICY DEDICATEDPS\nFSWEIGHT 1\nFSUSERWEIGHT 1\n"                     \
	"USERCFG[DEFAULT] FSTARGET=50\n"

/* From one minute to three minutes past midnight. */
#define PERIOD "RMPOLLINTERVAL 1:00:00\nPERIODCFG[p] STARTTIME=1:00 ENDTIME=3:00\n"

static const struct {
	const char *name, *config, *parameters, *trace, *schedule;
} cases[] = {
	/* ---- the main scheduler ---- */
	{"whoever fits begins at once", "", "", "5 4x10/10 a; 5 6x10/10 a; 7 10x1/1 a",
	 "1 5; 2 5; 3 15"},
	{"the highest priority is first", PRIORITIES, "",
	 "0 10x100/100 a; 1 10x10/10 a; 2 10x10/10 b", "1 0; 2 110; 3 100"},
	{"at the same priority, first come", PRIORITIES, "",
	 "0 10x100/100 b; 1 10x10/10 a; 2 10x10/10 a", "1 0; 2 100; 3 110"},
	{"one that does not fit closes the rest until backfill's turn", "", "",
	 "0 8x120/120 a; 1 4x10/10 a; 2 1x200/200 a", "1 0; 2 120; 3 30 b"},
	{"a pass looks at one job more than default_queue_depth", "", "default_queue_depth=0",
	 "0 10x100/100 a; 1 1x10/10 a; 2 1x10/10 a; 3 1x10/10 a", "1 0; 2 100; 3 110; 4 120"},
	{"and at two with 1", "", "default_queue_depth=1",
	 "0 10x100/100 a; 1 1x10/10 a; 2 1x10/10 a; 3 1x10/10 a", "1 0; 2 100; 3 100; 4 110"},
	{"waiting raises the priority",
	 "RMPOLLINTERVAL 1\nSERVWEIGHT 1\nQUEUETIMEWEIGHT 10\n"
	 "CREDWEIGHT 1\nUSERWEIGHT 1\nUSERCFG[b] PRIORITY=5\n",
	 "", "0 10x100/100 a; 0 10x10/10 a; 90 10x10/10 b", "1 0; 2 100; 3 110"},

	/* ---- backfill ---- */
	{"one that ends before a reservation begins", "", "",
	 "0 8x600/600 a; 1 10x60/60 a; 2 2x500/500 a", "1 0; 2 600; 3 30 b"},
	{"one that ends when it begins waits", "", "", "0 8x600/600 a; 1 10x60/60 a; 2 2x570/570 a",
	 "1 0; 2 600; 3 660"},
	{"one that ends a second earlier does not", "", "",
	 "0 8x600/600 a; 1 10x60/60 a; 2 2x569/569 a", "1 0; 2 600; 3 30 b"},
	/* The plan of 630 begins at 600. */
	{"reservations are rounded down to bf_resolution", "", "",
	 "0 8x630/630 a; 1 10x60/60 a; 2 2x570/570 a", "1 0; 2 630; 3 690"},
	{"a finer bf_resolution rounds less", "", "bf_resolution=1",
	 "0 8x630/630 a; 1 10x60/60 a; 2 2x599/599 a", "1 0; 2 630; 3 30 b"},
	/* Of the eight six are those of the first job, from 600 to 630 as well. */
	{"one that is rounded down takes nothing twice", "", "",
	 "0 6x630/630 a; 1 8x60/60 a; 2 2x900/900 a", "1 0; 2 630; 3 30 b"},
	{"everybody ahead has a reservation, unlike with EASY", "", "",
	 "0 8x600/600 a; 1 9x60/60 a; 2 10x60/60 a; 3 1x2000/2000 a", "1 0; 2 600; 3 660; 4 720"},
	{"beyond bf_window there is none", "", "bf_window=5",
	 "0 8x600/600 a; 1 10x60/60 a; 2 2x6000/6000 a", "1 0; 2 6030; 3 30 b"},
	{"bf_max_job_test ends the pass", "", "bf_max_job_test=2",
	 "0 8x600/600 a; 1 10x60/60 a; 2 9x60/60 a; 3 2x100/100 a", "1 0; 2 600; 3 660; 4 720"},
	{"its turn comes each bf_interval", "", "bf_interval=120,bf_continue",
	 "0 8x600/600 a; 1 10x60/60 a; 2 2x100/100 a", "1 0; 2 600; 3 120 b"},
	{"bf_interval=-1 turns backfill off", "", "bf_interval=-1",
	 "0 8x600/600 a; 1 10x60/60 a; 2 2x100/100 a", "1 0; 2 600; 3 660"},
	{"instead the main scheduler looks at all each minute", "",
	 "bf_interval=-1,default_queue_depth=0",
	 "0 10x100/100 a; 1 1x900/900 a; 2 1x900/900 a; 3 1x900/900 a", "1 0; 2 100; 3 120; 4 120"},
	{"an early end is used at once", "", "", "0 8x50/600 a; 1 10x60/60 a; 2 2x20/500 a",
	 "1 0; 2 50; 3 30 b"},
	{"priorities count in backfill, too", PRIORITIES, "",
	 "0 8x600/600 a; 1 10x60/60 b; 2 2x90/90 a; 3 2x90/90 b", "1 0; 2 600; 3 120 b; 4 30 b"},

	/* ---- limits ---- */
	{"a job over a limit holds up nobody", "RMPOLLINTERVAL 1\nUSERCFG[a] MAXJOB=1\n", "",
	 "0 4x100/100 a; 1 4x100/100 a; 2 4x10/10 b", "1 0; 2 100; 3 2"},
	{"not two in one pass either", "RMPOLLINTERVAL 1\nUSERCFG[DEFAULT] MAXJOB=1\n", "",
	 "0 4x100/100 a; 0 4x100/100 a; 0 2x10/10 b", "1 0; 2 100; 3 0"},
	{"a limit on processors", "RMPOLLINTERVAL 1\nUSERCFG[a] MAXPROC=6\n", "",
	 "0 4x100/100 a; 1 4x10/10 a; 2 2x10/10 a", "1 0; 2 100; 3 2"},
	{"a limit on a class", "RMPOLLINTERVAL 1\nCLASSCFG[few] MAXJOB=1\n", "",
	 "0 1x100/100 a - - few; 1 1x10/10 b - - few; 2 1x10/10 a - - many", "1 0; 2 100; 3 2"},
	{"between iterations it holds, too", "RMPOLLINTERVAL 1:00:00\nUSERCFG[a] MAXJOB=1\n", "",
	 "0 4x100/100 a; 1 4x100/100 a; 2 4x10/10 b", "1 0; 2 100; 3 2"},
	{"over a soft limit comes after the others", PRIORITIES "USERCFG[b] MAXJOB=1,2\n", "",
	 "0 4x100/100 b; 1 6x50/50 a; 2 6x10/10 b; 3 6x10/10 c", "1 0; 2 1; 3 61; 4 51"},
	{"and before them without the limit", PRIORITIES, "",
	 "0 4x100/100 b; 1 6x50/50 a; 2 6x10/10 b; 3 6x10/10 c", "1 0; 2 1; 3 51; 4 61"},
	{"over the hard one not even then", PRIORITIES "USERCFG[b] MAXJOB=1,1\n", "",
	 "0 4x100/100 b; 1 6x50/50 a; 2 6x10/10 b; 3 6x10/10 c", "1 0; 2 1; 3 100; 4 51"},
	{"over an idle limit is not looked at", "RMPOLLINTERVAL 1\nUSERCFG[a] MAXIJOB=1\n", "",
	 "0 8x600/600 c; 1 10x60/60 a; 2 2x100/100 a; 3 2x100/100 b", "1 0; 2 600; 3 660; 4 30 b"},
	{"and is without it", "RMPOLLINTERVAL 1\n", "",
	 "0 8x600/600 c; 1 10x60/60 a; 2 2x100/100 a; 3 2x100/100 b",
	 "1 0; 2 600; 3 30 b; 4 150 b"},
	{"another limit in a period, at its seconds",
	 PERIOD "USERCFG[a] MAXJOB=1 MAXJOB[PERIOD:p]=2\n", "",
	 "0 2x500/500 a; 1 2x100/100 a; 2 2x600/600 a; 3 2x10/10 a", "1 0; 2 60; 3 160; 4 760"},
	{"a limit in a period alone", PERIOD "USERCFG[a] MAXJOB[PERIOD:p]=1\n", "",
	 "50 2x500/500 a; 51 2x500/500 a; 100 2x10/10 a", "1 50; 2 51; 3 180"},
	{"the period of the next day is waited for",
	 PERIOD "USERCFG[a] MAXPROC=1 MAXPROC[PERIOD:p]=9\n", "", "200 2x10/10 a", "1 86460"},
	{"outstanding time shrinks while nothing happens",
	 "RMPOLLINTERVAL 1\nUSERCFG[a] MAXPS=1000\n", "", "0 4x200/200 a; 1 4x100/100 a",
	 "1 0; 2 60"},

	/* ---- fairshare ---- */
	{"who has used less is first", FAIRSHARE "FSINTERVAL 1000\nFSDEPTH 2\n", "",
	 "0 10x90/90 a; 1 10x10/10 a; 2 10x10/10 b", "1 0; 2 100; 3 90"},
	{"a window that still counts", FAIRSHARE "FSINTERVAL 100\nFSDEPTH 2\n", "",
	 "0 10x60/60 a; 1 10x70/70 c; 70 10x10/10 a; 71 10x10/10 b", "1 0; 2 60; 3 140; 4 130"},
	{"a window that has been forgotten", FAIRSHARE "FSINTERVAL 100\nFSDEPTH 1\n", "",
	 "0 10x60/60 a; 1 10x70/70 c; 70 10x10/10 a; 71 10x10/10 b", "1 0; 2 60; 3 130; 4 140"},
	{"a window that has decayed away", FAIRSHARE "FSINTERVAL 100\nFSDEPTH 2\nFSDECAY 0\n", "",
	 "0 10x60/60 a; 1 10x70/70 c; 70 10x10/10 a; 71 10x10/10 b", "1 0; 2 60; 3 130; 4 140"},
	/* The iteration of 100 found b to have used more than a, who has nothing waiting. */
	{"who comes between iterations has the usage of the last one",
	 FAIRSHARE "RMPOLLINTERVAL 100\nFSINTERVAL 10000\nFSDEPTH 2\n", "",
	 "0 2x500/500 a; 0 4x500/500 b; 100 1x400/400 c; 150 3x10/10 b; 150 3x10/10 a",
	 "1 0; 2 0; 3 100; 4 160; 5 150"},
	/* That of 100 found them to have used the same: first come. By the end of his job b has used
	 * more. */
	{"even if a job has ended since",
	 FAIRSHARE "RMPOLLINTERVAL 100\nFSINTERVAL 10000\nFSDEPTH 2\n", "",
	 "0 5x100/100 a; 0 5x150/150 b; 150 10x10/10 b; 150 10x10/10 a", "1 0; 2 0; 3 150; 4 160"},
	{"a cap holds until the window rolls",
	 "RMPOLLINTERVAL 1\nFSPOLICY DEDICATEDPS\nFSINTERVAL 100\nFSDEPTH 1\n"
	 "USERCFG[a] FSTARGET=1000^\n",
	 "", "0 10x50/50 a; 1 10x60/60 a; 2 10x5/5 b", "1 0; 2 120; 3 50"},
	{"a job that asks for more than a cap never begins",
	 "RMPOLLINTERVAL 1\nFSPOLICY DEDICATEDPS\nFSINTERVAL 100\nFSDEPTH 3\n"
	 "USERCFG[a] FSTARGET=100^\n",
	 "", "0 10x50/50 a; 1 1x5/5 b", "1 never; 2 1"},

	/* ---- from a queue: turns are at 1000, 1030, ... ---- */
	{"what runs goes on, and who waits has waited since he came", "", "",
	 "@1000 10 10x5/5 a; 500 1x5/5 a; 1000 10x100/100:r b; 1050 1x5/5 a",
	 "1 1100; 2 1105; 3 1000; 4 1105"},
	{"backfill plans around what runs", "", "",
	 "@1000 10 10x60/60 a; 20 2x500/500 a; 30 2x900/900 a; 1000 8x600/600:r b",
	 "1 1600; 2 1000 b; 3 1660; 4 1000"},
	{"what runs counts for limits", "RMPOLLINTERVAL 1\nUSERCFG[a] MAXJOB=1\n", "",
	 "@1000 10 1x5/5 a; 20 1x5/5 b; 1000 1x100/100:r a", "1 1100; 2 1000; 3 1000"},
	{"and for fairshare", FAIRSHARE "FSINTERVAL 10000\nFSDEPTH 2\n", "",
	 "@1000 10 10x10/10 a; 20 10x10/10 b; 1000 10x100/100:r a", "1 1110; 2 1100; 3 1000"},

	/* ---- QOS ---- */
	{"a QOS that is not in QLIST is refused", "RMPOLLINTERVAL 1\nUSERCFG[a] QLIST=high\n", "",
	 "0 1x5/5 a - low; 0 1x5/5 a - high; 0 1x5/5 b - low", "1 never; 2 0; 3 0"},
	{"a job without QOS has QDEF's",
	 "RMPOLLINTERVAL 1\nCREDWEIGHT 1\nQOSWEIGHT 1\nUSERCFG[b] QDEF=high\n"
	 "QOSCFG[high] PRIORITY=50\n",
	 "", "0 10x100/100 a; 1 10x10/10 a; 2 10x10/10 b", "1 0; 2 110; 3 100"},
};

Test(replay_site, jobs_begin_when_they_should)
{
	setenv("TZ", "UTC", 1);
	tzset();
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct maui_replay_trace *trace = replay_trace(cases[i].trace, PROCS);
		struct maui_replay_site site =
			replay_site(cases[i].name, cases[i].config, cases[i].parameters, PROCS);
		struct maui_replay_schedule schedule;
		struct maui_replay_counts counts;
		struct maui_error error = {""};
		char text[512];

		cr_assert_eq(maui_replay_site_run(trace, &site, &schedule, &counts, &error), 0,
			     "%s: %s", cases[i].name, error.text);
		cr_expect_str_eq(replay_text(trace, &schedule, text, sizeof(text)),
				 cases[i].schedule, "%s: %s", cases[i].name, text);
		maui_replay_schedule_clear(&schedule);
		maui_policy_unref(site.policy);
		maui_replay_trace_free(trace);
	}
}

/* ---- SchedulerParameters ---- */

static char passed_over[128];

static void ignored(void *context, const char *name)
{
	size_t used = strlen(passed_over);

	(void)context;
	snprintf(passed_over + used, sizeof(passed_over) - used, "%s;", name);
}

Test(replay_site, scheduler_parameters_are_read)
{
	struct maui_replay_parameters p = maui_replay_default_parameters;
	struct maui_error error;

	passed_over[0] = '\0';
	cr_assert_eq(maui_replay_parameters_read(
			     "bf_window=2880,bf_continue,,default_queue_depth=7,bf_resolution=300,"
			     "bf_interval=60,bf_max_job_test=9,bf_min_prio_reserve=2,defer=1,"
			     "bf_window_linear=45",
			     &p, &(struct maui_replay_parameter_notes){.ignored = ignored}, &error),
		     0);
	cr_expect_eq(p.window, INT64_C(172800));
	cr_expect_eq(p.queue_depth, 7);
	cr_expect_eq(p.resolution, 300);
	cr_expect_eq(p.interval, 60);
	cr_expect_eq(p.max_job_test, 9);
	cr_expect_eq(p.min_prio_reserve, 2);
	cr_expect_eq(p.window_linear, 45);
	cr_expect_str_eq(passed_over, "bf_continue;defer=1;");
}

Test(replay_site, values_out_of_range_are_refused)
{
	static const char *const bad[] = {
		"bf_window=0",    "bf_interval=",         "bf_interval",
		"bf_interval=1x", "bf_resolution=-1",     "bf_max_job_test=0",
		"bf_interval=-2", "bf_window=4294967297", "bf_min_prio_reserve=4294967298"};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct maui_replay_parameters p = maui_replay_default_parameters;
		struct maui_error error = {""};

		cr_expect_lt(maui_replay_parameters_read(
				     bad[i], &p, &(struct maui_replay_parameter_notes){0}, &error),
			     0, "%s", bad[i]);
		cr_expect(strstr(error.text, "is needed"), "%s: %s", bad[i], error.text);
	}
}
