/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Records preemptions by array ID, or job ID without an array. Each iteration
 * drops those of jobs that have left the queue.
 */
#include "plugins/compat/base.h"

#include "plugins/engine/reservation/preempted.h"

#include "common/policy/preemption/preemptions.h"
#include "plugins/engine/api/preempt.h"
#include "plugins/engine/slurm/jobrec.h"

/* Slurm's job lock guards it: the write lock, or the read lock in the engine's thread. */
static struct maui_preemptions preempted;

/* A task that starts gets an id of its own, and the rest of its array keeps the old one. */
static uint32_t number_of(const job_record_t *job)
{
	uint32_t array = jobrec_array_id(job);

	return array ? array : jobrec_id(job);
}

void preempted_note(const job_record_t *job, compat_list_t victims)
{
	list_itr_t *iterator = list_iterator_create(victims);
	const job_record_t *victim;

	while ((victim = list_next(iterator)))
		maui_preemptions_add(&preempted, number_of(job), number_of(victim));
	list_iterator_destroy(iterator);
}

bool maui_engine_preempted_by(const job_record_t *job, const job_record_t *victim)
{
	return preempted.count &&
	       !maui_preemptions_allow(&preempted, number_of(job), number_of(victim));
}

static int preempted_see(job_record_t *job, void *context)
{
	(void)context;
	if (!jobrec_is_finished(job))
		maui_preemptions_see(&preempted, number_of(job));
	return 0;
}

static void preempted_collected(void)
{
	if (!preempted.count)
		return;
	maui_preemptions_look(&preempted);
	jobrec_each(preempted_see, NULL);
	maui_preemptions_forget(&preempted);
}

/* Another controller may have been at work. */
static void preempted_adopt(void)
{
	preempted = (struct maui_preemptions){.count = 0};
}

const struct module preempted_module = {.adopt = preempted_adopt, .collected = preempted_collected};
