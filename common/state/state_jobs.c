/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The records of the file `jobs` (counted, start, qos and job), and the lists
 * of bounded size that they fill.
 */
#include "common/state/jobs.h"

#include <errno.h>
#include <stdlib.h>

#include "common/util/memory.h"

static void clear_jobstate(void *state)
{
	struct maui_jobstate *jobstate = state;

	free(jobstate->starts);
	free(jobstate->qos);
	free(jobstate->jobs);
	*jobstate = (struct maui_jobstate){0};
}

static const struct maui_field counted_fields[] = {
	MAUI_NUMBER("TIME", struct maui_jobstate, counted, 1, MAUI_STATE_LAST_SECOND),
};
static const struct maui_field start_fields[] = {
	MAUI_NUMBER("JOB", struct maui_bypass_start, job_id, 1, UINT32_MAX),
	MAUI_NUMBER("TIME", struct maui_bypass_start, time, 1, MAUI_STATE_LAST_SECOND),
};
static const struct maui_field qos_fields[] = {
	MAUI_NUMBER("JOB", struct maui_started_qos, job_id, 1, UINT32_MAX),
	MAUI_NUMBER("STARTED", struct maui_started_qos, started, 1, MAUI_STATE_LAST_SECOND),
	MAUI_NUMBER("QOS", struct maui_started_qos, qos, 1, UINT32_MAX),
};
static const struct maui_field job_fields[] = {
	MAUI_NUMBER("JOB", struct maui_jobstate_job, job_id, 1, UINT32_MAX),
	MAUI_TIME("SUBMITTED", struct maui_jobstate_job, submitted),
	/* A requeued job is submitted a second later: it may have begun to wait before that. */
	MAUI_TIME("SINCE", struct maui_jobstate_job, queued_since),
	MAUI_NUMBER("BYPASS", struct maui_jobstate_job, bypass, 0, UINT32_MAX),
};

enum { COUNTED, START, QOS, JOB };
static const struct maui_record records[] = {
	[COUNTED] = MAUI_RECORD("counted", counted_fields),
	[START] = MAUI_RECORD("start", start_fields),
	[QOS] = MAUI_RECORD("qos", qos_fields),
	[JOB] = MAUI_RECORD("job", job_fields),
};

static size_t state_jobs_lesser(size_t a, size_t b)
{
	return a < b ? a : b;
}

static void make_lists(void *state, size_t lines)
{
	struct maui_jobstate *jobstate = state;

	jobstate->jobs = maui_calloc(state_jobs_lesser(lines, MAUI_JOBSTATE_MAX_JOBS) + 1,
				     sizeof(*jobstate->jobs));
	jobstate->starts = maui_calloc(state_jobs_lesser(lines, MAUI_JOBSTATE_MAX_STARTS) + 1,
				       sizeof(*jobstate->starts));
	jobstate->qos = maui_calloc(state_jobs_lesser(lines, MAUI_JOBSTATE_MAX_QOS) + 1,
				    sizeof(*jobstate->qos));
}

static int take_line(void *state, struct maui_state_line *line)
{
	struct maui_jobstate *jobstate = state;

	if (line->record == &records[COUNTED]) {
		jobstate->counted = ((const struct maui_jobstate *)line->members)->counted;
	} else if (line->record == &records[START]) {
		if (jobstate->start_count == MAUI_JOBSTATE_MAX_STARTS)
			return -EINVAL;
		jobstate->starts[jobstate->start_count++] =
			*(const struct maui_bypass_start *)line->members;
	} else if (line->record == &records[QOS]) {
		if (jobstate->qos_count == MAUI_JOBSTATE_MAX_QOS)
			return -EINVAL;
		jobstate->qos[jobstate->qos_count++] =
			*(const struct maui_started_qos *)line->members;
	} else {
		if (jobstate->job_count == MAUI_JOBSTATE_MAX_JOBS)
			return -EINVAL;
		jobstate->jobs[jobstate->job_count++] =
			*(const struct maui_jobstate_job *)line->members;
	}
	return 0;
}

static void each_line(const void *state, struct maui_state_writer *writer)
{
	const struct maui_jobstate *jobstate = state;
	size_t starts = state_jobs_lesser(jobstate->start_count, MAUI_JOBSTATE_MAX_STARTS);
	size_t jobs = state_jobs_lesser(jobstate->job_count, MAUI_JOBSTATE_MAX_JOBS);
	size_t qos = state_jobs_lesser(jobstate->qos_count, MAUI_JOBSTATE_MAX_QOS);

	if (jobstate->counted > 0)
		maui_state_put(writer, &records[COUNTED], jobstate);
	for (size_t i = 0; i < starts; i++)
		maui_state_put(writer, &records[START], &jobstate->starts[i]);
	for (size_t i = 0; i < qos; i++)
		maui_state_put(writer, &records[QOS], &jobstate->qos[i]);
	for (size_t i = 0; i < jobs; i++)
		maui_state_put(writer, &records[JOB], &jobstate->jobs[i]);
}

const struct maui_state_file maui_jobstate_file = {
	.name = "jobs",
	.version = 2,
	.limit = MAUI_JOBSTATE_MAX_SIZE,
	MAUI_STATE_RECORDS(records),
	.state_size = sizeof(struct maui_jobstate),
	.line_size = sizeof(struct maui_jobstate), /* the largest */
	.begin = make_lists,
	.take = take_line,
	.each = each_line,
	.clear = clear_jobstate,
	.lost = "queue times count from submission again, bypasses from 0, and running jobs of "
		"several QOS in the one that Slurm names",
	.kept = "queue times count from submission, bypasses from 0, running jobs of several QOS "
		"in the one that Slurm names, and nothing of this outlives a restart",
	.waits = "queue times count from submission, bypasses from 0, and running jobs of several "
		 "QOS in the one that Slurm names; then what the file says counts",
	.forgets = "queue times and bypasses of jobs, and in which of several QOS they run",
};
