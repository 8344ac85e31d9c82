/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/engine/veil.h"

#include <stdatomic.h>
#include <sys/prctl.h>
#include <time.h>

#include "plugins/engine/slurm/mark.h"
#include "plugins/engine/state.h"

static struct {
	uint32_t job_id, priority; /* whose priority is put away; 0: nobody's */
	bool thread_running;
} veil;

static atomic_uint lowest = 1; /* of all jobs' priorities */
static pthread_cond_t put_on = PTHREAD_COND_INITIALIZER;

void veil_configure(uint32_t reserve)
{
	pthread_mutex_lock(&engine.mutex);
	atomic_store(&lowest, reserve >= 2 ? 2 : 1);
	pthread_mutex_unlock(&engine.mutex);
}

uint32_t veil_floor(void)
{
	return atomic_load(&lowest);
}

/*
 * The reason tells nothing: a scheduler that comes first writes over our mark that the job is held, or, if it gets as far,
 * that nodes are down. Whoever really holds a job sets its priority by hand.
 */
bool veil_is_hold(const job_record_t *job)
{
	return (job->warn_flags & COMPAT_OUR_VEIL) && !job->priority && IS_JOB_PENDING(job) &&
	       !job->direct_set_prio;
}

void veil_lift(job_record_t *job)
{
	if (!(job->warn_flags & COMPAT_OUR_VEIL))
		return;
	if (veil_is_hold(job)) {
		if (job->state_reason == WAIT_HELD)
			job_mark_clear(job);
		job->priority = veil_floor();
	}
	job->warn_flags &= ~COMPAT_OUR_VEIL;
}

static bool has_veil(const job_record_t *job)
{
	return IS_JOB_PENDING(job) && !job->direct_set_prio &&
	       (job->priority ? job->priority < veil_floor() : veil_is_hold(job));
}

void veil_take_off(uint32_t but)
{
	job_record_t *job;

	if (!veil.job_id || veil.job_id == but)
		return;
	job = find_job_record(veil.job_id);
	if (job && has_veil(job)) {
		veil_lift(job);
		job->priority = veil.priority;
		last_job_update = time(NULL);
	}
	veil.job_id = 0;
}

void veil_forget(uint32_t job_id)
{
	if (veil.job_id == job_id)
		veil.job_id = 0;
}

/*
 * When it comes to a job's next partition the main scheduler writes the priority back itself; but of an array of which it
 * has just started a task it writes to the task's record, finds the rest without a priority, and holds it for good. And a
 * priority that was set by hand could not be computed again if slurmctld died: then its partition is held up for this pass.
 */
static bool is_safe(const job_record_t *job)
{
	return (!job->array_job_id || !job->part_ptr_list) && !job->direct_set_prio;
}

void veil_put_on(job_record_t *job)
{
	if (job->priority < veil_floor()) /* looked at a second time: with other features, say */
		return;
	if (!is_safe(job))
		return;
	veil.job_id = job->job_id;
	veil.priority = job->priority;
	job->priority = veil_floor() - 1;
	if (!job->priority)
		job->warn_flags |= COMPAT_OUR_VEIL;
	pthread_cond_signal(&put_on);
}

/* The pass that goes on holds the lock until its end. */
static void wait_for_pass(void)
{
	slurmctld_lock_t job_write = {.job = WRITE_LOCK};

	pthread_mutex_unlock(&engine.mutex);
	lock_slurmctld(job_write);
	pthread_mutex_lock(&engine.mutex);
	veil_take_off(0);
	unlock_slurmctld(job_write);
}

static void *veil_thread(void *unused)
{
	(void)unused;
	prctl(PR_SET_NAME, "maui-veil", NULL, NULL, NULL);
	pthread_mutex_lock(&engine.mutex);
	for (;;) {
		while (!veil.job_id)
			pthread_cond_wait(&put_on, &engine.mutex);
		wait_for_pass();
	}
	return NULL;
}

int veil_start_thread(void)
{
	pthread_t thread;

	if (veil.thread_running)
		return SLURM_SUCCESS;
	if (pthread_create(&thread, NULL, veil_thread, NULL))
		return SLURM_ERROR;
	pthread_detach(thread);
	veil.thread_running = true;
	return SLURM_SUCCESS;
}
