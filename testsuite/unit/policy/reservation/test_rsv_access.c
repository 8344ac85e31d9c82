/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/policy/reservation/rsv_access.h"
#include "testsuite/unit/policy/reservation/reservation_fixture.h"

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
		/* The start is not known: the longest possible overlap. */
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
	/* By the name of the instance or of the standing reservation. */
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
	/* A job that asks by name must be admitted, too. */
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

Test(rsv_access, at_the_start_of_the_job)
{
	static const struct {
		int64_t start, walltime;
		int64_t overlap; /* 0: the job does not overlap them, and is let in */
		bool by_name, by_group;
	} cases[] = {
		{EIGHT, 3600, 3600, true, true},
		{EIGHT, 3601, 3601, true, false}, /* longer than TIMELIMIT */
		/* The job ends before they begin, or all but an hour of it does. */
		{0, 3601, 0, true, true},
		{0, 4 * HOUR, 3600, true, true},
	};
	struct reservations reservations;
	struct maui_rsv_instance instances[3];
	struct maui_rsv_verdict verdict;
	struct maui_rsv_job job;
	char text[MAUI_RSV_TEXT_SIZE];

	reservations_open(&reservations, lines);
	make(&reservations, instances);
	job = bob(&reservations);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		job.start = cases[i].start;
		job.walltime = cases[i].walltime;
		cr_expect_eq(maui_rsv_admits_at(&instances[0], &job, 0, &verdict), cases[i].by_name,
			     "case %zu", i);
		cr_expect_eq(verdict.overlap, cases[i].overlap, "case %zu", i);
		cr_expect_eq(maui_rsv_admits_at(&instances[1], &job, 0, &verdict),
			     cases[i].by_group, "case %zu", i);
		if (!cases[i].overlap)
			cr_expect_eq(verdict.reason, MAUI_RSV_NO_OVERLAP, "case %zu", i);
		else if (!cases[i].by_group)
			cr_expect_eq(verdict.acl.reason, MAUI_ACL_MISSING, "case %zu", i);
		else
			cr_expect_str_eq(maui_rsv_text(&instances[1], &verdict, text),
					 "GROUP==staff+ gives access (3600 seconds in common)",
					 "case %zu", i);
		if (cases[i].by_group)
			cr_expect_eq(verdict.affinity, cases[i].overlap ? MAUI_AFFINITY_POSITIVE
									: MAUI_AFFINITY_NONE);
		cr_expect_eq(maui_rsv_admits_at(&instances[2], &job, 0, &verdict),
			     !cases[i].overlap, "case %zu", i);
	}
	reservations_close(&reservations);
}
