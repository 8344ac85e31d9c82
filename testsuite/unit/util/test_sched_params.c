/* SPDX-License-Identifier: GPL-2.0-or-later */
/* SchedulerParameters as slurmctld reads them; scenario replay_conf asks slurmctld. */
#include <criterion/criterion.h>
#include <inttypes.h>

#include "common/util/slurm/sched_params.h"

Test(sched_params, value)
{
	static const struct {
		const char *text;
		enum maui_sched_param which;
		int64_t value;
		bool within;
	} cases[] = {
		{NULL, MAUI_SCHED_QUEUE_DEPTH, 100, true},
		{"", MAUI_SCHED_MAX_JOB_TEST, 500, true},
		{"bf_interval", MAUI_SCHED_INTERVAL, 30, true},
		{"bf_interval=", MAUI_SCHED_INTERVAL, 30, false},
		{"BF_Interval=7s,bf_interval=8", MAUI_SCHED_INTERVAL, 7, true},
		{"defer, bf_interval= 9", MAUI_SCHED_INTERVAL, 9, true},
		{"bf_interval=-1", MAUI_SCHED_INTERVAL, MAUI_SCHED_NO_BACKFILL, true},
		{"bf_interval=-2", MAUI_SCHED_INTERVAL, 30, false},
		{"bf_interval=10800", MAUI_SCHED_INTERVAL, 10800, true},
		{"bf_interval=10801", MAUI_SCHED_INTERVAL, 30, false},
		{"bf_interval=4294967295", MAUI_SCHED_INTERVAL, MAUI_SCHED_NO_BACKFILL, true},
		{"bf_window=0x10", MAUI_SCHED_WINDOW, 1440, false},
		{"bf_window=4294967297", MAUI_SCHED_WINDOW, 1, true},
		{"bf_window_linear=9,bf_window=5", MAUI_SCHED_WINDOW, 5, true},
		{"bf_window=-1", MAUI_SCHED_WINDOW, 1440, false},
		{"bf_window=43201", MAUI_SCHED_WINDOW, 1440, false},
		{"bf_window_linear=2147483648", MAUI_SCHED_WINDOW_LINEAR, 0, false},
		{"default_queue_depth=0", MAUI_SCHED_QUEUE_DEPTH, 0, true},
		{"default_queue_depth=-1", MAUI_SCHED_QUEUE_DEPTH, 100, false},
		{"bf_max_job_test=1000001", MAUI_SCHED_MAX_JOB_TEST, 500, false},
		{"bf_resolution=3600", MAUI_SCHED_RESOLUTION, 3600, true},
		{"bf_min_prio_reserve=4294967295", MAUI_SCHED_MIN_PRIO_RESERVE, UINT32_MAX, true},
		{"bf_min_prio_reserve=4294967297", MAUI_SCHED_MIN_PRIO_RESERVE, 0, false},
		{"bf_min_prio_reserve=-1", MAUI_SCHED_MIN_PRIO_RESERVE, 0, false},
		{"bf_min_prio_reserve=0", MAUI_SCHED_MIN_PRIO_RESERVE, 0, false},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		bool within;
		int64_t value = maui_sched_value(cases[i].text, cases[i].which, &within);

		cr_expect(value == cases[i].value && within == cases[i].within,
			  "%s: %" PRId64 ", %d", cases[i].text, value, within);
	}
}

Test(sched_params, the_main_scheduler_knows_no_range)
{
	static const struct {
		const char *text;
		uint32_t value;
	} cases[] = {
		{NULL, 0},
		{"bf_min_prio_reserve", 0},
		{"bf_min_prio_reserve=x", 0},
		{"bf_min_prio_reserve=-1", 0},
		{"bf_min_prio_reserve=2", 2},
		{"bf_min_prio_reserve=4294967296", 0},
		{"bf_min_prio_reserve=4294967298", 2},
		{"bf_min_prio_reserve=99999999999999999999", UINT32_MAX},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		cr_expect_eq(maui_sched_main_reserve(cases[i].text), cases[i].value, "%s: %u",
			     cases[i].text, maui_sched_main_reserve(cases[i].text));
}
