/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Merges the rows of a job in several partitions, sorts the jobs by Slurm's and
 * by Maui's priority, and compares the two ranks.
 */
#include "contribs/maui/explain/diff_jobs.h"

#include <stdlib.h>
#include <string.h>

#include "common/util/memory.h"
#include "contribs/maui/lib/output.h"

/* ---- merging ------------------------------------------------------------------------------- */

static int by_id(const void *a, const void *b)
{
	const struct diff_job *x = a, *y = b;

	return (x->id > y->id) - (x->id < y->id);
}

/* Rows of one job become one. The rows are sorted by job. */
static void merge_rows(struct diff_jobs *jobs)
{
	size_t count = 0;

	for (size_t i = 0; i < jobs->count; i++) {
		const struct diff_job *row = &jobs->jobs[i];
		struct diff_job *last = count ? &jobs->jobs[count - 1] : NULL;

		if (!last || last->id != row->id) {
			jobs->jobs[count++] = *row;
			continue;
		}
		if (row->slurm_priority > last->slurm_priority) {
			last->slurm_priority = row->slurm_priority;
			last->row = row->row;
		}
		if (row->maui_priority > last->maui_priority)
			last->maui_priority = row->maui_priority;
	}
	jobs->count = count;
}

static void read_rows(struct json_object *rows, struct diff_jobs *jobs)
{
	for (size_t i = 0; i < array_size(rows); i++) {
		struct json_object *row = json_object_array_get_idx(rows, i);

		jobs->jobs[jobs->count++] = (struct diff_job){
			.id = member_integer(row, "job"),
			.row = row,
			.slurm_priority = member_integer(row, "slurm_priority"),
			.maui_priority = member_integer(row, "priority"),
		};
	}
	qsort(jobs->jobs, jobs->count, sizeof(*jobs->jobs), by_id);
	merge_rows(jobs);
}

/* What Slurm's own records give as the reason holds the job back today, too. */
static bool is_mauis(const char *kind)
{
	static const char *const slurms[] = {"user-hold", "system-hold", "dependency", "begin-time",
					     "class"};

	for (size_t i = 0; i < sizeof(slurms) / sizeof(*slurms); i++)
		if (!strcmp(kind, slurms[i]))
			return false;
	return true;
}

static void read_refusals(struct json_object *refusals, struct diff_jobs *jobs)
{
	for (size_t i = 0; jobs->count && i < array_size(refusals); i++) {
		struct json_object *refusal = json_object_array_get_idx(refusals, i);
		struct diff_job wanted = {.id = member_integer(refusal, "job")};
		struct diff_job *job =
			bsearch(&wanted, jobs->jobs, jobs->count, sizeof(wanted), by_id);

		if (!job) /* it arrived in between */
			continue;
		job->refusal = refusal;
		/* Over a soft limit it goes behind the others, but is not blocked. */
		job->blocked = is_mauis(member_text(refusal, "kind")) &&
			       strcmp(member_text(refusal, "level"), "soft") != 0;
	}
}

/* ---- ranks --------------------------------------------------------------------------------- */

static bool is_soft(const struct diff_job *job)
{
	return job->refusal && !strcmp(member_text(job->refusal, "level"), "soft");
}

/* Held, or waiting for something unrelated to either order. */
static bool is_held(const struct diff_job *job)
{
	return (job->refusal && !job->blocked && !is_soft(job)) ||
	       (!job->slurm_priority && !job->blocked);
}

static int diff_jobs_compare(int64_t x, int64_t y)
{
	return (x > y) - (x < y);
}

static int by_slurm(const void *a, const void *b)
{
	const struct diff_job *x = *(struct diff_job *const *)a, *y = *(struct diff_job *const *)b;
	int order = diff_jobs_compare(y->slurm_priority, x->slurm_priority);

	return order ? order : diff_jobs_compare(x->id, y->id);
}

static int by_maui(const void *a, const void *b)
{
	const struct diff_job *x = *(struct diff_job *const *)a, *y = *(struct diff_job *const *)b;
	int order = is_soft(x) - is_soft(y);

	if (!order)
		order = diff_jobs_compare(y->maui_priority, x->maui_priority);
	return order ? order : diff_jobs_compare(x->id, y->id);
}

static void diff_jobs_rank(struct diff_jobs *jobs)
{
	struct diff_job **order = maui_calloc(jobs->count + 1, sizeof(struct diff_job *));
	size_t count = 0;

	for (size_t i = 0; i < jobs->count; i++)
		if (!is_held(&jobs->jobs[i]) && jobs->jobs[i].slurm_priority)
			order[count++] = &jobs->jobs[i];
	qsort(order, count, sizeof(*order), by_slurm);
	for (size_t i = 0; i < count; i++)
		order[i]->slurm_rank = i + 1;
	count = 0;
	for (size_t i = 0; i < jobs->count; i++)
		if (!is_held(&jobs->jobs[i]) && !jobs->jobs[i].blocked)
			order[count++] = &jobs->jobs[i];
	qsort(order, count, sizeof(*order), by_maui);
	for (size_t i = 0; i < count; i++)
		order[i]->maui_rank = i + 1;
	free(order);
}

bool diff_job_change(const struct diff_job *job, int64_t *ret_change)
{
	*ret_change = (int64_t)job->slurm_rank - (int64_t)job->maui_rank;
	return job->slurm_rank && job->maui_rank;
}

/* Behind all jobs without a soft limit, as in the order of ranks. */
static int64_t diff_jobs_order(const struct diff_job *job)
{
	return is_soft(job) ? job->maui_priority - (INT64_C(1) << 62) : job->maui_priority;
}

static void diff_jobs_correlate(struct diff_jobs *jobs)
{
	int64_t *slurm = maui_calloc(jobs->count + 1, sizeof(*slurm));
	int64_t *maui = maui_calloc(jobs->count + 1, sizeof(*maui));

	for (size_t i = 0; i < jobs->count; i++) {
		const struct diff_job *job = &jobs->jobs[i];

		if (!job->slurm_rank || !job->maui_rank)
			continue;
		slurm[jobs->ranked] = job->slurm_priority;
		maui[jobs->ranked++] = diff_jobs_order(job);
	}
	maui_kendall(slurm, maui, jobs->ranked, &jobs->kendall);
	free(maui);
	free(slurm);
}

/* ---- all of it ----------------------------------------------------------------------------- */

static int by_change(const void *a, const void *b)
{
	const struct diff_job *x = a, *y = b;
	int64_t x_change, y_change;
	bool x_ranked = diff_job_change(x, &x_change), y_ranked = diff_job_change(y, &y_change);

	if (x_ranked != y_ranked)
		return x_ranked ? -1 : 1;
	if (x_ranked && llabs(x_change) != llabs(y_change))
		return llabs(x_change) < llabs(y_change) ? 1 : -1;
	if (x_ranked && x->maui_rank != y->maui_rank)
		return x->maui_rank < y->maui_rank ? -1 : 1;
	return by_id(a, b);
}

static void diff_jobs_count(struct diff_jobs *jobs)
{
	for (size_t i = 0; i < jobs->count; i++) {
		int64_t change;

		if (diff_job_change(&jobs->jobs[i], &change))
			jobs->moved += change != 0;
		else if (jobs->jobs[i].blocked)
			jobs->blocked++;
		else
			jobs->held++;
	}
}

void diff_jobs_make(struct json_object *priorities, struct json_object *blocked,
		    struct diff_jobs *ret_jobs)
{
	struct json_object *rows = member_array(priorities, "jobs");
	struct diff_jobs jobs = {
		.jobs = maui_calloc(array_size(rows) + 1, sizeof(struct diff_job))};

	read_rows(rows, &jobs);
	read_refusals(member_array(blocked, "jobs"), &jobs);
	diff_jobs_rank(&jobs);
	qsort(jobs.jobs, jobs.count, sizeof(*jobs.jobs), by_change);
	diff_jobs_count(&jobs);
	diff_jobs_correlate(&jobs);
	*ret_jobs = jobs;
}

void diff_jobs_clear(struct diff_jobs *jobs)
{
	free(jobs->jobs);
	*jobs = (struct diff_jobs){0};
}
