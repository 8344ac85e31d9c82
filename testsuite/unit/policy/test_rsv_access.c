/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/policy/rsv_access.h"
#include "testsuite/unit/policy/reservation_fixture.h"

/* Monday 8:00 to 17:00, as seconds from 5:00. */
#define HOUR      INT64_C(3600)
#define EIGHT     INT64_C(10800)
#define SEVENTEEN INT64_C(43200)

Test(rsv_access, overlap)
{
	static const struct {
		int64_t start, walltime, now, overlap;
	} cases[] = {
		/* The manual: four hours from 5:00, twelve from an hour before the end. */
		{0, 4 * HOUR, 0, 3600},
		{SEVENTEEN - 3600, 12 * HOUR, 0, 3600},
		{EIGHT, 3600, 0, 3600},
		{0, 2 * HOUR, 0, 0},
		{SEVENTEEN, 3600, 0, 0},
		{SEVENTEEN + 7, 3600, 0, 0},
		{0, MAUI_INFINITY, 0, SEVENTEEN - EIGHT},
		{0, -5, 0, 0},
		/* It is not known when: the most there can be. */
		{MAUI_RSV_START_UNKNOWN, 3600, 0, 3600},
		{MAUI_RSV_START_UNKNOWN, 100 * HOUR, 0, SEVENTEEN - EIGHT},
		{MAUI_RSV_START_UNKNOWN, 100 * HOUR, SEVENTEEN - 60, 60},
		{MAUI_RSV_START_UNKNOWN, 3600, SEVENTEEN, 0},
	};
	const struct maui_rsv_instance instance = {.start = EIGHT, .end = SEVENTEEN};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		cr_expect_eq(maui_rsv_overlap(&instance, cases[i].start, cases[i].walltime,
					      cases[i].now),
			     cases[i].overlap, "case %zu", i);
}

/* Reservations of user bob, of group staff with TIMELIMIT, and of nobody. */
static const char lines[] = "SRCFG[a] TASKCOUNT=1 USERLIST=bob-\n"
			    "SRCFG[b] TASKCOUNT=1 GROUPLIST=staff TIMELIMIT=1:00:00*\n"
			    "SRCFG[c] TASKCOUNT=1\n";

static void make(const struct reservations *reservations, struct maui_rsv_instance instances[3])
{
	const struct maui_sr *list;

	cr_assert_eq(maui_sr_list(reservations->settings, &list), 3);
	for (uint32_t i = 0; i < 3; i++)
		instances[i] = (struct maui_rsv_instance){.name = 10 + i,
							  .standing = 20 + i,
							  .start = EIGHT,
							  .end = SEVENTEEN,
							  .acl = list[i].acl};
}

static struct maui_rsv_job bob(struct reservations *reservations)
{
	struct maui_rsv_job job = {.walltime = 3600, .start = EIGHT};

	job.acl.credential[MAUI_USER] = reservations_id(reservations, MAUI_USER, "bob");
	job.acl.credential[MAUI_GROUP] = reservations_id(reservations, MAUI_GROUP, "staff");
	return job;
}

Test(rsv_access, order_of_tests)
{
	const uint32_t mine[] = {0, 77, 10}, others[] = {77, 12};
	struct reservations reservations;
	struct maui_rsv_instance instances[3];
	struct maui_rsv_verdict verdict;
	struct maui_rsv_job job;
	char text[MAUI_RSV_TEXT_SIZE];

	reservations_open(&reservations, lines);
	make(&reservations, instances);
	job = bob(&reservations);
	cr_expect(maui_rsv_admits(&instances[0], &job, 3600, &verdict));
	cr_expect_eq(verdict.affinity, MAUI_AFFINITY_NEGATIVE);
	cr_expect_str_eq(maui_rsv_text(&instances[0], &verdict, text), "USER==bob- gives access");
	/* By name: the instance's or the standing reservation's. */
	for (job.asks = 10; job.asks <= 20; job.asks += 10)
		cr_expect(maui_rsv_admits(&instances[0], &job, 3600, &verdict));
	cr_expect_not(maui_rsv_admits(&instances[1], &job, 3600, &verdict));
	cr_expect_eq(verdict.reason, MAUI_RSV_ASKS_ANOTHER);
	job.asks = 0;
	instances[0].by_name = true;
	cr_expect_not(maui_rsv_admits(&instances[0], &job, 3600, &verdict));
	cr_expect_eq(verdict.reason, MAUI_RSV_BYNAME);
	job.asks = 20;
	cr_expect(maui_rsv_admits(&instances[0], &job, 3600, &verdict));
	/* Who asks by name must be admitted, too. */
	job.acl.credential[MAUI_USER]++;
	cr_expect_not(maui_rsv_admits(&instances[0], &job, 3600, &verdict));
	cr_expect_eq(verdict.reason, MAUI_RSV_BY_ACL);
	/* The job's own list comes first. */
	job.access = mine;
	job.access_count = 3;
	cr_expect(maui_rsv_admits(&instances[0], &job, 3600, &verdict));
	cr_expect_eq(verdict.affinity, MAUI_AFFINITY_POSITIVE);
	job.access = others;
	job.access_count = 2;
	cr_expect_not(maui_rsv_admits(&instances[0], &job, 3600, &verdict));
	job.access_all = true;
	cr_expect(maui_rsv_admits(&instances[2], &job, 3600, &verdict));
	cr_expect_str_eq(maui_rsv_text(&instances[2], &verdict, text),
			 "the job has been given access");
	reservations_close(&reservations);
}

Test(rsv_access, a_job_that_wants_to_be_asked_for)
{
	struct maui_rsv_instance instance = {.name = 1, .end = 9};
	struct maui_rsv_job job = {.by_name = true, .walltime = 5};
	struct maui_rsv_verdict verdict;

	cr_expect_not(maui_rsv_admits_at(&instance, &job, 0, &verdict));
	cr_expect_eq(verdict.reason, MAUI_RSV_BYNAME);
}

Test(rsv_access, stacked)
{
	struct reservations reservations;
	struct maui_rsv_instance instances[3];
	const struct maui_rsv_instance *stack[3] = {&instances[0], &instances[1], &instances[2]};
	struct maui_rsv_verdict verdict;
	struct maui_rsv_job job;
	char text[MAUI_RSV_TEXT_SIZE];
	size_t index;

	reservations_open(&reservations, lines);
	make(&reservations, instances);
	job = bob(&reservations);
	cr_expect(maui_rsv_admits_stacked(stack, 0, &job, 0, &verdict, &index));
	cr_expect_eq(index, MAUI_RSV_NONE);
	/* All of them: the last one's affinity. */
	cr_expect(maui_rsv_admits_stacked(stack, 2, &job, 0, &verdict, &index));
	cr_expect(verdict.affinity == MAUI_AFFINITY_POSITIVE && index == 1);
	cr_expect_str_eq(maui_rsv_text(&instances[1], &verdict, text),
			 "GROUP==staff+ gives access (3600 seconds in common)");
	cr_expect_not(maui_rsv_admits_stacked(stack, 3, &job, 0, &verdict, &index));
	cr_expect_eq(index, 2);
	job.walltime = 3601;
	cr_expect_not(maui_rsv_admits_stacked(stack, 2, &job, 0, &verdict, &index));
	cr_expect(index == 1 && verdict.acl.reason == MAUI_ACL_MISSING);
	/* The job is gone before they begin, or only an hour of it is not. */
	job.start = 0;
	cr_expect(maui_rsv_admits_stacked(stack, 3, &job, 0, &verdict, &index));
	cr_expect(verdict.reason == MAUI_RSV_NO_OVERLAP && index == MAUI_RSV_NONE);
	job.walltime = 4 * HOUR;
	cr_expect(maui_rsv_admits_stacked(stack, 2, &job, 0, &verdict, &index));
	reservations_close(&reservations);
}
