/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads waiting jobs, computes their priorities and stores them, a slice of the
 * queue at a time under one hold of the job write lock, so that a record is
 * visited once, while its lines are in the cache.
 */
#include "plugins/compat/base.h"

#include "plugins/engine/iteration_private.h"

#include "common/util/grow.h"
#include "plugins/engine/policy/in_force.h"
#include "plugins/engine/queue/job_queue.h"
#include "plugins/engine/runtime/runtime.h"
#include "plugins/engine/slurm/gres_records.h"
#include "plugins/engine/slurm/jobrec.h"
#include "plugins/engine/slurm/records.h"

/* Jobs visited under one hold of the locks: 0.1 to 0.2 ms, and what they touch
 * fits into the second cache. */
#define SLICE 256

/* How many jobs ahead a record is found, and what it points to is prefetched. */
#define AHEAD_DETAILS 8

struct visited {
	job_record_t *record; /* NULL: gone, or another job's */
	size_t first;         /* row */
	size_t result;        /* of that row: in iteration->results */
};

/* Those of one hold whose priorities are computed. */
struct slice {
	struct iteration *iteration;
	struct slurm_writer *writer; /* NULL: shadow mode */
	size_t count, results;       /* jobs, and their rows */
	struct visited jobs[SLICE];
};

static const slurmctld_lock_t visit_write = {
	.job = WRITE_LOCK, .node = READ_LOCK, .part = READ_LOCK};
static const slurmctld_lock_t visit_read = {.job = READ_LOCK, .node = READ_LOCK, .part = READ_LOCK};

/* Whether Slurm and maui.cfg are still those that the iteration began with. */
ENGINE_LOCKED static bool slice_may_go_on(const struct iteration *iteration)
{
	return iteration->policy == in_force.policy &&
	       iteration->snapshot->gres == gres_records_table();
}

/* Take Slurm's locks for a slice. False: the engine may not look, and none is held. */
static bool slice_begin(struct slice *slice, struct iteration *iteration)
{
	slice->iteration = iteration;
	slice->count = slice->results = 0;
	iteration->partition = NULL; /* there may be another at its address by now */
	slice->writer = NULL;
	if (!engine_is_shadow()) {
		slice->writer = slurm_writer_begin(visit_write);
		return slice->writer;
	}
	lock_slurmctld(visit_read);
	if (jobrec_there() && engine_may_look())
		return true;
	unlock_slurmctld(visit_read);
	return false;
}

static void slice_end(const struct slice *slice)
{
	if (slice->writer)
		slurm_writer_end(slice->writer, visit_write);
	else
		unlock_slurmctld(visit_read);
}

/* ---- one slice ---- */

static void slice_evaluate_rows(struct iteration *iteration, size_t at, size_t end, size_t result)
{
	struct maui_snapshot *snapshot = iteration->snapshot;

	maui_priority_evaluate_all(iteration->policy->priority, &snapshot->names.tables,
				   &snapshot->jobs[at], end - at, snapshot->time,
				   &iteration->results[result]);
}

/* Adjacent rows go together. */
static void slice_evaluate(const struct slice *slice)
{
	struct iteration *iteration = slice->iteration;
	const struct maui_snapshot_row *rows = iteration->snapshot->rows;

	iteration->results = maui_grow(iteration->results, slice->results, &iteration->result_room,
				       sizeof(*iteration->results));
	for (size_t i = 0, at, end, result; i < slice->count; i++) {
		at = slice->jobs[i].first;
		result = slice->jobs[i].result;
		end = at + rows[at].parts;
		while (i + 1 < slice->count && slice->jobs[i + 1].first == end)
			end += rows[slice->jobs[++i].first].parts;
		slice_evaluate_rows(iteration, at, end, result);
	}
}

ENGINE_LOCKED static void slice_store(const struct slice *slice)
{
	struct iteration *iteration = slice->iteration;
	bool changed = false;

	for (size_t i = 0; i < slice->count; i++) {
		const struct visited *job = &slice->jobs[i];
		const struct maui_priority_result *results = &iteration->results[job->result];

		if (!slice->writer)
			iteration_imagine(iteration, job->first, results);
		else if (job->record)
			changed |= iteration_store(slice->writer, job->record, iteration,
						   job->first, results);
	}
	if (changed)
		jobrec_touch(slice->writer);
}

ENGINE_LOCKED static void slice_add(struct slice *slice, job_record_t *job, size_t first)
{
	iteration_accrue(slice->iteration, first);
	slice->jobs[slice->count++] =
		(struct visited){.record = job, .first = first, .result = slice->results};
	slice->results += slice->iteration->snapshot->rows[first].parts;
}

/* ---- waiting jobs ---- */

/* Whether its rows have credentials that were new when the names were frozen. */
static bool visit_is_unnamed(const struct maui_snapshot *snapshot, size_t first)
{
	for (size_t at = first; at < first + snapshot->rows[first].parts; at++)
		for (int type = 0; type < MAUI_CREDENTIALS; type++)
			if (snapshot->jobs[at].credential[type] > snapshot->names.count[type])
				return true;
	return false;
}

ENGINE_LOCKED static void visit_add_unnamed(struct iteration *iteration, size_t first)
{
	iteration->unnamed = maui_grow(iteration->unnamed, iteration->unnamed_count + 1,
				       &iteration->unnamed_room, sizeof(*iteration->unnamed));
	iteration->unnamed[iteration->unnamed_count++] = first;
}

/* It does not wait any more, and the next iteration looks at it. A start that Slurm
 * has not told of, and a job that took the place of one that has gone in no
 * time, wait for that. */
ENGINE_LOCKED static void visit_miss(struct known_job *known, const job_record_t *job)
{
	known->waits = false;
	if (!job || jobrec_is_active(job))
		engine_want_refresh();
}

ENGINE_LOCKED static void visit_job(struct slice *slice, struct known_job *known, job_record_t *job)
{
	struct maui_snapshot *snapshot = slice->iteration->snapshot;
	size_t first = snapshot->count;

	if (!job || !jobrec_is_pending(job))
		visit_miss(known, job);
	if (!job || !jobrec_is_queued(job))
		return;
	iteration_rows(slice->iteration, job);
	if (first == snapshot->count)
		return;
	if (visit_is_unnamed(snapshot, first)) {
		visit_add_unnamed(slice->iteration, first);
		return;
	}
	snapshot->rows[first].tracked_slot = known->slot; /* where it was the last time */
	slice_add(slice, job, first);
	known->slot = snapshot->rows[first].tracked_slot;
}

/* The waiting jobs of a slice, and those that come after it. */
struct visit_way {
	struct known_job *known[SLICE + AHEAD_RECORD];
	size_t count;
	job_record_t *found[AHEAD_DETAILS];
};

/* Job i will be visited soon: its record, if it is still there. */
ENGINE_LOCKED static void visit_find(struct visit_way *way, size_t i)
{
	const struct known_job *known;
	job_record_t *job;

	if (i >= way->count)
		return;
	known = way->known[i];
	job = way->found[i % AHEAD_DETAILS] = jobrec_find(known->job_id);
	if (job && jobrec_has_details(job)) {
		jobrec_facts_prefetch_details(job);
		maui_jobs_prefetch_at(job_queue.jobs, known->slot);
	}
}

/* Records are prefetched, then found, then read: each while those before it are
 * worked on. Returns whether there may be more. */
static bool visit_waiting(struct slice *slice)
{
	struct visit_way way;
	size_t end;

	engine_assert_locked();
	way.count = known_jobs_waiting(slice->iteration->to_be_visited, way.known,
				       SLICE + AHEAD_RECORD);
	end = way.count < SLICE ? way.count : SLICE;
	for (size_t i = 0; i < AHEAD_DETAILS; i++)
		visit_find(&way, i);
	for (size_t i = 0; i < end; i++) {
		job_record_t *job = way.found[i % AHEAD_DETAILS];

		if (i + AHEAD_RECORD < way.count)
			jobrec_facts_prefetch(way.known[i + AHEAD_RECORD]->record);
		visit_find(&way, i + AHEAD_DETAILS);
		visit_job(slice, way.known[i], job);
	}
	if (end < way.count)
		slice->iteration->to_be_visited = way.known[end]->job_id;
	return end < way.count;
}

/* ---- jobs of new users and the like ---- */

static bool visit_unnamed(struct slice *slice)
{
	struct iteration *iteration = slice->iteration;

	engine_assert_locked();
	for (; iteration->renamed < iteration->unnamed_count && slice->count < SLICE;
	     iteration->renamed++) {
		size_t first = iteration->unnamed[iteration->renamed];
		job_record_t *job = jobrec_find(iteration->snapshot->rows[first].job_id);

		if (job && !iteration_is_same(iteration, job, first))
			job = NULL;
		slice_add(slice, job, first);
	}
	return iteration->renamed < iteration->unnamed_count;
}

/* ---- all of them ---- */

/* Reads the next jobs, and adds those to the slice whose priorities can be
 * computed. Returns whether there are more. The mutex is held. */
typedef bool (*visit_t)(struct slice *slice);

/* False: the iteration may not go on. */
static bool visit_slice(struct iteration *iteration, visit_t visit, bool *ret_more)
{
	struct slice slice;
	bool may;

	if (!slice_begin(&slice, iteration))
		return false;
	engine_lock();
	may = slice_may_go_on(iteration);
	if (may) {
		*ret_more = visit(&slice);
		slice_evaluate(&slice);
		slice_store(&slice);
	}
	engine_unlock();
	slice_end(&slice);
	return may;
}

static bool visit_slices(struct iteration *iteration, visit_t visit)
{
	bool may = true;

	for (bool more = true; may && more;)
		may = visit_slice(iteration, visit, &more);
	return may;
}

bool iteration_visit(struct iteration *iteration)
{
	return !iteration->waiting || visit_slices(iteration, visit_waiting);
}

bool iteration_visit_unnamed(struct iteration *iteration)
{
	bool done = visit_slices(iteration, visit_unnamed);

	iteration->unnamed_count = iteration->renamed = 0;
	return done;
}
