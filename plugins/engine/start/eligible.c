/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Judges waiting jobs with maui_judge_all() and marks their records, 500 per
 * hold of the job write lock. In shadow mode the records stay unchanged.
 */
#include "plugins/compat/base.h"

#include "plugins/engine/start/eligible.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/queue/judge.h"
#include "common/queue/refusal.h"
#include "plugins/engine/fairshare/fairshare.h"
#include "plugins/engine/limits/limits.h"
#include "plugins/engine/nodes/node_order.h"
#include "plugins/engine/policy/in_force.h"
#include "plugins/engine/policy/principals_ask.h"
#include "plugins/engine/queue/job_queue.h"
#include "plugins/engine/reservation/rsv_admission.h"
#include "plugins/engine/runtime/monotonic.h"
#include "plugins/engine/runtime/runtime.h"
#include "plugins/engine/slurm/gres_records.h"
#include "plugins/engine/slurm/jobrec.h"
#include "plugins/engine/slurm/mark.h"
#include "plugins/engine/slurm/qos.h"
#include "plugins/engine/slurm/records.h"
#include "plugins/engine/slurm/slurmctld.h"
#include "plugins/engine/start/lowered.h"
#include "plugins/engine/start/priorities.h"

/* Records marked per hold of the job write lock. */
#define MARK_BATCH 500
/* Jobs looked up per hold of the mutex. */
#define ASK_BATCH 4096
/* Seconds until the name service is asked again for the owners of waiting jobs. */
#define IDENTIFY_AGAIN 2

/* Some record is marked, or the reservation that the job asks for does not
 * admit it. */
ENGINE_GUARDED static bool seen_marked;
/* The schedulers have something to look at. The engine's thread alone. */
static bool kick;

/* ---- while records are collected ---- */

/* The rows that follow belong to a new snapshot. */
static void eligible_collect(void)
{
	engine_assert_locked();
	seen_marked = false;
}

ENGINE_LOCKED static void see_part(const struct jobrec_facts *facts, struct maui_snapshot *snapshot,
				   size_t row)
{
	const job_record_t *leader = jobrec_find(facts->het_id);
	struct maui_part_request *part = maui_snapshot_add_part(snapshot);

	part->row = row;
	part->leader =
		leader && leader != facts->job && jobrec_is_pending(leader) ? jobrec_id(leader) : 0;
	limits_request(facts, &snapshot->jobs[row], maui_jobs_find(job_queue.jobs, facts->job_id),
		       &part->job);
}

void eligible_see(const struct jobrec_facts *facts, struct maui_snapshot *snapshot, size_t row)
{
	struct maui_snapshot_row *at = &snapshot->rows[row];

	at->shut_out = rsv_admission_refuses(facts);
	seen_marked |= at->mark != MARK_NONE || at->shut_out;
	if (facts->het_id)
		see_part(facts, snapshot, row);
}

/* ---- what the jobs ask for ---- */

static const struct maui_limit_job *
eligible_got(const void *context, const struct maui_snapshot *snapshot, size_t first, size_t place)
{
	const struct maui_snapshot_row *row = &snapshot->rows[first];

	engine_assert_locked();
	(void)context;
	if (snapshot->gres != gres_records_table())
		return NULL;
	return limits_got(maui_jobs_find_at(job_queue.jobs, row->tracked_slot, row->job_id),
			  snapshot->jobs[place].credential[MAUI_CLASS]);
}

/* A little at a time: slurmctld's threads want the mutex, too. */
static void eligible_ask_all(struct maui_judgement *judgement)
{
	for (size_t i = 0, end; i < judgement->count; i = end) {
		end = i + ASK_BATCH < judgement->count ? i + ASK_BATCH : judgement->count;
		engine_lock();
		maui_judge_ask(judgement, i, end, eligible_got, NULL);
		engine_unlock();
	}
}

/* ---- to the records ---- */

static bool to_be_parked(const struct maui_snapshot_row *row, const struct maui_waiting *job)
{
	return job->standing == MAUI_STANDING_BLOCKED && row->parkable;
}

/* Whether the job's record or our memory of it has to change. The mutex is held. */
ENGINE_LOCKED static bool differs(const struct maui_judgement *judgement,
				  const struct maui_waiting *job)
{
	const struct maui_snapshot_row *row = &judgement->snapshot->rows[job->first];
	const struct maui_tracked_job *tracked =
		maui_jobs_find_at(job_queue.jobs, row->tracked_slot, row->job_id);

	if (!tracked)
		return row->mark != MARK_NONE;
	if (!tracked->judged || tracked->standing != job->standing)
		return true;
	if (job->standing == MAUI_STANDING_SECOND &&
	    (!tracked->part_count || maui_tracked_part(tracked, 0)->demoted != job->demoted))
		return true;
	if (to_be_parked(row, job))
		return row->mark != MARK_PARKED ||
		       !maui_refusal_same(tracked->refusal, job->refusal);
	return row->mark == MARK_PARKED ||
	       (row->mark == MARK_REFUSED && job->standing == MAUI_STANDING_FREE);
}

/* Updates the priority that the schedulers see, in each of the job's partitions. */
ENGINE_LOCKED static void renumber(struct slurm_writer *writer, job_record_t *job,
				   struct maui_tracked_job *tracked, uint32_t demoted)
{
	uint32_t current = records_current_place(job);
	struct jobrec_facts facts;

	jobrec_facts_read(job, &facts);
	for (uint32_t i = 0; i < tracked->part_count; i++) {
		uint32_t priority;

		maui_tracked_part_of(tracked, i)->demoted = demoted;
		priority = tracked_priority(&facts, maui_tracked_part(tracked, i));
		if (jobrec_priority_is_by_hand(job) || !jobrec_priority(job))
			continue;
		if (jobrec_has_priorities(job))
			jobrec_set_priority_at(writer, job, i, priority);
		if (i == current && jobrec_priority(job) != priority) {
			jobrec_set_priority(writer, job, priority);
			jobrec_touch(writer);
		}
	}
}

/* Job write lock, mutex. */
ENGINE_LOCKED static void mark(struct slurm_writer *writer, struct maui_judgement *judgement,
			       const struct maui_waiting *waiting)
{
	const struct maui_snapshot_row *row = &judgement->snapshot->rows[waiting->first];
	struct maui_tracked_job *tracked =
		maui_jobs_find_at(job_queue.jobs, row->tracked_slot, row->job_id);
	job_record_t *job = jobrec_find(row->job_id);
	enum job_mark before = job ? job_mark(job) : MARK_NONE;
	char text[MAUI_REFUSAL_TEXT_SIZE];

	if (!tracked || !job || !jobrec_still_waits(job, row->submitted) ||
	    tracked->change > judgement->snapshot->change)
		return;
	tracked->judged = true;
	tracked->standing = waiting->standing;
	maui_jobs_refuse(job_queue.jobs, tracked, waiting->refusal);
	renumber(writer, job, tracked, waiting->demoted);
	if (to_be_parked(row, waiting) && jobrec_priority(job)) {
		job_mark_set(writer, job, MARK_PARKED,
			     maui_refusal_text(waiting->refusal, in_force.names, text));
		kick |= before == MARK_REFUSED; /* it was blocking others */
	} else if (before == MARK_PARKED ||
		   (before == MARK_REFUSED && waiting->standing != MAUI_STANDING_BLOCKED)) {
		job_mark_clear(writer, job);
		kick = true;
	}
}

/* The mutex is held. */
ENGINE_LOCKED static void imagine(const struct maui_snapshot *snapshot,
				  const struct maui_waiting *waiting)
{
	const struct maui_snapshot_row *row = &snapshot->rows[waiting->first];
	struct maui_tracked_job *tracked =
		maui_jobs_find_at(job_queue.jobs, row->tracked_slot, row->job_id);

	if (!tracked || tracked->submitted != row->submitted)
		return;
	tracked->judged = true;
	tracked->standing = waiting->standing;
	maui_jobs_refuse(job_queue.jobs, tracked, waiting->refusal);
	for (uint32_t i = 0; i < tracked->part_count; i++)
		maui_tracked_part_of(tracked, i)->demoted = waiting->demoted;
}

/* Starts at job i; returns the index after the last job looked at. The changes go to the front of
 * scratch. */
static size_t find_changes(struct maui_judgement *judgement, size_t i, size_t *ret_count)
{
	size_t end = i + ASK_BATCH, count = 0;

	engine_lock();
	for (; i < judgement->count && i < end && count < MARK_BATCH; i++)
		if (differs(judgement, &judgement->jobs[i]))
			judgement->scratch[count++].index = (uint32_t)i;
	engine_unlock();
	*ret_count = count;
	return i;
}

/* Shadow mode: remembers what mark() would, for all jobs, and leaves the records alone. */
static void eligible_imagine_all(const struct maui_judgement *judgement)
{
	for (size_t i = 0, end; i < judgement->count; i = end) {
		end = i + ASK_BATCH < judgement->count ? i + ASK_BATCH : judgement->count;
		engine_lock();
		for (size_t at = i; at < end; at++)
			imagine(judgement->snapshot, &judgement->jobs[at]);
		engine_unlock();
	}
}

static bool mark_batch(struct maui_judgement *judgement, size_t count)
{
	slurmctld_lock_t job_write = {.job = WRITE_LOCK, .part = READ_LOCK};
	struct slurm_writer *writer = slurm_writer_begin(job_write);

	if (!writer)
		return false;
	engine_lock();
	lowered_reset(writer, 0); /* its marks are about to change */
	for (size_t i = 0; i < count; i++)
		mark(writer, judgement, &judgement->jobs[judgement->scratch[i].index]);
	engine_unlock();
	slurm_writer_end(writer, job_write);
	return true;
}

static void eligible_mark_all(struct maui_judgement *judgement)
{
	for (size_t i = 0, count; i < judgement->count;) {
		i = find_changes(judgement, i, &count);
		if (count && !mark_batch(judgement, count))
			return;
	}
	if (kick)
		slurmctld_schedule();
}

/* ---- the stage ---- */

ENGINE_LOCKED static bool capped(void)
{
	return !engine.disabled && fairshare_metric() != MAUI_FS_OFF && fairshare_windows(NULL) &&
	       select_is_loaded();
}

/* After the name service has been asked: who of the waiting is still not known. They are asked
 * about again soon, though no sooner than the service is asked at all. The mutex is held. */
ENGINE_LOCKED static void identify(struct maui_snapshot *snapshot)
{
	bool any = false;

	if (engine.disabled || !maui_names_lack(in_force.names))
		return;
	for (size_t at = 0; at < snapshot->count; at += snapshot->rows[at].parts) {
		struct maui_snapshot_row *row = &snapshot->rows[at];
		enum maui_credential type = maui_names_first_unidentified(
			in_force.names, snapshot->jobs[at].credential, row->submitted);

		row->unidentified = type != MAUI_CREDENTIALS;
		row->unidentified_type = (uint8_t)type;
		any |= row->unidentified;
	}
	if (any && principals_ask_next() == INFINITY) /* else the service is asked by then */
		engine.retry = fmin(engine.retry, monotonic_seconds() + IDENTIFY_AGAIN);
}

/* Fills in the rules to judge by. The mutex is held. */
ENGINE_LOCKED static void prepare(struct maui_judgement *judgement)
{
	const struct maui_limit_usage *usage = limits_act() ? limits_usage(time(NULL)) : NULL;

	judgement->rules.limits = limits_table();
	judgement->rules.qos = qos_lists();
	if (capped())
		judgement->rules.windows = fairshare_windows(NULL);
	if (usage)
		judgement->rules.usage = maui_limit_usage_copy(usage);
}

/* Gives the snapshot squeue's numbers, once the order by the jobs' own is no longer needed. */
static void number_rows(const struct maui_judgement *judgement)
{
	for (size_t i = 0; i < judgement->count; i++) {
		const struct maui_waiting *job = &judgement->jobs[i];
		struct maui_snapshot_row *rows = &judgement->snapshot->rows[job->first];

		for (uint32_t k = 0; job->demoted && k < rows->parts; k++)
			if (job->demoted < rows[k].priority)
				rows[k].priority = job->demoted;
	}
}

/* The idle usage of the eligible jobs stands until the next iteration, for jobs that arrive
 * meanwhile. The mutex is held. */
ENGINE_LOCKED static void finish(struct maui_judgement *judgement)
{
	struct maui_limit_usage *usage = limits_usage(time(NULL));

	if (judgement->rules.usage && usage && judgement->rules.limits == limits_table())
		maui_limit_usage_set_idle(usage, judgement->rules.usage);
	job_queue.blocked = judgement->blocked;
}

/* Whether there is anything to judge. If GRES have got other numbers meanwhile, the next iteration
 * judges. */
static bool eligible_needed(const struct maui_snapshot *snapshot)
{
	bool needed;

	engine_lock();
	needed = snapshot->gres == gres_records_table() &&
		 (limits_act() || job_queue.blocked || seen_marked || capped() || qos_acts() ||
		  maui_names_lack(in_force.names));
	engine_unlock();
	return needed;
}

void eligible_run(struct maui_snapshot *snapshot)
{
	static struct maui_judgement judgement; /* of the engine's thread; its memory is kept */

	if (!eligible_needed(snapshot))
		return;
	judgement.snapshot = snapshot;
	kick = false;
	maui_judge_list(&judgement);
	engine_lock();
	identify(snapshot);
	prepare(&judgement);
	engine_unlock();
	eligible_ask_all(&judgement);
	if (!maui_judge_all(&judgement)) {
		if (engine_is_shadow())
			eligible_imagine_all(&judgement);
		else
			eligible_mark_all(&judgement);
		number_rows(&judgement);
		engine_lock();
		finish(&judgement);
		engine_unlock();
	} else {
		error("maui: a job cannot be counted: blocked jobs stay as they are in this "
		      "iteration");
	}
	maui_limit_usage_free(judgement.rules.usage);
	maui_judge_reset(&judgement);
}

const struct module eligible_module = {.collect = eligible_collect};
