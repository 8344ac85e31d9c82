/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * No chain of preemptions comes back to a job that it has ended. Rules are played against each
 * other: a rule says which job may preempt which, by owner, flag, limit or whatever there will be.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "common/policy/preemption/preemptions.h"

/* ---- what is remembered ---- */

Test(preemptions, who_was_ended_does_not_come_back)
{
	static struct maui_preemptions known;

	cr_expect(maui_preemptions_allow(&known, 1, 2));
	cr_expect_not(maui_preemptions_allow(&known, 1, 1));
	cr_assert(maui_preemptions_add(&known, 1, 2));
	cr_expect_not(maui_preemptions_allow(&known, 2, 1));
	cr_expect(maui_preemptions_allow(&known, 1, 2), "again");
	cr_expect(maui_preemptions_allow(&known, 2, 3));
	cr_assert(maui_preemptions_add(&known, 3, 1));
	cr_expect_not(maui_preemptions_allow(&known, 2, 3), "it has ended who has ended it");
	cr_expect_not(maui_preemptions_add(&known, 2, 3));
	cr_expect(maui_preemptions_allow(&known, 65, 3), "another job with the same bit");
	cr_assert(maui_preemptions_add(&known, 1, 2));
	cr_expect_eq(known.count, 2, "once");
}

Test(preemptions, jobs_that_are_gone_are_forgotten)
{
	static struct maui_preemptions known;

	maui_preemptions_add(&known, 1, 2);
	maui_preemptions_add(&known, 3, 1);
	maui_preemptions_look(&known);
	maui_preemptions_see(&known, 1);
	maui_preemptions_see(&known, 2);
	maui_preemptions_forget(&known);
	cr_expect_eq(known.count, 1);
	cr_expect_not(maui_preemptions_allow(&known, 2, 1));
	cr_expect(maui_preemptions_allow(&known, 1, 3));
	maui_preemptions_look(&known);
	maui_preemptions_forget(&known);
	cr_expect_eq(known.count, 0);
	cr_expect_eq(known.jobs, 0);
}

Test(preemptions, there_is_an_end_to_what_is_remembered)
{
	static struct maui_preemptions known;

	for (uint32_t i = 0; i < MAUI_PREEMPTIONS_MAX; i++)
		cr_assert(maui_preemptions_add(&known, i + 1, i));
	cr_expect_not(maui_preemptions_add(&known, 5000, 1));
	cr_expect_not(maui_preemptions_allow(&known, 0, MAUI_PREEMPTIONS_MAX), "a long chain");
	cr_expect(maui_preemptions_allow(&known, MAUI_PREEMPTIONS_MAX, 0));
}

/* ---- rules played against each other ---- */

#define JOBS 3

/* What rules look at. */
struct job {
	int owner_of; /* the reservation; 0: none */
	bool preemptor, preemptee;
	bool over_soft_limit;
};

typedef bool (*rule_t)(const struct job *job, const struct job *victim);

/* OWNERPREEMPT, each of its own reservation on the same node. */
static bool owner_a(const struct job *job, const struct job *victim)
{
	return job->owner_of == 1 && victim->owner_of != 1;
}

static bool owner_b(const struct job *job, const struct job *victim)
{
	return job->owner_of == 2 && victim->owner_of != 2;
}

static bool owner_c(const struct job *job, const struct job *victim)
{
	return job->owner_of == 3 && victim->owner_of != 3;
}

/* QFLAGS. */
static bool flags(const struct job *job, const struct job *victim)
{
	return job->preemptor && victim->preemptee;
}

/* Who is within his soft limits goes before who is not. */
static bool soft_limit(const struct job *job, const struct job *victim)
{
	return !job->over_soft_limit && victim->over_soft_limit;
}

/* The worst: everybody preempts everybody. */
static bool anybody(const struct job *job, const struct job *victim)
{
	(void)job;
	(void)victim;
	return true;
}

static const rule_t rules[] = {owner_a, owner_b, owner_c, flags, soft_limit, anybody};
#define RULES (sizeof(rules) / sizeof(rules[0]))

static struct job job_of(unsigned int number)
{
	return (struct job){.owner_of = number & 3,
			    .preemptor = number & 4,
			    .preemptee = number & 8,
			    .over_soft_limit = number & 16};
}

static bool may(unsigned int set, const struct job *job, const struct job *victim)
{
	for (size_t i = 0; i < RULES; i++)
		if ((set & 1u << i) && rules[i](job, victim))
			return true;
	return false;
}

/* One node, which one job has; the others want it, again and again. Returns how often it changed
 * hands by preemption until nobody could take it. */
static unsigned int play(unsigned int set, const struct job jobs[JOBS], uint32_t first)
{
	static struct maui_preemptions known;
	unsigned int changes = 0;
	uint32_t runs = first;
	bool any = true;

	memset(&known, 0, sizeof(known));
	while (any && changes <= JOBS * JOBS) {
		any = false;
		for (uint32_t turn = 1; turn < JOBS && !any; turn++) {
			uint32_t wants = (runs + turn) % JOBS;

			if (!may(set, &jobs[wants], &jobs[runs]) ||
			    !maui_preemptions_allow(&known, wants + 1, runs + 1))
				continue;
			cr_assert(maui_preemptions_add(&known, wants + 1, runs + 1));
			runs = wants;
			changes++;
			any = true;
		}
	}
	return changes;
}

static bool is_pair_or_triple(unsigned int set)
{
	int count = __builtin_popcount(set);

	return count >= 1 && count <= 3;
}

Test(preemptions, no_rules_keep_a_node_from_everybody)
{
	unsigned int most = 0, games = 0;

	for (unsigned int set = 1; set < 1u << RULES; set++) {
		if (!is_pair_or_triple(set))
			continue;
		for (unsigned int kinds = 0; kinds < 32 * 32 * 32; kinds++) {
			const struct job jobs[JOBS] = {job_of(kinds % 32), job_of(kinds / 32 % 32),
						       job_of(kinds / 1024)};

			for (uint32_t first = 0; first < JOBS; first++) {
				unsigned int changes = play(set, jobs, first);

				games++;
				most = changes > most ? changes : most;
				cr_assert_lt(changes, JOBS, "rules %#x, jobs %#x, first %u", set,
					     kinds, first);
			}
		}
	}
	cr_expect_eq(most, JOBS - 1, "in %u games", games);
}
