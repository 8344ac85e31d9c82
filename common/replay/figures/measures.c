/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Computes wait, bounded slowdown, flow time, makespan and utilisation by
 * group, and the distance of a schedule from the recorded starts.
 */
#include "common/replay/figures/measures.h"

#include <stdlib.h>
#include <string.h>

#include "common/util/memory.h"

static int measures_compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

/* The smallest value that at least this share of all reach at most. */
static double measures_quantile(const double *sorted, size_t count, size_t percent)
{
	size_t rank = (count * percent + 99) / 100;

	return sorted[rank ? rank - 1 : 0];
}

static struct maui_replay_spread measures_spread(double *values, size_t count)
{
	double sum = 0;

	if (!count)
		return (struct maui_replay_spread){0};
	for (size_t i = 0; i < count; i++)
		sum += values[i];
	qsort(values, count, sizeof(*values), measures_compare);
	return (struct maui_replay_spread){.mean = sum / (double)count,
					   .median = measures_quantile(values, count, 50),
					   .p95 = measures_quantile(values, count, 95),
					   .max = values[count - 1]};
}

static double measures_slowdown(double wait, double run)
{
	double value = (wait + run) / (run > MAUI_REPLAY_TAU ? run : MAUI_REPLAY_TAU);

	return value > 1 ? value : 1;
}

/* Of one group, while its jobs are added. */
struct sums {
	double *wait, *slowdown;
	double flow;
	int64_t first, last;
};

/* Of one that ran already that is all: it waited before. */
static void add_use(struct sums *sums, const struct maui_replay_job *job, int64_t started,
		    struct maui_replay_measures *measures)
{
	measures->used += (double)job->procs * (double)job->run;
	if (started + job->run > sums->last)
		sums->last = started + job->run;
}

static void measures_add(struct sums *sums, const struct maui_replay_job *job, int64_t started,
			 bool is_compared, struct maui_replay_measures *measures)
{
	double wait = (double)(started - job->submitted), run = (double)job->run;

	if (!(measures->jobs + measures->apart) || job->submitted < sums->first)
		sums->first = job->submitted;
	add_use(sums, job, started, measures);
	if (!is_compared) {
		measures->apart++;
		return;
	}
	sums->wait[measures->jobs] = wait;
	sums->slowdown[measures->jobs++] = measures_slowdown(wait, run);
	sums->flow += wait + run;
}

static void measures_finish(struct sums *sums, uint32_t procs,
			    struct maui_replay_measures *measures)
{
	measures->wait = measures_spread(sums->wait, measures->jobs);
	measures->slowdown = measures_spread(sums->slowdown, measures->jobs);
	if (measures->jobs)
		measures->flow = sums->flow / (double)measures->jobs;
	if (!(measures->jobs + measures->apart))
		return;
	measures->makespan = sums->last - sums->first;
	measures->utilisation = measures->used / ((double)measures->makespan * procs);
}

/* Each group has its part of the values. */
static void measures_divide(const struct maui_replay_grouping *grouping, size_t jobs,
			    double *values, struct sums *sums)
{
	size_t *size = (size_t *)(void *)(sums + grouping->count);

	for (size_t i = 0; i < jobs; i++)
		size[grouping->of[i]]++;
	for (size_t i = 0; i < grouping->count; i++) {
		sums[i] = (struct sums){
			.wait = values, .slowdown = values + size[i], .last = INT64_MIN};
		values += 2 * size[i];
	}
}

void maui_replay_measure_groups(const struct maui_replay_trace *trace, const int64_t *started,
				const bool *backfilled, const bool *compared, uint32_t procs,
				const struct maui_replay_grouping *grouping,
				struct maui_replay_measures *ret_measures)
{
	double *values = maui_calloc(2 * trace->count + 1, sizeof(*values));
	struct sums *sums = maui_calloc(grouping->count + 1, sizeof(*sums) + sizeof(size_t));

	memset(ret_measures, 0, grouping->count * sizeof(*ret_measures));
	measures_divide(grouping, trace->count, values, sums);
	for (size_t i = 0; i < trace->count; i++) {
		struct maui_replay_measures *measures = &ret_measures[grouping->of[i]];
		struct sums *group = &sums[grouping->of[i]];

		bool is_compared = !compared || compared[i];

		if (started[i] == MAUI_REPLAY_UNKNOWN) {
			measures->never += !trace->jobs[i].running;
		} else if (trace->jobs[i].running) {
			add_use(group, &trace->jobs[i], started[i], measures);
		} else {
			measures_add(group, &trace->jobs[i], started[i], is_compared, measures);
			measures->backfilled += is_compared && backfilled && backfilled[i];
		}
	}
	for (size_t i = 0; i < grouping->count; i++) {
		if (sums[i].first < trace->begin)
			sums[i].first = trace->begin;
		measures_finish(&sums[i], procs, &ret_measures[i]);
	}
	free(values);
	free(sums);
}

void maui_replay_measure(const struct maui_replay_trace *trace, const int64_t *started,
			 const bool *backfilled, const bool *compared, uint32_t procs,
			 struct maui_replay_measures *ret_measures)
{
	struct maui_replay_grouping all = {.count = 1,
					   .of = maui_calloc(trace->count + 1, sizeof(*all.of))};

	maui_replay_measure_groups(trace, started, backfilled, compared, procs, &all, ret_measures);
	free(all.of);
}

void maui_replay_compare(const struct maui_replay_trace *trace,
			 const struct maui_replay_schedule *schedule,
			 struct maui_replay_nearness *ret_nearness)
{
	struct maui_replay_nearness near = {0};
	double *difference = maui_calloc(trace->count + 1, sizeof(*difference));
	struct maui_replay_spread all;

	for (size_t i = 0; i < trace->count; i++) {
		const struct maui_replay_job *job = &trace->jobs[i];
		double apart;

		if (job->started == MAUI_REPLAY_UNKNOWN ||
		    schedule->started[i] == MAUI_REPLAY_UNKNOWN)
			continue;
		apart = (double)(schedule->started[i] - job->started);
		difference[near.jobs++] = apart = apart < 0 ? -apart : apart;
		near.recorded += (double)(job->started - job->submitted);
		near.replayed += (double)(schedule->started[i] - job->submitted);
		near.minute += apart <= 60;
		near.hour += apart <= 3600;
	}
	all = measures_spread(difference, near.jobs);
	free(difference);
	near.difference = all.mean;
	near.median = all.median;
	near.recorded /= near.jobs ? (double)near.jobs : 1;
	near.replayed /= near.jobs ? (double)near.jobs : 1;
	*ret_nearness = near;
}
