/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Stores the real priority of the job refused last. The thread maui-lowered
 * restores it as soon as it gets the job write lock.
 */
#include "plugins/compat/base.h"

#include "plugins/engine/start/lowered.h"

#include <stdatomic.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <time.h>

#include "common/queue/refusal.h"
#include "plugins/engine/runtime/runtime.h"
#include "plugins/engine/slurm/jobrec.h"
#include "plugins/engine/slurm/mark.h"

ENGINE_GUARDED static struct {
	uint32_t job_id;                   /* the job refused last, until it is restored; 0: none */
	uint32_t priority;                 /* its real one; 0: it was not lowered */
	char text[MAUI_REFUSAL_TEXT_SIZE]; /* of its mark */
	bool thread_running;
} lowered;

static atomic_uint lowest = 1; /* least priority of any job */
static pthread_cond_t put_on = PTHREAD_COND_INITIALIZER;

static void lowered_configure(const struct site *site)
{
	engine_lock();
	atomic_store(&lowest, site->prio_reserve >= 2 ? 2 : 1);
	engine_unlock();
}

uint32_t lowered_floor(void)
{
	return atomic_load(&lowest);
}

/*
 * The reason proves nothing: a scheduler that runs first overwrites our mark with "held", or, if it
 * gets that far, with "nodes down". A real hold sets the priority by hand, as it never finds a
 * lowered one (maui_engine_before_change()).
 */
bool lowered_is_hold(const job_record_t *job)
{
	return jobrec_is_marked_lowered(job) && !jobrec_priority(job) && jobrec_is_pending(job) &&
	       !jobrec_priority_is_by_hand(job);
}

void lowered_lift(struct slurm_writer *writer, job_record_t *job)
{
	if (!jobrec_is_marked_lowered(job))
		return;
	if (lowered_is_hold(job)) {
		if (jobrec_reason(job) == WAIT_HELD)
			job_mark_clear(writer, job);
		jobrec_set_priority(writer, job, lowered_floor());
	}
	jobrec_mark_lowered(writer, job, false);
}

static bool is_lowered(const job_record_t *job)
{
	uint32_t priority = jobrec_priority(job);

	return jobrec_is_pending(job) && !jobrec_priority_is_by_hand(job) &&
	       (priority ? priority < lowered_floor() : lowered_is_hold(job));
}

void lowered_reset(struct slurm_writer *writer, uint32_t but)
{
	job_record_t *job;

	if (!lowered.job_id || lowered.job_id == but)
		return;
	job = jobrec_find(lowered.job_id);
	if (job && lowered.priority && is_lowered(job)) {
		lowered_lift(writer, job);
		jobrec_set_priority(writer, job, lowered.priority);
		jobrec_touch(writer);
	}
	if (job)
		job_mark_restore(writer, job, lowered.text);
	lowered.job_id = 0;
}

void lowered_forget(uint32_t job_id)
{
	if (lowered.job_id == job_id)
		lowered.job_id = 0;
}

/*
 * When it gets to a job's next partition, the main scheduler writes the priority back itself; but
 * when it has just started a task of an array, it writes to the task's record, finds the rest
 * without a priority, and holds it for good. From 24.11 on it leaves out the other partitions of a
 * job that has become 0. And a priority set by hand could not be recomputed if slurmctld died. In
 * these cases the job holds up its partition for this pass.
 */
static bool is_safe(const job_record_t *job, uint32_t floor)
{
	return (!jobrec_array_id(job) || !jobrec_has_partition_list(job)) &&
	       (floor > 1 || !jobrec_is_dropped_at_zero(job)) && !jobrec_priority_is_by_hand(job);
}

ENGINE_LOCKED static void remember(const job_record_t *job, uint32_t priority)
{
	const char *text = jobrec_reason_text(job);

	lowered.job_id = jobrec_id(job);
	lowered.priority = priority;
	snprintf(lowered.text, sizeof(lowered.text), "%s", text ? text : "");
	pthread_cond_signal(&put_on);
}

void lowered_set(struct slurm_writer *writer, job_record_t *job, bool main)
{
	uint32_t floor = lowered_floor();

	if (jobrec_priority(job) < floor) { /* second look: other features, say */
		if (lowered.job_id == jobrec_id(job))
			remember(job, lowered.priority);
		return;
	}
	if (!main || !is_safe(job, floor)) {
		if (!job_mark_is_kept())
			remember(job, 0);
		return;
	}
	remember(job, jobrec_priority(job));
	jobrec_set_priority(writer, job, floor - 1);
	if (floor == 1)
		jobrec_mark_lowered(writer, job, true);
}

/* The scheduler's pass holds the job lock until it ends. False: we are in charge no more, and who
 * ends that restores the job (start.c). */
ENGINE_LOCKED static bool wait_for_pass(void)
{
	slurmctld_lock_t job_write = {.job = WRITE_LOCK};
	struct slurm_writer *writer;

	engine_unlock();
	writer = slurm_writer_begin(job_write);
	engine_lock();
	if (!writer)
		return false;
	lowered_reset(writer, 0);
	slurm_writer_end(writer, job_write);
	return true;
}

static void *lowered_thread(void *unused)
{
	(void)unused;
	prctl(PR_SET_NAME, "maui-lowered", NULL, NULL, NULL);
	engine_lock();
	for (;;) {
		if (!lowered.job_id || !wait_for_pass())
			engine_wait(&put_on);
	}
	return NULL;
}

int lowered_start_thread(void)
{
	pthread_t thread;

	if (lowered.thread_running)
		return SLURM_SUCCESS;
	if (pthread_create(&thread, NULL, lowered_thread, NULL))
		return SLURM_ERROR;
	pthread_detach(thread);
	lowered.thread_running = true;
	return SLURM_SUCCESS;
}

const struct module lowered_module = {.configure = lowered_configure};
