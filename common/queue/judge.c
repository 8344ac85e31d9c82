/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks jobs in priority order: unknown names, reservations, QOS lists, hard
 * limits, FSTARGET caps, soft limits. Jobs over a soft limit get the lowest
 * priorities.
 */
#include "common/queue/judge.h"

#include <stdlib.h>
#include <string.h>

#include "common/util/memory.h"
#include "common/util/search.h"

/* ---- whom to judge ---- */

static bool is_out(const struct maui_snapshot_row *row)
{
	return (row->state != MAUI_ROW_IDLE && row->state != MAUI_ROW_DIRECT) || row->waits ||
	       (row->violations &
		(MAUI_VIOLATES_CLASS | MAUI_VIOLATES_DEPENDENCY | MAUI_VIOLATES_PRIORITY));
}

static size_t best_row(const struct maui_snapshot *snapshot, size_t first)
{
	size_t best = first;

	for (uint32_t i = 1; i < snapshot->rows[first].parts; i++)
		if (is_out(&snapshot->rows[best]) ||
		    (!is_out(&snapshot->rows[first + i]) &&
		     snapshot->rows[first + i].priority > snapshot->rows[best].priority))
			best = first + i;
	return best;
}

static int part_of_row(const void *key, const void *element)
{
	size_t row = *(const size_t *)key, other = ((const struct maui_part_request *)element)->row;

	return row < other ? -1 : row > other;
}

static const struct maui_part_request *part_request(const struct maui_snapshot *snapshot,
						    size_t row)
{
	size_t at = maui_lower_bound(&row, snapshot->parts, snapshot->part_count,
				     sizeof(*snapshot->parts), part_of_row);

	return at < snapshot->part_count && snapshot->parts[at].row == row ? &snapshot->parts[at]
									   : NULL;
}

/* All parts ask for the same, each with the credentials of its own row. */
static void request_of(const struct maui_snapshot *snapshot, size_t row,
		       const struct maui_limit_job *got, struct maui_limit_job *ret_request)
{
	const struct maui_part_request *part = part_request(snapshot, row);

	maui_limit_job_asked(&snapshot->jobs[row], got, ret_request);
	if (!part)
		return;
	*ret_request = part->job;
	memcpy(ret_request->credential, snapshot->jobs[row].credential,
	       sizeof(ret_request->credential));
}

static int job_of_row(const void *key, const void *element)
{
	size_t row = *(const size_t *)key, other = ((const struct maui_waiting *)element)->first;

	return row < other ? -1 : row > other;
}

/* The job whose first row this is; NULL if the row is not a job's first. */
static struct maui_waiting *waiting_at(const struct maui_judgement *judgement, size_t row)
{
	size_t at = maui_lower_bound(&row, judgement->jobs, judgement->count,
				     sizeof(*judgement->jobs), job_of_row);

	return at < judgement->count && judgement->jobs[at].first == row ? &judgement->jobs[at]
									 : NULL;
}

/*
 * All parts start together: if the first one is judged, the others are not, and get its verdict.
 * NULL: this one is judged. In Slurm the parts of a job are adjacent.
 */
static const struct maui_waiting *leader_of(const struct maui_judgement *judgement,
					    const struct maui_waiting *job)
{
	const struct maui_snapshot *snapshot = judgement->snapshot;
	const struct maui_part_request *part = part_request(snapshot, job->best), *other = part;

	if (!part || !part->leader)
		return NULL;
	while (other > snapshot->parts) {
		const struct maui_snapshot_row *row = &snapshot->rows[(--other)->row];

		if (row->job_id == part->leader)
			return waiting_at(judgement, other->row - row->position);
	}
	return NULL;
}

/* ---- why it is refused ---- */

/* The same refusal again, or a copy. */
static const struct maui_refusal *judge_keep(struct maui_judgement *judgement,
					     const struct maui_refusal *refusal)
{
	const struct maui_refusal **last =
		&judgement->last[maui_refusal_place(refusal, MAUI_JUDGE_LAST)];
	struct maui_refusal *kept;

	if (*last && maui_refusal_same(*last, refusal))
		return *last;
	kept = maui_arena_alloc(judgement->reasons, 1, sizeof(*kept));
	*kept = *refusal;
	return *last = kept;
}

/* A job that may not use its QOS is not a candidate for anything. */
static bool refused_qos(const struct maui_judgement *judgement,
			const struct maui_limit_job *request, struct maui_refusal *refusal)
{
	if (maui_qos_allowed(judgement->rules.qos, request->credential,
			     request->credential[MAUI_QOS], &refusal->qos))
		return false;
	refusal->kind = MAUI_REFUSAL_QOS;
	refusal->id = request->credential[MAUI_QOS];
	return true;
}

/* Nor is one that asks for a reservation that does not admit it, or whose owner is not known. */
static bool judge_barred(struct maui_judgement *judgement, const struct maui_limit_job *request,
			 struct maui_waiting *job)
{
	const struct maui_snapshot_row *row = &judgement->snapshot->rows[job->first];
	struct maui_refusal refusal = {.kind = MAUI_REFUSAL_RESERVATION};

	if (row->unidentified)
		refusal = (struct maui_refusal){.kind = MAUI_REFUSAL_NAME,
						.type = row->unidentified_type,
						.id = request->credential[row->unidentified_type]};
	else if (!row->shut_out && !refused_qos(judgement, request, &refusal))
		return false;
	job->refusal = judge_keep(judgement, &refusal);
	return true;
}

/* Highest priority first, then first come. */
static uint64_t sort_key(const struct maui_snapshot_row *row)
{
	uint32_t arrival = row->array_job_id ? row->array_job_id : row->job_id;

	return (uint64_t)(UINT32_MAX - row->priority) << 32 | arrival;
}

static void list_jobs(struct maui_judgement *judgement)
{
	const struct maui_snapshot *snapshot = judgement->snapshot;

	for (size_t at = 0; at < snapshot->count; at += snapshot->rows[at].parts) {
		size_t i = judgement->count++;
		struct maui_waiting *job = &judgement->jobs[i];

		*job = (struct maui_waiting){.first = (uint32_t)at,
					     .best = (uint32_t)best_row(snapshot, at),
					     .refusal = &maui_refusal_none};
		judgement->order[i] = (struct maui_keysort_entry){
			.key = sort_key(&snapshot->rows[job->best]), .index = (uint32_t)i};
	}
	maui_keysort(judgement->order, judgement->scratch, judgement->count);
}

static void judge_free_arrays(struct maui_judgement *judgement)
{
	free(judgement->jobs);
	free(judgement->candidates);
	free(judgement->order);
	free(judgement->scratch);
}

static void judge_make_room(struct maui_judgement *judgement)
{
	size_t wanted = judgement->snapshot->count + 1, room;

	if (wanted <= judgement->room)
		return;
	judge_free_arrays(judgement);
	room = judgement->room = wanted + wanted / 8;
	judgement->jobs = maui_malloc(room, sizeof(*judgement->jobs));
	judgement->candidates = maui_malloc(room, sizeof(*judgement->candidates));
	judgement->order = maui_malloc(room, sizeof(*judgement->order));
	judgement->scratch = maui_malloc(room, sizeof(*judgement->scratch));
}

void maui_judge_list(struct maui_judgement *judgement)
{
	judge_make_room(judgement);
	judgement->reasons = maui_arena_new();
	list_jobs(judgement);
}

void maui_judge_reset(struct maui_judgement *judgement)
{
	maui_arena_free(judgement->reasons);
	*judgement = (struct maui_judgement){.room = judgement->room,
					     .jobs = judgement->jobs,
					     .candidates = judgement->candidates,
					     .order = judgement->order,
					     .scratch = judgement->scratch};
}

void maui_judge_clear(struct maui_judgement *judgement)
{
	judge_free_arrays(judgement);
	maui_arena_free(judgement->reasons);
}

/* Jobs that are neighbours by priority are far apart in memory. */
#define AHEAD_JOB 16
#define AHEAD_ROW 8

static void judge_prefetch(const struct maui_judgement *judgement, size_t i)
{
	const struct maui_snapshot *snapshot = judgement->snapshot;

	if (i + AHEAD_JOB < judgement->count)
		__builtin_prefetch(&judgement->jobs[judgement->order[i + AHEAD_JOB].index]);
	if (i + AHEAD_ROW < judgement->count) {
		uint32_t best = judgement->jobs[judgement->order[i + AHEAD_ROW].index].best;
		const char *job = (const char *)&snapshot->jobs[best];

		__builtin_prefetch(&snapshot->rows[best]);
		__builtin_prefetch(job);
		__builtin_prefetch(job + sizeof(snapshot->jobs[best]) / 2);
		__builtin_prefetch(job + sizeof(snapshot->jobs[best]) - 1);
	}
}

/* Its other places count only if it is blocked in the best. */
static void keep_got(struct maui_judgement *judgement, struct maui_waiting *job,
		     maui_judge_got_t got, const void *context)
{
	const struct maui_snapshot *snapshot = judgement->snapshot;

	for (size_t i = 0; i < snapshot->rows[job->first].parts; i++) {
		size_t row = job->first + i;
		const struct maui_limit_job *one =
			row == job->best ? NULL : got(context, snapshot, job->first, row);
		struct maui_waiting_got *kept;

		if (!one)
			continue;
		kept = maui_arena_alloc(judgement->reasons, 1, sizeof(*kept));
		*kept = (struct maui_waiting_got){row, *one, job->got};
		job->got = kept;
	}
}

static const struct maui_limit_job *got_at(const struct maui_waiting *job, size_t row)
{
	const struct maui_waiting_got *got = job->got;

	while (got && got->row != row)
		got = got->next;
	return got ? &got->job : NULL;
}

void maui_judge_ask(struct maui_judgement *judgement, size_t from, size_t to, maui_judge_got_t got,
		    const void *context)
{
	const struct maui_snapshot *snapshot = judgement->snapshot;

	for (size_t i = from; i < to; i++) {
		struct maui_waiting *job = &judgement->jobs[judgement->order[i].index];
		struct maui_limit_candidate *candidate = &judgement->candidates[i];

		judge_prefetch(judgement, i);
		*candidate = (struct maui_limit_candidate){0};
		request_of(snapshot, job->best, got(context, snapshot, job->first, job->best),
			   &candidate->job);
		keep_got(judgement, job, got, context);
		candidate->out = is_out(&snapshot->rows[job->best]) || leader_of(judgement, job) ||
				 judge_barred(judgement, &candidate->job, job);
	}
}

/* ---- the verdict ---- */

static bool over_cap(const struct maui_judgement *judgement, const struct maui_limit_job *request,
		     struct maui_refusal *refusal)
{
	const struct maui_fairshare *windows = judgement->rules.windows;
	struct maui_fairshare_verdict cap;
	double wanted;

	if (!windows)
		return false;
	wanted = maui_fairshare_request(maui_fairshare_rate(maui_fairshare_settings_of(windows),
							    (double)request->procs,
							    (double)request->pe, request->gres),
					(double)request->walltime);
	if (!maui_fairshare_cap(windows, &judgement->snapshot->names.tables, request->credential,
				wanted, &cap))
		return false;
	*refusal = (struct maui_refusal){
		.kind = MAUI_REFUSAL_FSCAP, .cap = cap, .id = request->credential[cap.type]};
	return true;
}

static const struct maui_refusal *judge_limited(struct maui_judgement *judgement,
						const struct maui_limit_verdict *verdict)
{
	size_t at = (uintptr_t)verdict / sizeof(*verdict) % MAUI_JUDGE_LAST;

	if (judgement->limited[at].verdict != verdict) {
		struct maui_refusal refusal = {.kind = MAUI_REFUSAL_LIMIT, .limit = *verdict};

		judgement->limited[at].refusal = judge_keep(judgement, &refusal);
		judgement->limited[at].verdict = verdict;
	}
	return judgement->limited[at].refusal;
}

static void judge_candidate(struct maui_judgement *judgement,
			    const struct maui_limit_candidate *candidate, struct maui_waiting *job)
{
	bool direct = judgement->snapshot->rows[job->best].state == MAUI_ROW_DIRECT;
	struct maui_refusal cap;

	if (job->refusal->kind != MAUI_REFUSAL_NONE) /* judge_barred() */
		job->standing = MAUI_STANDING_BLOCKED;
	if (candidate->out)
		return;
	if (judgement->rules.usage && !candidate->hard) {
		job->refusal = judge_limited(judgement, candidate->hard_verdict);
		job->standing = MAUI_STANDING_BLOCKED;
	} else if (over_cap(judgement, &candidate->job, &cap)) {
		job->refusal = judge_keep(judgement, &cap);
		job->standing = MAUI_STANDING_BLOCKED;
	} else if (judgement->rules.usage && !candidate->soft && !direct) {
		job->refusal = judge_limited(judgement, candidate->soft_verdict);
		job->standing = MAUI_STANDING_SECOND;
	}
}

/* A job blocked in the partition where its priority is highest may be free in another. */
static bool free_elsewhere(const struct maui_judgement *judgement, const struct maui_waiting *job)
{
	const struct maui_snapshot *snapshot = judgement->snapshot;

	for (uint32_t i = 0; i < snapshot->rows[job->first].parts; i++) {
		struct maui_limit_job request;
		struct maui_refusal unused;

		if (job->first + i == job->best || is_out(&snapshot->rows[job->first + i]))
			continue;
		request_of(snapshot, job->first + i, got_at(job, job->first + i), &request);
		if (!refused_qos(judgement, &request, &unused) &&
		    !(judgement->rules.usage &&
		      maui_limits_check(judgement->rules.limits, judgement->rules.usage, &request,
					MAUI_LIMIT_HARD, MAUI_LIMIT_ALL_MODES, NULL)) &&
		    !over_cap(judgement, &request, &unused))
			return true;
	}
	return false;
}

/*
 * Those over a soft limit get numbers from their count down to 1, or below the lowest priority of
 * all that are within theirs: Slurm's queue is in priority order, so they are tried last, and
 * backfilled around everybody else. If all are over a soft limit, nobody is in the way, and nothing
 * is changed.
 */
static void judge_demote(struct maui_judgement *judgement)
{
	uint32_t least = UINT32_MAX, number = 0;

	for (size_t i = 0; i < judgement->count; i++) {
		const struct maui_waiting *job = &judgement->jobs[judgement->order[i].index];
		uint32_t priority = judgement->snapshot->rows[job->best].priority;

		if (job->standing == MAUI_STANDING_FREE && !judgement->candidates[i].out &&
		    priority < least)
			least = priority;
		number += job->standing == MAUI_STANDING_SECOND;
	}
	if (least == UINT32_MAX)
		return;
	if (number >= least)
		number = least > 1 ? least - 1 : 1;
	for (size_t i = 0; i < judgement->count; i++) {
		struct maui_waiting *job = &judgement->jobs[judgement->order[i].index];

		if (job->standing != MAUI_STANDING_SECOND)
			continue;
		job->demoted = number;
		if (number > 1)
			number--;
	}
}

/* The i-th job in the order. */
static void judge_job(struct maui_judgement *judgement, size_t i)
{
	struct maui_waiting *job = &judgement->jobs[judgement->order[i].index];

	judge_candidate(judgement, &judgement->candidates[i], job);
	if (job->standing == MAUI_STANDING_BLOCKED &&
	    job->refusal->kind != MAUI_REFUSAL_RESERVATION &&
	    job->refusal->kind != MAUI_REFUSAL_NAME && free_elsewhere(judgement, job))
		*job = (struct maui_waiting){.first = job->first,
					     .best = job->best,
					     .refusal = &maui_refusal_none,
					     .got = job->got};
	judgement->blocked += job->standing != MAUI_STANDING_FREE;
}

/* Parts take the standing of their job's first one, which the loop may reach after them. */
static void judge_follow(struct maui_judgement *judgement)
{
	for (size_t i = 0; i < judgement->count; i++) {
		struct maui_waiting *job = &judgement->jobs[i];
		const struct maui_waiting *leader = leader_of(judgement, job);

		if (leader && !is_out(&judgement->snapshot->rows[job->best])) {
			job->standing = leader->standing;
			job->refusal = leader->refusal;
			judgement->blocked += job->standing != MAUI_STANDING_FREE;
		}
	}
}

int maui_judge_all(struct maui_judgement *judgement)
{
	int rc = 0;

	if (judgement->rules.usage)
		rc = maui_limits_select(judgement->rules.limits, judgement->rules.usage,
					judgement->candidates, judgement->count,
					judgement->reasons);
	for (size_t i = 0; !rc && i < judgement->count; i++)
		judge_job(judgement, i);
	if (!rc) {
		judge_follow(judgement);
		judge_demote(judgement);
	}
	return rc;
}
