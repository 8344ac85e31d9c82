/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Binds cons_tres's job_list to a variable of ours with inner_bind(), and sets
 * it to the list of active jobs during a planning test.
 */
#include "plugins/compat/select_api.h"

#include "plugins/select/active_jobs.h"

#include <time.h>

#include "plugins/select/holdings.h"
#include "plugins/select/select_inner.h"

#define WHO COMPAT_SELECT_TYPE " of Maui"

/* What cons_tres has for slurmctld's job_list, which it is but while a start is planned. */
static list_t *seen;

static list_t *active; /* records that are slurmctld's; NULL: cons_tres is left alone */
static time_t listed;  /* when that was; 0: it is out of date */
static bool wanted;    /* a start has been planned since the last one began */
static time_t asked;   /* when the present test began */

void active_jobs_open(void)
{
	seen = job_list;
	if (!inner_bind("job_list", &job_list, &seen)) {
		info(WHO ": " INNER_FILE_NAME
			 " cannot be shown the active jobs alone, so each plan looks at all jobs");
		return;
	}
	active = list_create(NULL);
}

void active_jobs_close(void)
{
	seen = job_list;
	FREE_NULL_LIST(active);
	holdings_free();
}

void active_jobs_sync(void)
{
	seen = job_list;
	listed = 0;
}

void active_jobs_began(void)
{
	listed = 0;
	wanted = false;
}

void active_jobs_ended(void)
{
	listed = 0;
}

void active_jobs_changed(void)
{
	holdings_forget();
}

static bool is_active(const job_record_t *job)
{
	return IS_JOB_RUNNING(job) || IS_JOB_SUSPENDED(job);
}

/* Callback of list_for_each(). */
static int list_if_active(void *element, void *context)
{
	(void)context;
	if (is_active(element))
		list_append(active, element);
	return 0;
}

static void list_active(time_t now)
{
	list_flush(active);
	(void)list_for_each(job_list, list_if_active, NULL);
	listed = now;
	holdings_forget();
}

const struct horizon_running *active_jobs_held(void)
{
	return active && seen == active ? holdings_of(active) : NULL;
}

struct comparison {
	list_itr_t *next; /* in our list */
	const job_record_t *missing;
};

/* Callback of list_for_each(). Ours may have ended in the meantime. */
static int active_jobs_compare(void *element, void *context)
{
	struct comparison *comparison = context;
	const job_record_t *ours;

	if (!is_active(element))
		return 0;
	do
		ours = list_next(comparison->next);
	while (ours && ours != element && !is_active(ours));
	if (ours == element)
		return 0;
	comparison->missing = element;
	return -1;
}

/* Whether all active jobs are in the list, in their order. Costs what the list saves. */
static bool is_complete(void)
{
	struct comparison comparison = {.next = list_iterator_create(active)};

	(void)list_for_each(job_list, active_jobs_compare, &comparison);
	list_iterator_destroy(comparison.next);
	if (comparison.missing)
		error(WHO ": %pJ is active, and not where it should be among the active jobs",
		      comparison.missing);
	return !comparison.missing;
}

/* Whether cons_tres goes on to what running jobs will leave, if the job cannot start now. */
static bool looks_ahead(const struct compat_job_test *test)
{
	return test->mode == SELECT_MODE_WILL_RUN &&
	       (test->preemptable || !(test->job->bit_flags & TEST_NOW_ONLY));
}

void active_jobs_show(const struct compat_job_test *test)
{
	seen = job_list;
	if (!active || !looks_ahead(test))
		return;
	asked = time(NULL);
	if (listed != asked) {
		if (!wanted)
			return;
		list_active(asked);
	}
	if (slurm_conf.debug_flags & DEBUG_FLAG_SELECT_TYPE) {
		if (!is_complete())
			return;
		info("Maui: %pJ is planned among %d active of %d jobs", test->job,
		     list_count(active), list_count(job_list));
	}
	seen = active;
}

void active_jobs_hide(const struct compat_job_test *test, int status)
{
	seen = job_list;
	if (active && looks_ahead(test) &&
	    (status != SLURM_SUCCESS || test->job->start_time > asked))
		wanted = true;
}
