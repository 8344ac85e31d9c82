/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Collects each active job's nodes, CPUs and memory with the engine's
 * each_held(), and sorts the jobs by end_time. The result stays until a job
 * changes.
 */
#include "plugins/select/holdings.h"

#include <stdlib.h>

#include "common/util/slurm/sched_params.h"
#include "plugins/select/engine_link.h"

static struct {
	bool known;
	bool unusable; /* plans do not go by jobs' ends */
	uint32_t window_step;
	struct horizon_job *jobs;
	const job_record_t **records; /* theirs, in the list's order */
	int64_t *ends;                /* as they were, in the list's order */
	uint32_t jobs_room;
	struct horizon_hold *holds;
	uint32_t hold_count, holds_room;
	struct horizon_running running;
} holdings;

void holdings_configure(void)
{
	holdings.unusable = compat_plans_by_least_times(slurm_conf.sched_params);
	holdings.window_step =
		(uint32_t)maui_sched_value(slurm_conf.sched_params, MAUI_SCHED_WINDOW_LINEAR, NULL);
	holdings_forget();
}

void holdings_forget(void)
{
	holdings.known = false;
}

void holdings_free(void)
{
	xfree(holdings.jobs);
	xfree(holdings.records);
	xfree(holdings.ends);
	xfree(holdings.holds);
	holdings.jobs_room = holdings.holds_room = 0;
	holdings_forget();
}

static void add_hold(uint32_t node, uint16_t cpus, uint64_t memory, void *context)
{
	(void)context;
	if (holdings.hold_count == holdings.holds_room) {
		holdings.holds_room = MAX(1024, 2 * holdings.holds_room);
		xrecalloc(holdings.holds, holdings.holds_room, sizeof(*holdings.holds));
	}
	holdings.holds[holdings.hold_count++] = (struct horizon_hold){node, cpus, memory};
}

/* Whether it is a part of a heterogeneous job that ends at another time than the first one. */
static bool ends_apart(const job_record_t *record)
{
	const job_record_t *first;

	if (!record->het_job_id || record->het_job_id == record->job_id)
		return false;
	first = find_job_record(record->het_job_id);
	return !first || first->end_time != record->end_time;
}

/* Callback of list_for_each(). */
static int add_job(void *element, void *context)
{
	const job_record_t *record = element;
	uint32_t first = holdings.hold_count, at = holdings.running.count++;

	(void)context;
	engine_link()->each_held(record, add_hold, NULL);
	holdings.jobs[at] =
		(struct horizon_job){record->end_time, first, holdings.hold_count - first};
	holdings.records[at] = record;
	holdings.ends[at] = record->end_time;
	holdings.running.parts_differ |= ends_apart(record);
	return 0;
}

static int by_end(const void *one, const void *other)
{
	const struct horizon_job *a = one, *b = other;

	return (a->end > b->end) - (a->end < b->end);
}

static void make_room(uint32_t jobs)
{
	if (jobs <= holdings.jobs_room)
		return;
	holdings.jobs_room = 2 * jobs;
	xrecalloc(holdings.jobs, holdings.jobs_room, sizeof(*holdings.jobs));
	xrecalloc(holdings.records, holdings.jobs_room, sizeof(*holdings.records));
	xrecalloc(holdings.ends, holdings.jobs_room, sizeof(*holdings.ends));
}

/* A time limit may have been changed. */
static bool are_right(void)
{
	for (uint32_t i = 0; i < holdings.running.count; i++)
		if (holdings.records[i]->end_time != holdings.ends[i])
			return false;
	return true;
}

const struct horizon_running *holdings_of(list_t *active)
{
	if (!engine_link() || holdings.unusable)
		return NULL;
	if (holdings.known && are_right())
		return &holdings.running;
	make_room((uint32_t)list_count(active));
	holdings.hold_count = 0;
	holdings.running = (struct horizon_running){0};
	(void)list_for_each(active, add_job, NULL);
	qsort(holdings.jobs, holdings.running.count, sizeof(*holdings.jobs), by_end);
	holdings.running.jobs = holdings.jobs;
	holdings.running.holds = holdings.holds;
	holdings.running.window_step = holdings.window_step;
	holdings.known = true;
	return &holdings.running;
}
