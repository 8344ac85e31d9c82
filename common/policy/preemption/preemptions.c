/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A list of winner and loser pairs, searched transitively before each
 * preemption. A 64-bit mask skips the search for jobs in no pair.
 */
#include "common/policy/preemption/preemptions.h"

static uint64_t bit_of(uint32_t job)
{
	return UINT64_C(1) << job % 64;
}

/* Mark the preemptions by this job. Returns whether one of them was the victim's. */
static bool reach_from(struct maui_preemptions *known, uint32_t winner, uint32_t victim,
		       bool *ret_more)
{
	for (size_t i = 0; i < known->count; i++) {
		struct maui_preemption *one = &known->list[i];

		if (one->winner != winner || one->reached)
			continue;
		one->reached = *ret_more = true;
		if (one->loser == victim)
			return true;
	}
	return false;
}

/* Whether the winner has ended the loser, or one that has, and so on. */
static bool has_ended(struct maui_preemptions *known, uint32_t winner, uint32_t loser)
{
	bool more = false, found;

	for (size_t i = 0; i < known->count; i++)
		known->list[i].reached = false;
	found = reach_from(known, winner, loser, &more);
	while (!found && more) {
		more = false;
		for (size_t i = 0; i < known->count && !found; i++)
			if (known->list[i].reached)
				found = reach_from(known, known->list[i].loser, loser, &more);
	}
	return found;
}

bool maui_preemptions_allow(struct maui_preemptions *known, uint32_t job, uint32_t victim)
{
	if (job == victim)
		return false;
	if (!(known->jobs & bit_of(job)) || !(known->jobs & bit_of(victim)))
		return true;
	return !has_ended(known, victim, job);
}

static bool is_known(const struct maui_preemptions *known, uint32_t job, uint32_t victim)
{
	for (size_t i = 0; i < known->count; i++)
		if (known->list[i].winner == job && known->list[i].loser == victim)
			return true;
	return false;
}

bool maui_preemptions_add(struct maui_preemptions *known, uint32_t job, uint32_t victim)
{
	if (!maui_preemptions_allow(known, job, victim))
		return false;
	if (is_known(known, job, victim))
		return true;
	if (known->count == MAUI_PREEMPTIONS_MAX)
		return false;
	known->list[known->count++] = (struct maui_preemption){.winner = job, .loser = victim};
	known->jobs |= bit_of(job) | bit_of(victim);
	return true;
}

void maui_preemptions_look(struct maui_preemptions *known)
{
	for (size_t i = 0; i < known->count; i++)
		known->list[i].winner_seen = known->list[i].loser_seen = false;
}

void maui_preemptions_see(struct maui_preemptions *known, uint32_t job)
{
	if (!(known->jobs & bit_of(job)))
		return;
	for (size_t i = 0; i < known->count; i++) {
		known->list[i].winner_seen |= known->list[i].winner == job;
		known->list[i].loser_seen |= known->list[i].loser == job;
	}
}

void maui_preemptions_forget(struct maui_preemptions *known)
{
	size_t kept = 0;

	known->jobs = 0;
	for (size_t i = 0; i < known->count; i++) {
		const struct maui_preemption *one = &known->list[i];

		if (!one->winner_seen || !one->loser_seen)
			continue;
		known->jobs |= bit_of(one->winner) | bit_of(one->loser);
		known->list[kept++] = *one;
	}
	known->count = kept;
}
