/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is told of a schedule, worked out by hand: who was held, shares, use over time,
 * differences. */
#include "testsuite/unit/replay/replay_fixture.h"

#include "common/policy/policy.h"
#include "common/replay/figures/difference.h"
#include "common/replay/trace/jitter.h"
#include "common/replay/figures/measures.h"
#include "common/replay/queue/shares.h"
#include "common/replay/figures/timeline.h"

#define PROCS 10

static struct maui_replay_schedule run(const struct maui_replay_trace *trace, const char *config,
				       struct maui_replay_site *site)
{
	struct maui_replay_schedule schedule;
	struct maui_replay_counts counts;
	struct maui_error error = {""};

	*site = replay_site("accounts", config, "", PROCS);
	cr_assert_eq(maui_replay_site_run(trace, site, &schedule, &counts, &error), 0, "%s",
		     error.text);
	return schedule;
}

/* ---- who was held ---- */

static const struct {
	const char *name, *config, *trace;
	const char *held; /* rule, holder, jobs, seconds, processor-seconds */
	const char *jobs; /* seconds by job */
} holds[] = {
	{"nobody", "USERCFG[a] MAXJOB=9\n", "0 4x100/100 a; 1 10x100/100 a", "", "0 0"},
	{"until the other one ends", "USERCFG[a] MAXJOB=1\n",
	 "0 4x100/100 a; 1 4x100/100 a; 2 4x10/10 b", "MAXJOB user a 1 99 396", "0 99 0"},
	{"alike jobs count together, each from when it came", "USERCFG[a] MAXJOB=1\n",
	 "0 1x100/100 a; 10 2x50/50 a; 40 2x50/50 a", "MAXJOB user a 2 200 400", "0 90 110"},
	{"by one rule and then by another", "USERCFG[a] MAXJOB=1\nCLASSCFG[few] MAXJOB=1\n",
	 "0 1x100/100 a - - few; 0 1x50/50 b - - few; 1 1x5/5 a - - few",
	 "MAXJOB class few 2 150 150; MAXJOB user a 1 99 99", "0 100 149"},
	{"of two that are in the way the first is named", "USERCFG[a] MAXPROC=6 MAXJOB=1\n",
	 "0 4x100/100 a; 1 4x10/10 a", "MAXJOB user a 1 99 396", "0 99"},
	{"a limit on pairs", "USERCFG[a] MAXJOB[CLASS]=1\n",
	 "0 1x100/100 a - - few; 0 1x10/10 a - - few; 0 1x10/10 a - - many",
	 "MAXJOB[CLASS] user a few 1 100 100", "0 100 0"},
	{"a cap, until the window rolls",
	 "FSPOLICY DEDICATEDPS\nFSINTERVAL 100\nFSDEPTH 1\nUSERCFG[a] FSTARGET=1000^\n",
	 "0 10x50/50 a; 50 10x60/60 a; 120 1x1/1 b", "FSTARGET cap user a 1 70 700", "0 70 0"},
	{"a soft limit only while it is one", "USERCFG[b] MAXJOB=1,2\n",
	 "0 4x100/100 b; 1 4x10/10 b", "", "0 0"},
	{"between iterations, from the pass that wanted it to start",
	 "RMPOLLINTERVAL 1:00:00\nUSERCFG[a] MAXJOB=1\n", "0 4x100/100 a; 1 4x100/100 a",
	 "MAXJOB user a 1 99 396", "0 99"},
};

static const char *held_text(const struct maui_replay_held *held, char *text, size_t size)
{
	size_t used = 0;

	*text = '\0';
	for (size_t i = 0; i < held->count; i++) {
		const struct maui_replay_hold *hold = &held->holds[i];

		used += (size_t)snprintf(text + used, size - used,
					 "%s%s %s %s%s%s %zu %" PRId64 " %.0f", i ? "; " : "",
					 hold->rule, hold->holder_type, hold->holder,
					 hold->second_type ? " " : "", hold->second, hold->jobs,
					 hold->seconds, hold->processor_seconds);
	}
	return text;
}

Test(replay_accounts, time_held_is_counted_by_rule_and_by_job)
{
	for (size_t i = 0; i < sizeof(holds) / sizeof(holds[0]); i++) {
		struct maui_replay_trace *trace = replay_trace(holds[i].trace, PROCS);
		struct maui_replay_schedule schedule;
		struct maui_replay_site site;
		char text[512], config[512];
		size_t used = 0;

		snprintf(config, sizeof(config), "%s%s",
			 strstr(holds[i].config, "RMPOLL") ? "" : "RMPOLLINTERVAL 1\n",
			 holds[i].config);
		schedule = run(trace, config, &site);
		cr_expect_str_eq(held_text(&schedule.held, text, sizeof(text)), holds[i].held,
				 "%s: %s", holds[i].name, text);
		for (size_t j = 0; j < trace->count; j++)
			used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%" PRId64,
						 j ? " " : "", schedule.held.seconds[j]);
		cr_expect_str_eq(text, holds[i].jobs, "%s: %s", holds[i].name, text);
		maui_replay_schedule_clear(&schedule);
		maui_policy_unref(site.policy);
		maui_replay_trace_free(trace);
	}
}

/* One that never begins is held to the end, and by its list. */
Test(replay_accounts, a_list_holds_to_the_end)
{
	struct maui_replay_trace *trace =
		replay_trace("0 1x5/5 a - low; 0 1x500/500 b - low", PROCS);
	struct maui_replay_site site;
	struct maui_replay_schedule schedule =
		run(trace, "RMPOLLINTERVAL 1\nUSERCFG[a] QLIST=high\n", &site);

	cr_assert_eq(schedule.held.count, 1);
	cr_expect_str_eq(schedule.held.holds[0].rule, "QLIST");
	cr_expect_str_eq(schedule.held.holds[0].holder, "a");
	cr_expect_str_eq(schedule.held.holds[0].second, "low");
	cr_expect_geq(schedule.held.seconds[0], 500);
	cr_expect_eq(schedule.held.holds[0].seconds, schedule.held.seconds[0]);
	maui_replay_schedule_clear(&schedule);
	maui_policy_unref(site.policy);
	maui_replay_trace_free(trace);
}

/* ---- shares ---- */

static const char shares_config[] = "RMPOLLINTERVAL 1\nFSPOLICY DEDICATEDPS\nFSINTERVAL 100\n"
				    "FSDEPTH 2\nFSDECAY 0.5\nUSERCFG[a] FSTARGET=25\n"
				    "USERCFG[b] FSTARGET=50-\n";

/* a has 400 of window 0's 1000 and none of window 1's 500; b 600 and 100; c has no target. */
Test(replay_accounts, shares_are_by_window_and_as_they_count)
{
	struct maui_replay_trace *trace = replay_trace(
		"0 4x100/100 a; 0 6x100/100 b; 100 4x100/100 c; 100 1x100/100 b", PROCS);
	struct maui_replay_site site;
	struct maui_replay_schedule schedule = run(trace, shares_config, &site);
	struct maui_replay_shares shares;
	struct maui_error error = {""};

	cr_assert_eq(maui_replay_shares(trace, &site, schedule.started, &shares, &error), 0, "%s",
		     error.text);
	cr_assert_eq(shares.count, 2);
	cr_expect_eq(shares.windows, 3); /* the last one begins with the last end, and is empty */
	cr_expect_str_eq(shares.shares[0].name, "b");
	cr_expect_eq(shares.shares[0].target.mode, MAUI_FS_CEILING);
	cr_expect_float_eq(shares.shares[0].window[0], 60, 1e-9);
	cr_expect_float_eq(shares.shares[0].window[1], 20, 1e-9);
	cr_expect_float_eq(shares.shares[0].counted[1], (100 + 300) / 1000.0 * 100, 1e-9);
	cr_expect_str_eq(shares.shares[1].name, "a");
	cr_expect_float_eq(shares.shares[1].window[1], 0, 1e-9);
	cr_expect_float_eq(shares.shares[1].counted[0], 40, 1e-9);
	cr_expect_float_eq(shares.shares[1].counted[1], 20, 1e-9);
	cr_expect_float_eq(shares.shares[1].percent, 400 / 1500.0 * 100, 1e-9);
	maui_replay_shares_clear(&shares);
	maui_replay_schedule_clear(&schedule);
	maui_policy_unref(site.policy);
	maui_replay_trace_free(trace);
}

Test(replay_accounts, without_windows_or_targets_there_are_no_shares)
{
	static const char *const configs[] = {"USERCFG[a] FSTARGET=25\n",
					      "FSPOLICY DEDICATEDPS\nUSERCFG[a] MAXJOB=1\n"};

	for (size_t i = 0; i < sizeof(configs) / sizeof(configs[0]); i++) {
		struct maui_replay_trace *trace = replay_trace("0 4x100/100 a", PROCS);
		struct maui_replay_site site;
		struct maui_replay_schedule schedule = run(trace, configs[i], &site);
		struct maui_replay_shares shares;
		struct maui_error error = {""};

		cr_assert_eq(maui_replay_shares(trace, &site, schedule.started, &shares, &error), 0,
			     "%s", error.text);
		cr_expect_eq(shares.count, 0, "%s", configs[i]);
		maui_replay_shares_clear(&shares);
		maui_replay_schedule_clear(&schedule);
		maui_policy_unref(site.policy);
		maui_replay_trace_free(trace);
	}
}

/* ---- over time ---- */

Test(replay_accounts, means_over_steps)
{
	struct maui_replay_trace *trace =
		replay_trace("0 4x100/100 a; 50 6x30/30 b; 60 1x9/9 b", PROCS);
	const int64_t started[] = {0, 80, MAUI_REPLAY_UNKNOWN};
	struct maui_replay_moment m[3];

	maui_replay_timeline(trace, started, 0, 50, 3, m);
	cr_expect_float_eq(m[0].used, 4, 1e-9);
	cr_expect_float_eq(m[0].waiting, 0, 1e-9);
	cr_expect_float_eq(m[1].used, 4 + 6 * 20 / 50.0, 1e-9);
	cr_expect_float_eq(m[1].waiting, 30 / 50.0 + 40 / 50.0, 1e-9);
	cr_expect_float_eq(m[1].wanted, 6 * 30 / 50.0 + 40 / 50.0, 1e-9);
	cr_expect_float_eq(m[2].used, 6 * 10 / 50.0, 1e-9);
	cr_expect_float_eq(m[2].waiting, 1, 1e-9);
	maui_replay_trace_free(trace);
}

/* ---- differences ---- */

Test(replay_accounts, the_largest_differences_are_first)
{
	int64_t one[16], other[16];
	struct maui_replay_schedule first = {.count = 16, .started = one};
	struct maui_replay_schedule second = {.count = 16, .started = other};
	struct maui_replay_job jobs[16] = {{0}};
	struct maui_replay_trace trace = {.jobs = jobs, .count = 16};
	struct maui_replay_difference d;

	for (int i = 0; i < 16; i++) {
		one[i] = 100;
		other[i] = 100 + (i * 7) % 13; /* 0 7 1 8 2 9 3 10 4 11 5 12 6 0 7 1 */
	}
	other[0] = 40;
	other[13] = 90;
	one[4] = MAUI_REPLAY_UNKNOWN;
	other[6] = MAUI_REPLAY_UNKNOWN;
	maui_replay_differ(&trace, &first, &second, &d);
	cr_expect_eq(d.earlier, 2);
	cr_expect_eq(d.same, 0);
	cr_expect_eq(d.later, 12);
	cr_expect_eq(d.only_first, 1);
	cr_expect_eq(d.only_second, 1);
	cr_expect_float_eq(
		d.mean, (-60 - 10 + 7 + 1 + 8 + 9 + 10 + 4 + 11 + 5 + 12 + 6 + 7 + 1) / 14.0, 1e-9);
	cr_assert_eq(d.gain_count, 2);
	cr_expect_eq(d.gains[0].job, 0);
	cr_expect_eq(d.gains[0].seconds, -60);
	cr_expect_eq(d.gains[1].job, 13);
	cr_assert_eq(d.loss_count, MAUI_REPLAY_MOST);
	cr_expect_eq(d.losses[0].job, 11);
	cr_expect_eq(d.losses[1].job, 9);
	cr_expect_eq(d.losses[5].job, 1, "the first of two that lose as much");
	cr_expect_eq(d.losses[6].job, 14);
}

/* Of a's jobs the first begins under both, of b's all, and c's wait as long under both. */
Test(replay_accounts, users_gain_and_lose_by_what_their_jobs_wait_in_all)
{
	struct maui_replay_trace *trace = replay_trace(
		"100 1x9/9 a; 110 1x9/9 a; 120 1x9/9 b; 130 1x9/9 b; 140 1x9/9 c; 150 1x9/9 d",
		PROCS);
	int64_t one[] = {200, 200, 220, 230, 240, 150};
	int64_t other[] = {150, MAUI_REPLAY_UNKNOWN, 130, 200, 240, 170};
	struct maui_replay_schedule first = {.count = 6, .started = one};
	struct maui_replay_schedule second = {.count = 6, .started = other};
	struct maui_replay_group_changes changes;
	struct maui_replay_grouping users;

	maui_replay_grouping_by(trace, MAUI_REPLAY_BY_USER, &users);
	maui_replay_differ_by(trace, &users, &first, &second, &changes);
	cr_assert_eq(changes.gain_count, 2);
	cr_expect_str_eq(users.names[changes.gains[0].group], "b");
	cr_expect_eq(changes.gains[0].jobs, 2);
	cr_expect_eq(changes.gains[0].first, 200);
	cr_expect_eq(changes.gains[0].second, 80);
	cr_expect_str_eq(users.names[changes.gains[1].group], "a");
	cr_expect_eq(changes.gains[1].jobs, 1);
	cr_assert_eq(changes.loss_count, 1);
	cr_expect_str_eq(users.names[changes.losses[0].group], "d");
	maui_replay_grouping_clear(&users);
	maui_replay_differ_by(trace, &users, &first, &second, &changes);
	cr_expect_eq(changes.gain_count + changes.loss_count, 0, "nobody is known");
	maui_replay_trace_free(trace);
}

/* ---- a queue to begin with ---- */

/* It came at 100 and runs since then; the other has waited since 110, when the replay begins at
 * 150. */
Test(replay_accounts, more_users_than_a_number_has_bits)
{
	struct maui_replay_trace *trace;
	struct maui_replay_grouping grouping;
	char text[1024] = "";

	for (int i = 0; i < 40; i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%d 1x9/9 %c%c",
			 i ? "; " : "", i, 'a' + i / 20, 'a' + i % 20);
	trace = replay_trace(text, PROCS);
	maui_replay_grouping_by(trace, MAUI_REPLAY_BY_USER, &grouping);
	cr_expect_eq(grouping.count, 40);
	cr_expect_str_eq(grouping.names[grouping.of[39]], "bt");
	maui_replay_grouping_clear(&grouping);
	maui_replay_trace_free(trace);
}

Test(replay_accounts, a_job_that_runs_already_counts_as_use_alone)
{
	struct maui_replay_trace *trace = replay_trace("100 6x60/60 a; 110 4x30/30 b", PROCS);
	int64_t one[] = {150, 170}, other[] = {150, 160};
	struct maui_replay_schedule first = {.count = 2, .started = one};
	struct maui_replay_schedule second = {.count = 2, .started = other};
	struct maui_replay_measures by_user[2];
	struct maui_replay_grouping grouping;
	struct maui_replay_difference d;
	struct maui_replay_moment m[2];

	trace->begin = 150;
	trace->jobs[0].running = true;
	cr_expect_eq(maui_replay_trace_begin(trace), 150);
	maui_replay_grouping_by(trace, MAUI_REPLAY_BY_USER, &grouping);
	maui_replay_measure_groups(trace, one, NULL, NULL, PROCS, &grouping, by_user);
	cr_expect_eq(by_user[0].jobs, 0);
	cr_expect_eq(by_user[0].used, 360);
	cr_expect_eq(by_user[1].jobs, 1);
	cr_expect_eq(by_user[1].wait.mean, 60);
	cr_expect_eq(by_user[1].makespan, 50, "from when the replay begins");
	maui_replay_differ(trace, &first, &second, &d);
	cr_expect_eq(d.same, 0);
	cr_expect_eq(d.earlier, 1);
	cr_expect_eq(d.mean, -10);
	maui_replay_timeline(trace, one, 150, 40, 2, m);
	cr_expect_float_eq(m[0].used, 6 + 4 * 20 / 40.0, 1e-9);
	cr_expect_float_eq(m[0].waiting, 20 / 40.0, 1e-9);
	cr_expect_float_eq(m[1].used, (6 * 20 + 4 * 10) / 40.0, 1e-9);
	maui_replay_grouping_clear(&grouping);
	maui_replay_trace_free(trace);
}

/* ---- shaken arrivals ---- */

Test(replay_accounts, every_shift_is_possible_and_none_is_larger)
{
	struct maui_replay_trace *trace =
		replay_trace("100 1x1/1 a; 100 1x1/1 b; 105 1x1/1 c", PROCS);
	size_t seen[7] = {0};

	for (uint32_t run = 0; run < 700; run++) {
		struct maui_replay_trace shaken;
		int64_t last = 0;

		maui_replay_shake(trace, 1, run, 3, &shaken);
		for (size_t i = 0; i < 3; i++) {
			const struct maui_replay_job *job = &shaken.jobs[i];
			int64_t moved = job->submitted - (job->number == 3 ? 105 : 100);

			cr_assert_geq(job->submitted, last, "in the order of submission");
			last = job->submitted;
			cr_assert(moved >= -3 && moved <= 3, "%" PRId64, moved);
			seen[moved + 3]++;
		}
		maui_replay_shaken_clear(&shaken);
	}
	for (int i = 0; i < 7; i++)
		cr_expect(seen[i] > 200 && seen[i] < 400, "%d: %zu of 2100", i - 3, seen[i]);
	maui_replay_trace_free(trace);
}

Test(replay_accounts, a_shaking_hangs_on_seed_and_run_alone)
{
	struct maui_replay_trace *trace = replay_trace("1000 1x1/1 a; 1000 1x1/1 b", PROCS);
	struct maui_replay_trace one, same, other, seed;

	maui_replay_shake(trace, 5, 7, 1000000, &one);
	maui_replay_shake(trace, 5, 7, 1000000, &same);
	maui_replay_shake(trace, 5, 8, 1000000, &other);
	maui_replay_shake(trace, 6, 7, 1000000, &seed);
	cr_expect_eq(one.jobs[1].submitted, same.jobs[1].submitted);
	cr_expect_neq(one.jobs[1].submitted, other.jobs[1].submitted);
	cr_expect_neq(one.jobs[1].submitted, seed.jobs[1].submitted);
	cr_expect_geq(one.jobs[0].submitted, 0);
	maui_replay_shaken_clear(&one);
	maui_replay_shaken_clear(&same);
	maui_replay_shaken_clear(&other);
	maui_replay_shaken_clear(&seed);
	maui_replay_trace_free(trace);
}

Test(replay_accounts, intervals_leave_out_the_outermost)
{
	double few[] = {3, 1, 2}, many[80];
	struct maui_replay_interval in = maui_replay_interval_of(few, 3);

	cr_expect_float_eq(in.mean, 2, 1e-9);
	cr_expect_float_eq(in.low, 1, 1e-9);
	cr_expect_float_eq(in.high, 3, 1e-9);
	for (int i = 0; i < 80; i++)
		many[i] = (i * 37) % 80;
	in = maui_replay_interval_of(many, 80);
	cr_expect_float_eq(in.low, 2, 1e-9);
	cr_expect_float_eq(in.high, 77, 1e-9);
}
