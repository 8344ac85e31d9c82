/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where a job may name several QOS, the main scheduler and backfill read a priority for each of
 * them in each partition (S-PRI-3): from an array that is too short, what lies behind it.
 */
#include "plugins/compat/compat.h"

#include <criterion/criterion.h>

#include "plugins/engine/slurm/jobrec.h"

/* slurmctld's. */
int priority_sort_part_tier(void *x, void *y)
{
	(void)x, (void)y;
	return 0;
}

struct places_case {
	const char *name;
	uint32_t partitions, qos;
	const char *named; /* the QOS that it asked for, also those that are gone */
	uint32_t places, priorities;
};

static const struct places_case cases[] = {
	{"two partitions, no list of QOS", 2, 0, NULL, 2, 2},
	{"two partitions, one QOS", 2, 1, "a", 2, 2},
	{"two partitions, three QOS", 2, 3, "a,b,c", 6, 6},
	{"three partitions, two QOS", 3, 2, "a,b", 6, 6},
	{"two partitions, of three QOS one is gone and may come back", 2, 2, "a,b,c", 4, 6},
};

static list_t *list_of(uint32_t count)
{
	list_t *list = list_create(NULL);

	for (uint32_t i = 0; i < count; i++)
		list_append(list, list);
	return list;
}

static void check(const struct places_case *one)
{
	job_details_t details = {.qos_req = (char *)one->named};
	job_record_t job = {.details = &details, .priority = 7};
	size_t room;

	job.part_ptr_list = list_of(one->partitions);
	if (one->qos)
		job.qos_list = list_of(one->qos);
	jobrec_make_priorities(NULL, &job);
	cr_assert(jobrec_has_priorities(&job), "%s", one->name);
	room = xsize(compat_priority_array(&job)) / sizeof(uint32_t);
	cr_expect_eq(jobrec_places(&job), one->places, "%s", one->name);
	cr_expect_geq(room, one->priorities, "%s: room for %zu", one->name, room);
	for (uint32_t i = 0; i < one->priorities && i < room; i++)
		cr_expect_eq(compat_priority_array(&job)[i], 7, "%s: [%u]", one->name, i);
	xfree(job.COMPAT_PRIO_MULT->priority_array);
	xfree(job.COMPAT_PRIO_MULT);
	FREE_NULL_LIST(job.part_ptr_list);
	FREE_NULL_LIST(job.qos_list);
}

Test(places, as_many_priorities_as_slurm_reads)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		check(&cases[i]);
}

/* A job gets more QOS while it waits: what it has is too short, and is made anew. */
Test(places, more_qos)
{
	job_details_t details = {.qos_req = (char *)"a"};
	job_record_t job = {.details = &details, .priority = 7};

	job.part_ptr_list = list_of(2);
	job.qos_list = list_of(1);
	jobrec_make_priorities(NULL, &job);
	FREE_NULL_LIST(job.qos_list);
	job.qos_list = list_of(4);
	details.qos_req = (char *)"a,b,c,d";
	cr_expect_not(jobrec_has_priorities(&job));
	jobrec_make_priorities(NULL, &job);
	cr_expect(jobrec_has_priorities(&job));
	cr_expect_geq(xsize(compat_priority_array(&job)), 8 * sizeof(uint32_t));
	xfree(job.COMPAT_PRIO_MULT->priority_array);
	xfree(job.COMPAT_PRIO_MULT);
	FREE_NULL_LIST(job.part_ptr_list);
	FREE_NULL_LIST(job.qos_list);
}
