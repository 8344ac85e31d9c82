/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Calls slurm_update_job2() for each job, or slurm_reconfigure(), in a child
 * process, and returns the error texts of Slurm.
 */
#include "contribs/maui/slurm/slurm_change.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contribs/maui/slurm/slurm_child.h"
#include "contribs/maui/slurm/slurm_compat.h"

/* What the child is to do; it has a copy of this. */
static struct {
	char *const *jobs;
	size_t count;
	uint32_t site_factor; /* as Slurm has it, with NICE_OFFSET */
} order;

static bool slurm_change_report(FILE *facts, const char *text)
{
	struct slurm_change change = {""};

	snprintf(change.text, sizeof(change.text), "%s", text);
	return fwrite(&change, sizeof(change), 1, facts) == 1;
}

/* For an array Slurm answers with a code for each group of its tasks: the first error counts. */
static const char *problem_of(int rc, const job_array_resp_msg_t *answer)
{
	for (uint32_t i = 0; rc == SLURM_SUCCESS && answer && i < answer->job_array_count; i++)
		if (answer->error_code[i])
			return slurm_strerror((int)answer->error_code[i]);
	return rc == SLURM_SUCCESS ? "" : slurm_strerror(errno);
}

/* slurmctld takes 17_1-9:2,20 for what scontrol takes as 17_[1-9:2,20%4]. Of a child's memory. */
static char *without_brackets(char *name)
{
	char *open = strchr(name, '[');

	if (open) {
		memmove(open, open + 1, strlen(open));
		open[strcspn(open, "%]")] = '\0';
	}
	return name;
}

static bool change_jobs(FILE *facts)
{
	for (size_t i = 0; i < order.count; i++) {
		job_array_resp_msg_t *answer = NULL;
		job_desc_msg_t job;
		int rc;

		slurm_init_job_desc_msg(&job);
		job.job_id_str = without_brackets(order.jobs[i]);
		job.site_factor = order.site_factor;
		rc = slurm_update_job2(&job, &answer);
		if (!slurm_change_report(facts, problem_of(rc, answer)))
			return false;
	}
	return true;
}

static bool read_configuration(FILE *facts)
{
	if (slurm_reconfigure() != SLURM_SUCCESS)
		return slurm_change_report(facts, slurm_strerror(errno));
	return slurm_change_report(facts, "");
}

static int slurm_change_ask(slurm_child_work work, size_t count, int timeout,
			    struct slurm_change *ret_changes, struct maui_error *error)
{
	const size_t wanted = count * sizeof(*ret_changes);
	char *facts = NULL;
	size_t size = 0;
	int rc = slurm_child(work, timeout, wanted, "answer", &facts, &size, error);

	if (!rc && size != wanted)
		rc = maui_error_set(error, EBADMSG, "Slurm's answer is cut short");
	if (!rc)
		memcpy(ret_changes, facts, wanted);
	free(facts);
	return rc;
}

int slurm_set_site_factor(char *const *jobs, size_t count, int64_t factor, int timeout,
			  struct slurm_change *ret_changes, struct maui_error *error)
{
	order.jobs = jobs;
	order.count = count;
	order.site_factor = (uint32_t)(factor + NICE_OFFSET);
	return slurm_change_ask(change_jobs, count, timeout, ret_changes, error);
}

int slurm_read_configuration(int timeout, struct slurm_change *ret_change, struct maui_error *error)
{
	return slurm_change_ask(read_configuration, 1, timeout, ret_change, error);
}
