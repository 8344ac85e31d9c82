/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Computes each schedule's measures by group, its timeline, its fairshare
 * shares, and its difference from the first schedule.
 */
#include "contribs/maui/replay/report/replay_facts.h"

#include <stdlib.h>

#include "common/util/memory.h"

/* ---- one schedule ---- */

static void measure_groups(const struct replay_report *report, const struct replay_facts *facts,
			   const struct maui_replay_schedule *schedule,
			   struct replay_account *account)
{
	for (int by = 0; by < MAUI_REPLAY_BYS; by++) {
		const struct maui_replay_grouping *grouping = &facts->by[by];

		if (!grouping->count)
			continue;
		account->groups[by] = maui_calloc(grouping->count, sizeof(*account->groups[by]));
		maui_replay_measure_groups(report->trace, schedule->started, schedule->backfilled,
					   report->compared, report->trace->procs, grouping,
					   account->groups[by]);
	}
	maui_replay_timeline(report->trace, schedule->started, facts->begin, facts->step,
			     facts->steps, account->moments);
}

static int account_side(const struct replay_report *report, const struct replay_facts *facts,
			size_t number, struct replay_account *account)
{
	const struct replay_side *side = &report->side[number];
	struct maui_replay_site site = {.policy = side->policy,
					.procs = report->trace->procs,
					.usage = report->usage.count ? &report->usage : NULL};
	struct maui_error error;

	measure_groups(report, facts, &side->schedule, account);
	maui_replay_differ(report->trace, &report->side[0].schedule, &side->schedule,
			   &account->difference);
	maui_replay_differ_by(report->trace, &facts->by[MAUI_REPLAY_BY_USER],
			      &report->side[0].schedule, &side->schedule, &account->users);
	if (side->policy && maui_replay_shares(report->trace, &site, side->schedule.started,
					       &account->shares, &error))
		return fail(EXIT_ERRORS, "%s: %s", side->name, error.text);
	return EXIT_OK;
}

static void account_recorded(const struct replay_report *report, struct replay_facts *facts)
{
	struct maui_replay_schedule recorded;

	if (!report->recorded.jobs)
		return;
	replay_recorded(report, &recorded);
	measure_groups(report, facts, &recorded, &facts->recorded);
	maui_replay_schedule_clear(&recorded);
}

/* ---- all ---- */

static int64_t replay_facts_longest(const struct replay_report *report)
{
	int64_t longest = report->recorded.makespan;

	for (size_t i = 0; i < report->count; i++)
		if (report->side[i].measures.makespan > longest)
			longest = report->side[i].measures.makespan;
	return longest;
}

/* Steps that people count in. */
static int64_t round_step(int64_t step)
{
	static const int64_t steps[] = {60,   300,   600,   900,   1800,  3600,
					7200, 14400, 21600, 43200, 86400, INT64_C(7) * 86400};

	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++)
		if (step <= steps[i])
			return steps[i];
	return step;
}

int replay_facts_of(const struct replay_report *report, struct replay_facts **ret_facts)
{
	struct replay_facts *facts = maui_calloc(1, sizeof(*facts));
	int64_t span = replay_facts_longest(report);
	int code = EXIT_OK;

	for (int by = 0; by < MAUI_REPLAY_BYS; by++)
		maui_replay_grouping_by(report->trace, (enum maui_replay_by)by, &facts->by[by]);
	facts->begin = maui_replay_trace_begin(report->trace);
	facts->step = round_step(span / REPLAY_STEPS + 1);
	facts->steps = (size_t)(span / facts->step) + (span % facts->step != 0 || !span);
	account_recorded(report, facts);
	for (size_t i = 0; code == EXIT_OK && i < report->count; i++)
		code = account_side(report, facts, i, &facts->side[i]);
	*ret_facts = facts;
	return code;
}

static void clear_account(struct replay_account *account)
{
	for (int by = 0; by < MAUI_REPLAY_BYS; by++)
		free(account->groups[by]);
	maui_replay_shares_clear(&account->shares);
}

void replay_facts_free(struct replay_facts *facts)
{
	if (!facts)
		return;
	for (int by = 0; by < MAUI_REPLAY_BYS; by++)
		maui_replay_grouping_clear(&facts->by[by]);
	clear_account(&facts->recorded);
	for (size_t i = 0; i < MAX_SIDES; i++)
		clear_account(&facts->side[i]);
	free(facts);
}

int64_t replay_wait(const struct replay_report *report, size_t side, size_t job)
{
	return report->side[side].schedule.started[job] - report->trace->jobs[job].submitted;
}

const char *replay_user(const struct replay_report *report, size_t job)
{
	uint32_t user = report->trace->jobs[job].credential[MAUI_USER];

	return user ? maui_intern_name(report->trace->names[MAUI_USER], user) : "-";
}
