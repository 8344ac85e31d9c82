/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Schedules that begin with usage of fairshare, worked out by hand. Each replay begins at 1000, in
 * the first second of a window of 100 seconds.
 */
#include "testsuite/unit/replay/replay_fixture.h"

#include <errno.h>

#include "common/policy/policy.h"
#include "common/replay/queue/shares.h"
#include "common/replay/site/site.h"

#define PROCS 10
/* At 1050 a and b are there, and none of them has used anything in the replay. */
#define TWO     "1000 10x50/50 c; 1001 10x10/10 a; 1002 10x10/10 b"
#define A_FIRST "1 1000; 2 1050; 3 1060"
#define B_FIRST "1 1000; 2 1060; 3 1050"
#define FAIRSHARE                                                                                  \
	"RMPOLLINTERVAL 1\nFSPOLICY DEDICATEDPS\nFSINTERVAL 100\nFSDEPTH 3\nFSDECAY 0.5\n"         \
	"FSWEIGHT 1\nFSUSERWEIGHT 1\nUSERCFG[DEFAULT] FSTARGET=50\n"
#define CAP                                                                                        \
	"RMPOLLINTERVAL 1\nFSPOLICY DEDICATEDPS\nFSINTERVAL 100\nFSDEPTH 2\nFSDECAY 1\n"           \
	"USERCFG[a] FSTARGET=1000^\n"
#define HEAD        "# Fairshare Data File (Duration: 100 Seconds) Starting: Thu Jan  1 00:15:00\n"
#define A500        "User a 500\nUser b 100\nTOTAL 600\n"
#define UNTIL(time) "# Counted until: " time "\n" A500 "# End: 3\n"

struct usage_file {
	int64_t start;
	const char *text;
};

static const struct {
	const char *name, *config;
	struct usage_file files[3];
	const char *trace, *schedule;
	size_t windows;
} cases[] = {
	{"without usage the first who comes is first", FAIRSHARE, {{0}}, TWO, A_FIRST, 0},
	{"who has used more is second", FAIRSHARE, {{900, HEAD A500}}, TWO, B_FIRST, 1},
	{"a file by hand is enough", FAIRSHARE, {{900, "# FS\n" A500}}, TWO, B_FIRST, 1},
	/* a: 500 / 2; b: 100 / 2 + 1200 / 4 */
	{"older windows count less",
	 FAIRSHARE,
	 {{900, HEAD A500}, {800, HEAD "User b 1200\nTOTAL 1200\n"}},
	 TWO,
	 A_FIRST,
	 2},
	/* a: 500 / 2; b: 100 / 2 + 700 / 4 = 225 */
	{"and so do not decide alone",
	 FAIRSHARE,
	 {{900, HEAD A500}, {800, HEAD "User b 700\nTOTAL 700\n"}},
	 TWO,
	 B_FIRST,
	 2},
	{"those beyond FSDEPTH do not count, nor later ones",
	 FAIRSHARE,
	 {{900, HEAD A500},
	  {700, HEAD "User b 99999\nTOTAL 99999\n"},
	  {1100, HEAD "User b 99999\nTOTAL 99999\n"}},
	 TWO,
	 B_FIRST,
	 1},
	{"the present window counts if it was counted until now",
	 FAIRSHARE,
	 {{1000, HEAD UNTIL("1000")}},
	 TWO,
	 B_FIRST,
	 1},
	/* a has 950, and asks for 100 more of a cap of 1000; backfill's turn after 1100 is at 1120. */
	{"a cap holds until the window no longer counts",
	 CAP,
	 {{900, HEAD "User a 950\nTOTAL 1000\n"}},
	 "1000 10x10/10 a; 1000 1x5/5 b",
	 "1 1120; 2 1000",
	 1},
	{"and lets in what fits below",
	 CAP,
	 {{900, HEAD "User a 900\nTOTAL 1000\n"}},
	 "1000 10x10/10 a; 1000 1x5/5 b",
	 "1 1000; 2 1010",
	 1},
	/* 300 and 200 are more than 400. */
	{"a trace has the number and the name of digits as one user",
	 FAIRSHARE,
	 {{900, HEAD "User \"7\" 300\nUser 7 200\nUser b 400\nTOTAL 900\n"}},
	 "1000 10x50/50 c; 1001 10x10/10 7; 1002 10x10/10 b",
	 B_FIRST,
	 1},
	{"nobody counts without FSPOLICY",
	 "RMPOLLINTERVAL 1\n",
	 {{900, HEAD A500}},
	 TWO,
	 A_FIRST,
	 0},
};

static void add_files(struct maui_replay_usage *usage, const struct usage_file *files)
{
	struct maui_error error = {""};

	for (size_t i = 0; i < 3 && files[i].text; i++)
		cr_assert_eq(maui_replay_usage_add(usage, files[i].start, files[i].text,
						   strlen(files[i].text), &error),
			     0, "%s", error.text);
}

static struct maui_replay_site site_of(const char *config, const struct maui_replay_usage *usage)
{
	struct maui_replay_site site = replay_site("usage", config, "", PROCS);

	site.usage = usage;
	return site;
}

Test(replay_usage, schedules_begin_with_it)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct maui_replay_trace *trace = replay_trace(cases[i].trace, PROCS);
		struct maui_replay_usage usage = {0};
		struct maui_replay_site site =
			site_of(cases[i].config, cases[i].files[0].text ? &usage : NULL);
		struct maui_replay_schedule schedule;
		struct maui_replay_counts counts;
		struct maui_error error = {""};
		char text[512];

		add_files(&usage, cases[i].files);
		cr_assert_eq(maui_replay_site_run(trace, &site, &schedule, &counts, &error), 0,
			     "%s: %s", cases[i].name, error.text);
		cr_expect_str_eq(replay_text(trace, &schedule, text, sizeof(text)),
				 cases[i].schedule, "%s: %s", cases[i].name, text);
		cr_expect_eq(counts.usage_windows, cases[i].windows, "%s", cases[i].name);
		maui_replay_schedule_clear(&schedule);
		maui_replay_usage_clear(&usage);
		maui_policy_unref(site.policy);
		maui_replay_trace_free(trace);
	}
}

/* Of each alone, nothing would count: the replay refuses to go on as if it had not been given, and
 * so do shares. */
Test(replay_usage, files_that_do_not_count_are_refused)
{
	static const struct usage_file files[][3] = {
		{{700, HEAD A500}},
		{{1100, HEAD A500}},
		{{950, HEAD A500}}, /* no multiple of FSINTERVAL before it */
		{{1000, HEAD A500}},
		{{1000, HEAD UNTIL("1001")}},
		{{900, "# Fairshare Data File (Duration: 60 Seconds) Starting: x\n" A500}},
		{{900, HEAD "# Metric: UTILIZEDPS\n" A500}},
	};

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		struct maui_replay_trace *trace = replay_trace(TWO, PROCS);
		struct maui_replay_usage usage = {0};
		struct maui_replay_site site = site_of(FAIRSHARE, &usage);
		struct maui_replay_schedule schedule;
		struct maui_replay_shares shares;
		struct maui_replay_counts counts;
		struct maui_error error = {""}, of_shares = {""};

		add_files(&usage, files[i]);
		cr_expect_eq(maui_replay_site_run(trace, &site, &schedule, &counts, &error),
			     -ENOENT, "%zu", i);
		cr_expect(strstr(error.text, "FSINTERVAL is 100 s and FSDEPTH 3"), "%s",
			  error.text);
		cr_expect_eq(maui_replay_shares(trace, &site, (const int64_t[3]){0}, &shares,
						&of_shares),
			     -ENOENT, "%zu", i);
		cr_expect_str_eq(of_shares.text, error.text);
		maui_replay_shares_clear(&shares);
		maui_replay_schedule_clear(&schedule);
		maui_replay_usage_clear(&usage);
		maui_policy_unref(site.policy);
		maui_replay_trace_free(trace);
	}
}

/* c uses 500 in the window from 1000 on, a and b 100 each: 500 / 2 of 600 / 2 were there before. */
Test(replay_usage, shares_count_it)
{
	static const struct usage_file files[3] = {{900, HEAD A500}};
	struct maui_replay_trace *trace = replay_trace(TWO, PROCS);
	struct maui_replay_usage usage = {0};
	struct maui_replay_site site = site_of(FAIRSHARE, &usage);
	static const int64_t started[] = {1000, 1060, 1050};
	struct maui_replay_shares shares;
	struct maui_error error = {""};
	double counted = 0;

	add_files(&usage, files);
	cr_assert_eq(maui_replay_shares(trace, &site, started, &shares, &error), 0, "%s",
		     error.text);
	cr_assert_eq(shares.count, 3);
	for (size_t i = 0; i < shares.count; i++)
		if (!strcmp(shares.shares[i].name, "a"))
			counted = shares.shares[i].counted[0];
	cr_expect_float_eq(counted, (100 + 250.0) / (700 + 300) * 100, 1e-9, "%f", counted);
	maui_replay_shares_clear(&shares);
	maui_replay_usage_clear(&usage);
	maui_policy_unref(site.policy);
	maui_replay_trace_free(trace);
}

Test(replay_usage, a_damaged_file_changes_nothing)
{
	struct maui_replay_usage usage = {0};
	struct maui_error error = {""};

	cr_expect_eq(maui_replay_usage_add(&usage, 900, HEAD "User a\n", strlen(HEAD "User a\n"),
					   &error),
		     -EINVAL);
	cr_expect_eq(usage.count, 0);
	cr_expect_eq(usage.line_count, 0);
	maui_replay_usage_clear(&usage);
}
