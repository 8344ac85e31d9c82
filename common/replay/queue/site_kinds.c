/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which jobs are alike, and which of them wait: D-RPL-4. */
#include "common/replay/queue/site_kinds.h"

#include <stdlib.h>
#include <string.h>

#include "common/policy/priority/accrual.h"
#include "common/replay/queue/site_held.h"
#include "common/replay/queue/site_jobs.h"
#include "common/util/grow.h"
#include "common/util/memory.h"

/* ---- what makes a difference ---- */

struct differences {
	bool walltime;
	bool all; /* no two jobs are alike */
};

static void add_weights(const struct maui_priority_weights *weights,
			const struct maui_priority_credential *qos, struct differences *found)
{
	double queuetime = weights->sub[MAUI_SERV_QUEUETIME] + qos->queuetime_weight;
	double xfactor = weights->sub[MAUI_SERV_XFACTOR] + qos->xfactor_weight;
	const double *component = weights->component, *sub = weights->sub;

	/* Who has waited longer is to have the higher priority. */
	found->all |= component[MAUI_SERV] < 0 || component[MAUI_TARG] < 0 || queuetime < 0 ||
		      xfactor < 0 || sub[MAUI_TARG_QUEUETIME] < 0 || sub[MAUI_TARG_XFACTOR] < 0 ||
		      (component[MAUI_SERV] != 0 && sub[MAUI_SERV_BYPASS] != 0);
	found->walltime |= component[MAUI_SERV] != 0 && xfactor != 0;
	found->walltime |= component[MAUI_TARG] != 0 && sub[MAUI_TARG_XFACTOR] != 0;
	found->walltime |=
		component[MAUI_RES] != 0 && (sub[MAUI_RES_PS] != 0 || sub[MAUI_RES_WALLTIME] != 0);
}

static struct differences differences_of(const struct site_replay *replay)
{
	struct maui_priority_tables tables = maui_names_tables(replay->names);
	uint32_t classes = maui_names_count(replay->names, MAUI_CLASS);
	uint32_t qos_count = maui_names_count(replay->names, MAUI_QOS);
	struct differences found = {
		.walltime = replay->drifts ||
			    maui_limits_any(replay->limits, MAUI_LIMIT_BIT(MAUI_LIMIT_SYSTEM)),
		.all = replay->by_order ||
		       maui_priority_negatives_enabled(replay->site->policy->priority),
	};

	for (uint32_t class = 0; class <= classes; class ++)
		for (uint32_t qos = 0; qos <= qos_count; qos++)
			add_weights(maui_names_weights(replay->names, class),
				    &tables.credential[MAUI_QOS][qos], &found);
	return found;
}

static bool kinds_alike(const struct maui_replay_job *a, const struct maui_replay_job *b,
			struct differences by)
{
	return !by.all && !memcmp(a->credential, b->credential, sizeof(a->credential)) &&
	       a->procs == b->procs && a->nodes == b->nodes && a->had_nodes == b->had_nodes &&
	       a->split == b->split && a->memory == b->memory && a->gres == b->gres &&
	       (!by.walltime || a->estimate == b->estimate);
}

static uint64_t kinds_mixed(uint64_t hash, uint64_t value)
{
	hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
	return hash ^ hash >> 32;
}

static uint64_t hash_of(const struct maui_replay_job *job, struct differences by)
{
	uint64_t hash = kinds_mixed(job->procs, job->nodes);

	hash = kinds_mixed(kinds_mixed(hash, job->had_nodes), job->split);
	hash = kinds_mixed(kinds_mixed(hash, (uint64_t)job->memory), job->gres);
	for (int type = 0; type < MAUI_CREDENTIALS; type++)
		hash = kinds_mixed(hash, job->credential[type]);
	return by.walltime ? kinds_mixed(hash, (uint64_t)job->estimate) : hash;
}

/* first: by hash, the first job of each class. */
static void kinds_classify(struct site_replay *replay, uint32_t *first, size_t mask,
			   struct differences by)
{
	const struct maui_replay_job *jobs = replay->trace->jobs;

	for (uint32_t i = 0; i < replay->trace->count; i++) {
		size_t at = hash_of(&jobs[i], by) & mask;

		while (first[at] != NO_JOB && !kinds_alike(&jobs[first[at]], &jobs[i], by))
			at = (at + 1) & mask;
		if (first[at] == NO_JOB) {
			first[at] = i;
			replay->class_of[i] = replay->classes++;
		} else {
			replay->class_of[i] = replay->class_of[first[at]];
		}
	}
}

static void find_classes(struct site_replay *replay)
{
	struct differences by;
	size_t size = 16;
	uint32_t *first;

	replay->by_order = replay->site->apart || maui_limits_soft(replay->limits) ||
			   maui_limits_any(replay->limits, MAUI_LIMIT_BIT(MAUI_LIMIT_IDLE));
	by = differences_of(replay);
	by.walltime |= replay->stock && maui_stock_run_by_time(replay->stock);
	if (by.all) {
		for (uint32_t i = 0; i < replay->trace->count; i++)
			replay->class_of[i] = i;
		replay->classes = (uint32_t)replay->trace->count;
		return;
	}
	while (size < 2 * replay->trace->count)
		size *= 2;
	first = maui_malloc(size, sizeof(*first));
	memset(first, 0xff, size * sizeof(*first)); /* NO_JOB */
	kinds_classify(replay, first, size - 1, by);
	free(first);
}

void site_kinds_open(struct site_replay *replay)
{
	size_t room = replay->trace->count + 1;

	replay->class_of = maui_calloc(room, sizeof(*replay->class_of));
	replay->kind_of = maui_calloc(room, sizeof(*replay->kind_of));
	replay->before = maui_calloc(room, sizeof(*replay->before));
	replay->after = maui_calloc(room, sizeof(*replay->after));
	replay->bypass = maui_calloc(room, sizeof(*replay->bypass));
	replay->held = maui_calloc(room, sizeof(*replay->held));
	find_classes(replay);
	replay->kinds = maui_calloc(2 * (size_t)replay->classes + 1, sizeof(*replay->kinds));
}

void site_kinds_clear(struct site_replay *replay)
{
	free(replay->class_of);
	free(replay->kind_of);
	free(replay->before);
	free(replay->after);
	free(replay->bypass);
	free(replay->held);
	free(replay->kinds);
	free(replay->kind_at);
	free(replay->results);
	free(replay->newcomers);
}

/* ---- rows ---- */

static void add_row(struct site_replay *replay, uint32_t kind)
{
	struct maui_snapshot *snapshot = replay->snapshot;
	uint32_t job = replay->kinds[kind].first;
	const struct maui_replay_job *record = &replay->trace->jobs[job];
	size_t row;

	replay->kind_at = maui_grow(replay->kind_at, snapshot->count + 1, &replay->kind_room,
				    sizeof(*replay->kind_at));
	row = maui_snapshot_add(snapshot);
	site_fill_request(replay, record, &snapshot->jobs[row]);
	snapshot->rows[row] = (struct maui_snapshot_row){.array_task_id = MAUI_NO_TASK, .parts = 1};
	replay->kind_at[row] = kind;
	replay->kinds[kind].row = (uint32_t)row;
}

/* The last row moves into the gap. */
static void remove_row(struct site_replay *replay, size_t row)
{
	struct maui_snapshot *snapshot = replay->snapshot;
	size_t last = --snapshot->count;

	if (row == last)
		return;
	snapshot->jobs[row] = snapshot->jobs[last];
	snapshot->rows[row] = snapshot->rows[last];
	replay->kind_at[row] = replay->kind_at[last];
	replay->kinds[replay->kind_at[row]].row = (uint32_t)row;
}

/* ---- who is of a kind ---- */

static void kinds_append(struct site_replay *replay, uint32_t kind_number, uint32_t job)
{
	struct site_kind *kind = &replay->kinds[kind_number];

	replay->kind_of[job] = kind_number;
	replay->before[job] = kind->last;
	replay->after[job] = NO_JOB;
	if (kind->last == NO_JOB)
		kind->first = job;
	else
		replay->after[kind->last] = job;
	kind->last = job;
	if (kind->unheld == NO_JOB && !replay->held[job])
		kind->unheld = job;
	site_held_settle(replay, kind);
	replay->schedule->held.seconds[job] -= kind->held_total;
	kind->judged_at = 0;
	kind->count++;
	replay->barred += kind->rule != 0;
}

static void kinds_join(struct site_replay *replay, struct site_newcomer *newcomer)
{
	uint32_t number = replay->class_of[newcomer->job];
	struct site_kind *kind = &replay->kinds[number];
	bool starts_anew = newcomer->rejected && maui_accrual_resets(replay->site->policy->accrual,
								     MAUI_VIOLATES_PRIORITY);

	site_held_settle_newcomer(replay, newcomer);
	replay->barred -= newcomer->rule != 0;
	/* The others began to wait anew after it came. */
	if (kind->count && kind->resumed > replay->trace->jobs[newcomer->job].submitted) {
		number += replay->classes;
		kind = &replay->kinds[number];
	}
	if (kind->count) {
		kinds_append(replay, number, newcomer->job);
		return;
	}
	*kind = (struct site_kind){.first = NO_JOB,
				   .last = NO_JOB,
				   .unheld = NO_JOB,
				   .next = NO_JOB,
				   .resumed = starts_anew ? replay->now : INT64_MIN,
				   .counted = {{.last = NO_JOB}, {.last = NO_JOB}},
				   .standing = MAUI_STANDING_FREE};
	kinds_append(replay, number, newcomer->job);
	add_row(replay, number);
}

/* Both have just begun to wait anew, so that all of them are alike again. */
static void kinds_merge(struct site_replay *replay, uint32_t number)
{
	struct site_kind *one = &replay->kinds[number];
	struct site_kind *other = &replay->kinds[number + replay->classes];
	uint32_t a = one->first, b = other->first;

	site_held_set(replay, other, NULL);
	site_held_settle(replay, one);
	replay->barred -= one->rule ? one->count : 0;
	one->first = one->last = one->unheld = NO_JOB;
	one->count = 0;
	while (a != NO_JOB || b != NO_JOB) {
		uint32_t *from = b == NO_JOB || (a != NO_JOB && a < b) ? &a : &b, job = *from;

		*from = replay->after[job];
		replay->schedule->held.seconds[job] +=
			from == &a ? one->held_total : other->held_total;
		kinds_append(replay, number, job);
	}
	remove_row(replay, other->row);
	other->count = 0;
}

static unsigned int kinds_violations(const struct site_replay *replay, const struct site_kind *kind)
{
	const struct maui_snapshot_row *row = &replay->snapshot->rows[kind->row];
	unsigned int found = row->state == MAUI_ROW_REJECTED ? MAUI_VIOLATES_PRIORITY : 0;

	if (kind->standing == MAUI_STANDING_BLOCKED)
		found |= kind->fscap ? MAUI_VIOLATES_FSCAP : MAUI_VIOLATES_LIMIT;
	return found;
}

static void begin_anew(struct site_replay *replay)
{
	if (!replay->blocked && !replay->rejected)
		return;
	for (size_t i = 0; i < replay->snapshot->count; i++) {
		struct site_kind *kind = &replay->kinds[replay->kind_at[i]];

		if (maui_accrual_resets(replay->site->policy->accrual,
					kinds_violations(replay, kind)))
			kind->resumed = replay->now;
	}
	for (size_t i = 0; i < replay->snapshot->count; i++) {
		uint32_t number = replay->kind_at[i];

		if (number < replay->classes)
			continue;
		number -= replay->classes;
		if (replay->kinds[number].count && replay->kinds[number].resumed == replay->now &&
		    replay->kinds[number + replay->classes].resumed == replay->now) {
			kinds_merge(replay, number);
			i--; /* another row has moved here */
		}
	}
}

void site_kinds_settle(struct site_replay *replay)
{
	begin_anew(replay);
	for (size_t i = 0; i < replay->newcomer_count; i++)
		if (replay->newcomers[i].job != NO_JOB)
			kinds_join(replay, &replay->newcomers[i]);
	replay->newcomer_count = 0;
}

void site_kinds_leave(struct site_replay *replay, uint32_t job)
{
	uint32_t before = replay->before[job], after = replay->after[job];
	struct site_kind *kind;

	if (replay->kind_of[job] == NO_KIND) {
		site_held_settle_newcomer(replay, &replay->newcomers[before]);
		replay->barred -= replay->newcomers[before].rule != 0;
		replay->newcomers[before].job = NO_JOB;
		return;
	}
	kind = &replay->kinds[replay->kind_of[job]];
	site_held_set(replay, kind, NULL); /* whoever is alike may begin as well, up to now */
	replay->schedule->held.seconds[job] += kind->held_total;
	if (before == NO_JOB)
		kind->first = after;
	else
		replay->after[before] = after;
	if (after == NO_JOB)
		kind->last = before;
	else
		replay->before[after] = before;
	if (kind->unheld == job)
		kind->unheld = after;
	if (!--kind->count)
		remove_row(replay, kind->row);
}

void site_kinds_hold(struct site_replay *replay, struct site_kind *kind)
{
	for (uint32_t job = kind->unheld; job != NO_JOB; job = replay->after[job]) {
		replay->counts->held += !replay->held[job];
		replay->held[job] = true;
	}
	kind->unheld = NO_JOB;
}

void site_request(const struct site_replay *replay, uint32_t job,
		  struct maui_priority_job *ret_request)
{
	const struct maui_replay_job *record = &replay->trace->jobs[job];
	const struct site_kind *kind;

	if (replay->kind_of[job] == NO_KIND) {
		site_fill_request(replay, record, ret_request);
	} else {
		kind = &replay->kinds[replay->kind_of[job]];
		*ret_request = replay->snapshot->jobs[kind->row];
		ret_request->walltime = (double)record->estimate;
		ret_request->queued_since = site_queued_since(kind, record);
	}
	ret_request->bypass = replay->bypass[job];
}
