/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/compat/compat.h"

#include "plugins/engine/eligible.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/util/keysort.h"
#include "plugins/engine/fairshare.h"
#include "plugins/engine/limits.h"
#include "plugins/engine/mark.h"
#include "plugins/engine/node_order.h"
#include "plugins/engine/qos.h"
#include "plugins/engine/refusal.h"
#include "plugins/engine/rsv_door.h"
#include "plugins/engine/start.h"
#include "plugins/engine/state.h"

/* Records that are marked under one hold of the job write lock. */
#define MARK_BATCH 500
/* Jobs that are looked up under one hold of the mutex. */
#define ASK_BATCH 4096

/* A part of a heterogeneous job asks for what the others ask for, too. */
struct part_request {
	size_t row;
	uint32_t leader; /* the job's first part, which asks for it; 0: nobody does */
	struct maui_limit_job job;
};

static struct {
	bool marked; /* some record is */
	struct part_request *parts;
	size_t part_count, part_room;
} seen;

/* One job that waits, in the partition where its priority is highest. */
struct waiting {
	size_t first, best; /* rows */
	enum standing standing;
	struct refusal refusal;
	uint32_t demoted;
};

struct judgement {
	struct snapshot *snapshot;
	size_t count;
	struct waiting *jobs;                    /* in the order of the snapshot */
	struct maui_limit_candidate *candidates; /* in the order of priority */
	struct maui_keysort_entry *order, *scratch;
	struct maui_limit_usage *usage; /* a copy; NULL: no limits act */
	const struct maui_limits *limits;
	bool capped;
	size_t blocked;
	bool kick; /* the schedulers have something to look at */
};

/* ---- while records are collected ---- */

void eligible_begin(void)
{
	seen.part_count = 0;
	seen.marked = false;
}

static void see_part(const job_record_t *job, const struct snapshot *snapshot, size_t row)
{
	const job_record_t *leader;

	if (seen.part_count == seen.part_room) {
		size_t room = seen.part_room ? seen.part_room * 2 : 64;
		void *grown = realloc(seen.parts, room * sizeof(*seen.parts));

		if (!grown)
			return; /* it is checked again when it starts */
		seen.parts = grown;
		seen.part_room = room;
	}
	leader = find_job_record(job->het_job_id);
	seen.parts[seen.part_count].row = row;
	seen.parts[seen.part_count].leader =
		leader && leader != job && IS_JOB_PENDING(leader) ? leader->job_id : 0;
	limits_request(job, &snapshot->jobs[row], NULL, &seen.parts[seen.part_count].job);
	seen.part_count++;
}

static bool depends(const job_record_t *job)
{
	return job->details->depend_list && list_count(job->details->depend_list);
}

/*
 * Slurm looks after dependencies and deadlines of those jobs alone that it considers: such jobs are refused when they
 * would start, but never parked.
 */
static bool may_be_parked(const job_record_t *job)
{
	return !depends(job) && (!job->deadline || job->deadline == NO_VAL) && !job->fed_details;
}

void eligible_see(const job_record_t *job, struct snapshot *snapshot, size_t row)
{
	struct snapshot_row *at = &snapshot->rows[row];

	at->mark = (uint8_t)job_mark(job);
	at->parkable = may_be_parked(job);
	at->waits = depends(job) || job->details->begin_time > snapshot->time;
	at->shut_out = rsv_door_refuses(job);
	seen.marked |= at->mark != MARK_NONE || at->shut_out;
	if (job->het_job_id)
		see_part(job, snapshot, row);
}

/* ---- who is to be judged ---- */

static bool is_out(const struct snapshot_row *row)
{
	return (row->state != ROW_IDLE && row->state != ROW_DIRECT) || row->waits ||
	       (row->violations &
		(MAUI_VIOLATES_CLASS | MAUI_VIOLATES_DEPENDENCY | MAUI_VIOLATES_PRIORITY));
}

static size_t best_row(const struct snapshot *snapshot, size_t first)
{
	size_t best = first;

	for (uint32_t i = 1; i < snapshot->rows[first].parts; i++)
		if (is_out(&snapshot->rows[best]) ||
		    (!is_out(&snapshot->rows[first + i]) &&
		     snapshot->rows[first + i].priority > snapshot->rows[best].priority))
			best = first + i;
	return best;
}

static const struct part_request *part_request(size_t row)
{
	size_t low = 0, high = seen.part_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (seen.parts[middle].row < row)
			low = middle + 1;
		else
			high = middle;
	}
	return low < seen.part_count && seen.parts[low].row == row ? &seen.parts[low] : NULL;
}

static void request_of(const struct snapshot *snapshot, size_t row,
		       struct maui_limit_job *ret_request)
{
	const struct part_request *part = part_request(row);
	const struct tracked_job *tracked = jobs_find_at(
		engine.jobs, snapshot->rows[row].tracked_slot, snapshot->rows[row].job_id);

	limits_ask(&snapshot->jobs[row], limits_got(tracked), ret_request);
	if (part)
		*ret_request = part->job;
}

/* The job whose first row this is; NULL if a job's is elsewhere. */
static struct waiting *waiting_at(const struct judgement *judgement, size_t row)
{
	size_t low = 0, high = judgement->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (judgement->jobs[middle].first < row)
			low = middle + 1;
		else
			high = middle;
	}
	return low < judgement->count && judgement->jobs[low].first == row ? &judgement->jobs[low]
									   : NULL;
}

/*
 * All parts start together: where the first one is judged the others are not, and get its verdict. NULL: this one is
 * judged. Slurm has the parts of a job one behind the other.
 */
static const struct waiting *leader_of(const struct judgement *judgement, const struct waiting *job)
{
	const struct part_request *part = part_request(job->best), *other = part;

	if (!part || !part->leader)
		return NULL;
	while (other > seen.parts) {
		const struct snapshot_row *row = &judgement->snapshot->rows[(--other)->row];

		if (row->job_id == part->leader)
			return waiting_at(judgement, other->row - row->position);
	}
	return NULL;
}

/* Who may not have his QOS is no candidate for anything. */
static bool refused_qos(const struct maui_limit_job *request, struct refusal *refusal)
{
	if (!qos_refuses(request->credential, &refusal->qos))
		return false;
	refusal->kind = REFUSAL_QOS;
	refusal->id = request->credential[MAUI_QOS];
	return true;
}

/* Nor is who asks for a reservation that is not for him. */
static bool shut_out(const struct snapshot_row *row, struct refusal *refusal)
{
	if (!row->shut_out)
		return false;
	refusal->kind = REFUSAL_RESERVATION;
	return true;
}

/* Highest priority first, then who came first. */
static uint64_t sort_key(const struct snapshot_row *row)
{
	uint32_t arrival = row->array_job_id ? row->array_job_id : row->job_id;

	return (uint64_t)(UINT32_MAX - row->priority) << 32 | arrival;
}

/* The jobs, and their order. No lock held. */
static void list_jobs(struct judgement *judgement)
{
	const struct snapshot *snapshot = judgement->snapshot;

	for (size_t at = 0; at < snapshot->count; at += snapshot->rows[at].parts) {
		size_t i = judgement->count++;
		struct waiting *job = &judgement->jobs[i];

		*job = (struct waiting){.first = at, .best = best_row(snapshot, at)};
		judgement->order[i] = (struct maui_keysort_entry){
			.key = sort_key(&snapshot->rows[job->best]), .index = (uint32_t)i};
	}
	maui_keysort(judgement->order, judgement->scratch, judgement->count);
}

/* What each asks for, in that order. The mutex is held. */
static void ask(struct judgement *judgement, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++) {
		struct waiting *job = &judgement->jobs[judgement->order[i].index];
		struct maui_limit_candidate *candidate = &judgement->candidates[i];

		request_of(judgement->snapshot, job->best, &candidate->job);
		candidate->out = is_out(&judgement->snapshot->rows[job->best]) ||
				 leader_of(judgement, job) ||
				 shut_out(&judgement->snapshot->rows[job->first], &job->refusal) ||
				 refused_qos(&candidate->job, &job->refusal);
	}
}

/* A little at a time: slurmctld's threads want the mutex, too. */
static void ask_all(struct judgement *judgement)
{
	for (size_t i = 0, end; i < judgement->count; i = end) {
		end = i + ASK_BATCH < judgement->count ? i + ASK_BATCH : judgement->count;
		pthread_mutex_lock(&engine.mutex);
		ask(judgement, i, end);
		pthread_mutex_unlock(&engine.mutex);
	}
}

/* ---- the verdict; no lock held ---- */

static bool over_cap(const struct judgement *judgement, const struct maui_limit_job *request,
		     struct refusal *refusal)
{
	double wanted = maui_fairshare_request(fairshare_metric(), (double)request->procs,
					       (double)request->walltime, (double)request->pe);

	if (!judgement->capped ||
	    !maui_fairshare_cap(fairshare_windows(NULL), &judgement->snapshot->names.tables,
				request->credential, wanted, &refusal->cap))
		return false;
	refusal->kind = REFUSAL_FSCAP;
	refusal->id = request->credential[refusal->cap.type];
	return true;
}

static void judge(const struct judgement *judgement, const struct maui_limit_candidate *candidate,
		  struct waiting *job)
{
	bool direct = judgement->snapshot->rows[job->best].state == ROW_DIRECT;

	if (job->refusal.kind == REFUSAL_QOS || job->refusal.kind == REFUSAL_RESERVATION)
		job->standing = STANDING_BLOCKED;
	if (candidate->out)
		return;
	if (judgement->usage && !candidate->hard) {
		job->refusal.kind = REFUSAL_LIMIT;
		job->refusal.limit = candidate->hard_verdict;
		job->standing = STANDING_BLOCKED;
	} else if (over_cap(judgement, &candidate->job, &job->refusal)) {
		job->standing = STANDING_BLOCKED;
	} else if (judgement->usage && !candidate->soft && !direct) {
		job->refusal.kind = REFUSAL_LIMIT;
		job->refusal.limit = candidate->soft_verdict;
		job->standing = STANDING_SECOND;
	}
}

/* A job that is blocked in the partition of its highest priority may do in another. */
static bool free_elsewhere(const struct judgement *judgement, const struct waiting *job)
{
	const struct snapshot *snapshot = judgement->snapshot;

	for (uint32_t i = 0; i < snapshot->rows[job->first].parts; i++) {
		struct maui_limit_job request;
		struct refusal unused;

		if (job->first + i == job->best || is_out(&snapshot->rows[job->first + i]))
			continue;
		limits_ask(&snapshot->jobs[job->first + i], NULL, &request);
		if (!refused_qos(&request, &unused) &&
		    !(judgement->usage &&
		      maui_limits_check(judgement->limits, judgement->usage, &request,
					MAUI_LIMIT_HARD, MAUI_LIMIT_ALL_MODES, NULL)) &&
		    !over_cap(judgement, &request, &unused))
			return true;
	}
	return false;
}

/*
 * Those over a soft limit get numbers from their count down to 1, or below the least priority of all who are within
 * theirs: Slurm's queue is in the order of the priorities, and so they are tried last, and backfilled around everybody else.
 * Where all are over a soft limit nobody is in the way, and nothing is changed.
 */
static void demote(struct judgement *judgement)
{
	uint32_t least = UINT32_MAX, number = 0;

	for (size_t i = 0; i < judgement->count; i++) {
		const struct waiting *job = &judgement->jobs[judgement->order[i].index];
		uint32_t priority = judgement->snapshot->rows[job->best].priority;

		if (job->standing == STANDING_FREE && !judgement->candidates[i].out &&
		    priority < least)
			least = priority;
		number += job->standing == STANDING_SECOND;
	}
	if (least == UINT32_MAX)
		return;
	if (number >= least)
		number = least > 1 ? least - 1 : 1;
	for (size_t i = 0; i < judgement->count; i++) {
		struct waiting *job = &judgement->jobs[judgement->order[i].index];

		if (job->standing != STANDING_SECOND)
			continue;
		job->demoted = number;
		if (number > 1)
			number--;
	}
}

/* The job that is i-th in the order. */
static void judge_job(struct judgement *judgement, size_t i)
{
	struct waiting *job = &judgement->jobs[judgement->order[i].index];

	judge(judgement, &judgement->candidates[i], job);
	if (job->standing == STANDING_BLOCKED && job->refusal.kind != REFUSAL_RESERVATION &&
	    free_elsewhere(judgement, job))
		*job = (struct waiting){.first = job->first, .best = job->best};
	judgement->blocked += job->standing != STANDING_FREE;
}

/* Parts do as the first one of their job, whom the loop may come to later than to them. */
static void follow(struct judgement *judgement)
{
	for (size_t i = 0; i < judgement->count; i++) {
		struct waiting *job = &judgement->jobs[i];
		const struct waiting *leader = leader_of(judgement, job);

		if (leader && !is_out(&judgement->snapshot->rows[job->best])) {
			job->standing = leader->standing;
			job->refusal = leader->refusal;
			judgement->blocked += job->standing != STANDING_FREE;
		}
	}
}

static int judge_all(struct judgement *judgement)
{
	int rc = 0;

	if (judgement->usage)
		rc = maui_limits_select(judgement->limits, judgement->usage, judgement->candidates,
					judgement->count);
	for (size_t i = 0; !rc && i < judgement->count; i++)
		judge_job(judgement, i);
	if (!rc) {
		follow(judgement);
		demote(judgement);
	}
	return rc;
}

/* ---- to the records ---- */

static bool to_be_parked(const struct snapshot_row *row, const struct waiting *job)
{
	return job->standing == STANDING_BLOCKED && row->parkable;
}

/* Whether the record or what is remembered of the job is to change. The mutex is held. */
static bool differs(const struct judgement *judgement, const struct waiting *job)
{
	const struct snapshot_row *row = &judgement->snapshot->rows[job->first];
	const struct tracked_job *tracked =
		jobs_find_at(engine.jobs, row->tracked_slot, row->job_id);

	if (!tracked)
		return row->mark != MARK_NONE;
	if (!tracked->judged || tracked->standing != job->standing)
		return true;
	if (job->standing == STANDING_SECOND &&
	    (!tracked->part_count || tracked->part[0].demoted != job->demoted))
		return true;
	if (to_be_parked(row, job))
		return row->mark != MARK_PARKED || !refusal_same(&tracked->refusal, &job->refusal);
	return row->mark == MARK_PARKED ||
	       (row->mark == MARK_REFUSED && job->standing == STANDING_FREE);
}

/* The job's number for the schedulers, in each of its partitions. */
static void renumber(job_record_t *job, struct tracked_job *tracked, uint32_t demoted)
{
	uint32_t current = records_current_partition(job);

	for (uint32_t i = 0; i < tracked->part_count; i++) {
		uint32_t priority;

		tracked->part[i].demoted = demoted;
		priority = tracked_priority(job, &tracked->part[i]);
		if (job->direct_set_prio || !job->priority)
			continue;
		if (job->part_ptr_list && job->priority_array)
			job->priority_array[i] = priority;
		if (i == current && job->priority != priority) {
			job->priority = priority;
			last_job_update = time(NULL);
		}
	}
}

/* Job write lock, mutex. */
static void mark(struct judgement *judgement, const struct waiting *waiting)
{
	const struct snapshot_row *row = &judgement->snapshot->rows[waiting->first];
	struct tracked_job *tracked = jobs_find_at(engine.jobs, row->tracked_slot, row->job_id);
	job_record_t *job = find_job_record(row->job_id);
	enum job_mark before = job ? job_mark(job) : MARK_NONE;
	char text[REFUSAL_TEXT_SIZE];

	if (!tracked || !job || !IS_JOB_PENDING(job) || !job->details ||
	    job->details->submit_time != row->submitted ||
	    tracked->change > judgement->snapshot->change)
		return;
	tracked->judged = true;
	tracked->standing = waiting->standing;
	tracked->refusal = waiting->refusal;
	renumber(job, tracked, waiting->demoted);
	if (to_be_parked(row, waiting) && job->priority) {
		job_mark_set(job, MARK_PARKED, refusal_text(&waiting->refusal, engine.names, text));
		judgement->kick |= before == MARK_REFUSED; /* it was in others' way */
	} else if (before == MARK_PARKED ||
		   (before == MARK_REFUSED && waiting->standing != STANDING_BLOCKED)) {
		job_mark_clear(job);
		judgement->kick = true;
	}
}

/* From job i on; returns the job behind the last one that was looked at. The changes go to the front of scratch. */
static size_t find_changes(struct judgement *judgement, size_t i, size_t *ret_count)
{
	size_t end = i + ASK_BATCH, count = 0;

	pthread_mutex_lock(&engine.mutex);
	for (; i < judgement->count && i < end && count < MARK_BATCH; i++)
		if (differs(judgement, &judgement->jobs[i]))
			judgement->scratch[count++].index = (uint32_t)i;
	pthread_mutex_unlock(&engine.mutex);
	*ret_count = count;
	return i;
}

static bool mark_batch(struct judgement *judgement, size_t count)
{
	slurmctld_lock_t job_write = {.job = WRITE_LOCK, .part = READ_LOCK};
	bool primary;

	lock_slurmctld(job_write);
	primary = engine_is_primary();
	pthread_mutex_lock(&engine.mutex);
	if (primary)
		start_unveil_locked(); /* what it is marked with is about to change */
	for (size_t i = 0; primary && i < count; i++)
		mark(judgement, &judgement->jobs[judgement->scratch[i].index]);
	pthread_mutex_unlock(&engine.mutex);
	unlock_slurmctld(job_write);
	return primary;
}

static void mark_all(struct judgement *judgement)
{
	for (size_t i = 0, count; i < judgement->count;) {
		i = find_changes(judgement, i, &count);
		if (count && !mark_batch(judgement, count))
			return;
	}
	if (judgement->kick)
		queue_job_scheduler();
}

/* ---- the stage ---- */

static bool capped(void)
{
	return !engine.disabled && fairshare_metric() != MAUI_FS_OFF && fairshare_windows(NULL) &&
	       node_order_wanted();
}

static int allocate(struct judgement *judgement)
{
	size_t room = judgement->snapshot->count + 1;

	judgement->jobs = calloc(room, sizeof(*judgement->jobs));
	judgement->candidates = calloc(room, sizeof(*judgement->candidates));
	judgement->order = calloc(room, sizeof(*judgement->order));
	judgement->scratch = calloc(room + MARK_BATCH, sizeof(*judgement->scratch));
	return judgement->jobs && judgement->candidates && judgement->order && judgement->scratch
		       ? 0
		       : -ENOMEM;
}

/* Whether there is anything to judge by. The mutex is held. */
static int prepare(struct judgement *judgement)
{
	const struct maui_limit_usage *usage = limits_act() ? limits_usage(time(NULL)) : NULL;

	judgement->limits = limits_table();
	if (usage) {
		judgement->usage = maui_limit_usage_copy(usage);
		if (!judgement->usage)
			return -ENOMEM;
	}
	judgement->capped = capped();
	return 0;
}

/* What the eligible make up stands until the next iteration, for jobs that come meanwhile. The mutex is held. */
static void finish(struct judgement *judgement)
{
	struct maui_limit_usage *usage = limits_usage(time(NULL));

	if (judgement->usage && usage && judgement->limits == limits_table())
		maui_limit_usage_set_idle(usage, judgement->usage);
	engine.blocked = judgement->blocked;
}

/* Whether there is anybody to judge. */
static bool needed(void)
{
	bool needed;

	pthread_mutex_lock(&engine.mutex);
	needed = limits_act() || engine.blocked || seen.marked || capped() || qos_acts();
	pthread_mutex_unlock(&engine.mutex);
	return needed;
}

void eligible_run(struct snapshot *snapshot)
{
	struct judgement judgement = {.snapshot = snapshot};
	int rc;

	if (!needed())
		return;
	rc = allocate(&judgement);
	if (!rc) {
		pthread_mutex_lock(&engine.mutex);
		rc = prepare(&judgement);
		pthread_mutex_unlock(&engine.mutex);
	}
	if (!rc) {
		list_jobs(&judgement);
		ask_all(&judgement);
		rc = judge_all(&judgement);
	}
	if (!rc) {
		mark_all(&judgement);
		pthread_mutex_lock(&engine.mutex);
		finish(&judgement);
		pthread_mutex_unlock(&engine.mutex);
	} else {
		error("maui: out of memory: blocked jobs stay as they are in this iteration");
	}
	maui_limit_usage_free(judgement.usage);
	free(judgement.jobs);
	free(judgement.candidates);
	free(judgement.order);
	free(judgement.scratch);
}
