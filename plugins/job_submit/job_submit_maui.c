/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job_submit/maui: `--reservation=NAME` of one of Maui's reservations. In Slurm only root may use
 * them, so it would refuse the job; the request goes into the job's comment instead, as
 * x=ADVRES:NAME, where the engine looks for it. That grants nothing: whether the job gets in is
 * decided at its start. The other way round GRES that a comment asks for become the job's own.
 *
 * Before a job is changed the engine undoes what is left of a refusal.
 *
 * In shadow mode it only starts the engine, and leaves submissions alone: the engine has no
 * reservations then.
 *
 * Called with slurmctld's locks held: takes none of them.
 */
#include "plugins/compat/compat.h"

#include "common/util/extension.h"
#include "plugins/engine/api/engine.h"
#include "plugins/job_submit/asked_gres.h"

MAUI_EXPORT const char plugin_name[] = "Reservations and GRES as Maui's users ask for them";
MAUI_EXPORT const char plugin_type[] = "job_submit/maui";
MAUI_EXPORT const uint32_t plugin_version = SLURM_VERSION_NUMBER;

MAUI_EXPORT int init(void);
MAUI_EXPORT void fini(void);
COMPAT_JOB_SUBMIT_DECLARE

int init(void)
{
	return maui_engine_fits(plugin_type) ? maui_engine_shadow_start() : SLURM_ERROR;
}

void fini(void)
{
	maui_engine_shadow_stop();
}

/* How many in a list, "a,b", are ours. */
static unsigned int count_ours(const char *list, unsigned int *ret_all)
{
	char *names = xstrdup(list), *rest = NULL;
	unsigned int ours = 0;

	*ret_all = 0;
	for (char *name = strtok_r(names, ",", &rest); name; name = strtok_r(NULL, ",", &rest)) {
		++*ret_all;
		ours += maui_engine_knows_reservation(name);
	}
	xfree(names);
	return ours;
}

/* comment: the one that the job has, or is to get. */
static int translate_reservation(job_desc_msg_t *job, const char *comment, char **ret_error)
{
	unsigned int all, ours;
	char *text = NULL;

	if (!job->reservation || !*job->reservation)
		return SLURM_SUCCESS;
	ours = count_ours(job->reservation, &all);
	if (!ours)
		return SLURM_SUCCESS;
	if (all > 1) {
		if (ret_error)
			xstrfmtcat(*ret_error,
				   "%s: a reservation of Maui can only be asked for alone, not "
				   "together with others",
				   job->reservation);
		return ESLURM_RESERVATION_INVALID;
	}
	xstrfmtcat(text, "x=ADVRES:%s%s%s", job->reservation, comment && *comment ? " " : "",
		   comment ? comment : "");
	xfree(job->comment);
	job->comment = text;
	xfree(job->reservation);
	return SLURM_SUCCESS;
}

COMPAT_JOB_SUBMIT
{
	int rc = translate_reservation(job, job->comment, error_text);

	if (rc != SLURM_SUCCESS || maui_engine_is_shadow())
		return rc;
	return asked_gres_translate(job, job->comment, error_text);
}

/* A comment that asks for what it did leaves the job's GRES alone. */
COMPAT_JOB_MODIFY
{
	int rc;

	maui_engine_before_change(record);
	rc = translate_reservation(job, job->comment ? job->comment : record->comment,
				   COMPAT_MODIFY_ERROR);
	if (rc != SLURM_SUCCESS || maui_engine_is_shadow() || !job->comment ||
	    asked_gres_same(job->comment, record->comment))
		return rc;
	return asked_gres_translate(job, job->comment, COMPAT_MODIFY_ERROR);
}
