/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Numbers each job by credential, power of two of its processors, or class of
 * run time, and names the groups that occur.
 */
#include "common/replay/figures/grouping.h"

#include <stdio.h>
#include <stdlib.h>

#include "common/util/memory.h"

#define SIZES     25 /* powers of two up to MAUI_REPLAY_MAX_PROCS */
#define SIZE_TEXT 24

_Static_assert(MAUI_REPLAY_MAX_PROCS == UINT32_C(1) << (SIZES - 1), "every size has its group");

static const struct {
	int64_t below; /* seconds */
	const char *name;
} lengths[] = {
	{60, "< 1 min"},
	{600, "1-10 min"},
	{3600, "10-60 min"},
	{INT64_C(4) * 3600, "1-4 h"},
	{INT64_C(12) * 3600, "4-12 h"},
	{INT64_C(24) * 3600, "12-24 h"},
	{INT64_MAX, ">= 24 h"},
};
#define LENGTHS (sizeof(lengths) / sizeof(lengths[0]))

const char *maui_replay_by_name(enum maui_replay_by by)
{
	static const char *const names[] = {
		[MAUI_REPLAY_BY_USER] = "user",       [MAUI_REPLAY_BY_GROUP] = "group",
		[MAUI_REPLAY_BY_ACCOUNT] = "account", [MAUI_REPLAY_BY_QOS] = "qos",
		[MAUI_REPLAY_BY_CLASS] = "class",     [MAUI_REPLAY_BY_SIZE] = "size",
		[MAUI_REPLAY_BY_LENGTH] = "length"};

	_Static_assert(sizeof(names) / sizeof(names[0]) == MAUI_REPLAY_BYS, "each has a name");
	return names[by];
}

/* ---- a number for each job ---- */

static enum maui_credential credential_of(enum maui_replay_by by)
{
	static const enum maui_credential types[] = {[MAUI_REPLAY_BY_USER] = MAUI_USER,
						     [MAUI_REPLAY_BY_GROUP] = MAUI_GROUP,
						     [MAUI_REPLAY_BY_ACCOUNT] = MAUI_ACCOUNT,
						     [MAUI_REPLAY_BY_QOS] = MAUI_QOS,
						     [MAUI_REPLAY_BY_CLASS] = MAUI_CLASS};

	return types[by];
}

static uint32_t number_of(const struct maui_replay_job *job, enum maui_replay_by by)
{
	uint32_t number = 0;

	if (by < MAUI_REPLAY_BY_SIZE)
		return job->credential[credential_of(by)];
	if (by == MAUI_REPLAY_BY_SIZE) {
		while (job->procs >> (number + 1))
			number++;
		return number;
	}
	while (job->run >= lengths[number].below)
		number++;
	return number;
}

static size_t grouping_numbers(const struct maui_replay_trace *trace, enum maui_replay_by by)
{
	if (by < MAUI_REPLAY_BY_SIZE)
		return maui_intern_count(trace->names[credential_of(by)]) + 1;
	return by == MAUI_REPLAY_BY_SIZE ? SIZES : LENGTHS;
}

/* ---- groups for the numbers that there are ---- */

struct entry {
	double used;
	uint32_t number;
	bool there;
};

static int by_use(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	if (x->used != y->used)
		return x->used < y->used ? 1 : -1;
	return x->number > y->number ? 1 : -1;
}

static const char *name_of(const struct maui_replay_trace *trace, enum maui_replay_by by,
			   uint32_t number, char *text)
{
	uint32_t least;

	if (by == MAUI_REPLAY_BY_LENGTH)
		return lengths[number].name;
	if (by < MAUI_REPLAY_BY_SIZE)
		return number ? maui_intern_name(trace->names[credential_of(by)], number)
			      : "(none)";
	least = UINT32_C(1) << number; /* below SIZES */
	snprintf(text, SIZE_TEXT, number ? "%u-%u" : "%u", least, 2 * least - 1);
	return text;
}

static void grouping_fill(const struct maui_replay_trace *trace, enum maui_replay_by by,
			  struct entry *entries, size_t count,
			  struct maui_replay_grouping *grouping)
{
	uint32_t *group = (uint32_t *)(void *)(entries + count);

	for (size_t i = 0; i < count; i++) {
		size_t at = grouping->count;

		if (!entries[i].there)
			continue;
		group[entries[i].number] = (uint32_t)at;
		grouping->names[at] =
			name_of(trace, by, entries[i].number, grouping->text + at * SIZE_TEXT);
		grouping->count++;
	}
	for (size_t i = 0; i < trace->count; i++)
		grouping->of[i] = group[number_of(&trace->jobs[i], by)];
}

void maui_replay_grouping_by(const struct maui_replay_trace *trace, enum maui_replay_by by,
			     struct maui_replay_grouping *ret_grouping)
{
	size_t count = grouping_numbers(trace, by);
	struct entry *entries = maui_calloc(count, sizeof(*entries) + sizeof(uint32_t));
	bool any = by >= MAUI_REPLAY_BY_SIZE;

	*ret_grouping = (struct maui_replay_grouping){
		.names = maui_calloc(count, sizeof(*ret_grouping->names)),
		.of = maui_calloc(trace->count + 1, sizeof(*ret_grouping->of)),
		.text = maui_calloc(by == MAUI_REPLAY_BY_SIZE ? SIZES : 1, SIZE_TEXT)};
	for (uint32_t i = 0; i < count; i++)
		entries[i].number = i;
	for (size_t i = 0; i < trace->count; i++) {
		const struct maui_replay_job *job = &trace->jobs[i];
		uint32_t number = number_of(job, by);

		entries[number].there = true;
		entries[number].used += (double)job->run * job->procs;
		any |= number > 0;
	}
	if (by < MAUI_REPLAY_BY_SIZE)
		qsort(entries, count, sizeof(*entries), by_use);
	if (any)
		grouping_fill(trace, by, entries, count, ret_grouping);
	free(entries);
}

void maui_replay_grouping_clear(struct maui_replay_grouping *grouping)
{
	free((void *)grouping->names);
	free(grouping->of);
	free(grouping->text);
	*grouping = (struct maui_replay_grouping){0};
}
