/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fills a job description for a waiting job, or for processors and minutes, and
 * calls slurm_job_will_run2() in a child process.
 */
#include "contribs/maui/slurm/slurm_start.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "contribs/maui/slurm/slurm_child.h"
#include "contribs/maui/slurm/slurm_compat.h"
#include "contribs/maui/slurm/slurm_words.h"

/* For the child, which has a copy of it. */
static struct slurm_start_request question;

static void slurm_start_describe(job_desc_msg_t *job)
{
	static char name[] = "showstart", directory[] = "/";

	slurm_init_job_desc_msg(job);
	job->user_id = getuid();
	job->group_id = getgid();
	job->name = name;
	job->work_dir = directory;
	if (question.job) {
		slurm_described_job(job) = question.job;
		return;
	}
	job->num_tasks = question.procs;
	job->min_cpus = question.procs;
	job->cpus_per_task = 1;
	job->min_nodes = 1;
	if (question.minutes)
		job->time_limit = question.minutes;
}

static bool tell_start(FILE *facts)
{
	struct slurm_start start = {0};
	will_run_response_msg_t *answer = NULL;
	job_desc_msg_t job;

	slurm_start_describe(&job);
	if (slurm_job_will_run2(&job, &answer) != SLURM_SUCCESS) {
		snprintf(start.problem, sizeof(start.problem), "%s", slurm_strerror(errno));
	} else if (answer && slurm_words_is_never(answer->start_time)) {
		snprintf(start.problem, sizeof(start.problem),
			 "reservations that never end are in its way");
	} else if (answer && answer->start_time > 0) {
		start.start = answer->start_time;
		snprintf(start.partition, sizeof(start.partition), "%s",
			 answer->part_name ? answer->part_name : "");
	} else {
		snprintf(start.problem, sizeof(start.problem), "Slurm names no time");
	}
	return fwrite(&start, sizeof(start), 1, facts) == 1;
}

int slurm_start_ask(const struct slurm_start_request *request, int timeout,
		    struct slurm_start *ret_start, struct maui_error *error)
{
	char *facts = NULL;
	size_t size = 0;
	int rc;

	question = *request;
	rc = slurm_child(tell_start, timeout, sizeof(*ret_start), "expected start", &facts, &size,
			 error);
	if (!rc && size != sizeof(*ret_start))
		rc = maui_error_set(error, EBADMSG, "Slurm's answer is cut short");
	if (!rc)
		memcpy(ret_start, facts, sizeof(*ret_start));
	free(facts);
	return rc;
}
