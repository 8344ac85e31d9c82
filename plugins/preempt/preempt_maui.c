/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * preempt/maui: FLAGS=OWNERPREEMPT of standing reservations. Jobs of the owner of a reservation may
 * preempt others on the owner's nodes; every other question, including how and in which order to
 * preempt, goes to the preempt plugin of Slurm that the site names. Without one nobody else is
 * preempted. No rule, of ours or of that plugin's, lets a job preempt who has preempted it.
 *
 * Slurm calls it with the job write lock held.
 */
#include "plugins/compat/preempt_api.h"

#include "plugins/engine/api/preempt.h"
#include "plugins/preempt/preempt_inner.h"

MAUI_EXPORT const char plugin_name[] = "Maui preemption by the owners of reservations";
MAUI_EXPORT const char plugin_type[] = "preempt/maui";
MAUI_EXPORT const uint32_t plugin_version = SLURM_VERSION_NUMBER;

MAUI_EXPORT int init(void);
MAUI_EXPORT void fini(void);
MAUI_EXPORT bool preempt_p_job_preempt_check(job_queue_rec_t *job, job_queue_rec_t *other);
MAUI_EXPORT bool preempt_p_preemptable(job_record_t *victim, job_record_t *job);
#if COMPAT_PREEMPT_GETS_DATA
MAUI_EXPORT int preempt_p_get_data(job_record_t *job, slurm_preempt_data_type_t type, void *data);
#else
MAUI_EXPORT uint32_t preempt_p_get_grace_time(job_record_t *job);
MAUI_EXPORT uint16_t preempt_p_get_mode(job_record_t *job);
MAUI_EXPORT uint32_t preempt_p_get_prio(job_record_t *job);
#endif

/*
 * If the named plugin fails, slurmctld goes on: a typo in slurm.conf costs that plugin's
 * preemption, and nothing more.
 */
int init(void)
{
	if (inner_load() != SLURM_SUCCESS)
		error("%s: nobody is preempted except by OWNERPREEMPT", plugin_type);
	maui_engine_preempt_loaded(true, inner());
	verbose("%s loaded", plugin_type);
	return SLURM_SUCCESS;
}

void fini(void)
{
	maui_engine_preempt_loaded(false, false);
	inner_unload();
}

static uint16_t mode_of(job_record_t *job)
{
	uint16_t mode = slurm_conf.preempt_mode;

	if (inner() && !compat_preempt_mode(inner(), job, &mode))
		return PREEMPT_MODE_OFF;
	return COMPAT_PREEMPT_MODE(mode);
}

/*
 * Slurm sorts its queue by this. A job that has taken something back goes first, and must do so
 * against every other job; otherwise the owner's jobs are placed by their priority.
 */
bool preempt_p_job_preempt_check(job_queue_rec_t *job, job_queue_rec_t *other)
{
	if (maui_engine_goes_first(job->job_ptr, other->job_ptr))
		return true;
	if (!inner() || maui_engine_goes_first(other->job_ptr, job->job_ptr))
		return false;
	return inner()->job_preempt_check(job, other);
}

/*
 * Owners also spare a partition or QOS whose jobs are not to be preempted; and a suspended job
 * would keep the node's memory, and outside gang scheduling its processors.
 */
static bool can_be_moved(job_record_t *victim)
{
	uint16_t mode = mode_of(victim);

	return mode == PREEMPT_MODE_REQUEUE || mode == PREEMPT_MODE_CANCEL;
}

bool preempt_p_preemptable(job_record_t *victim, job_record_t *job)
{
	if (maui_engine_preempted_by(job, victim))
		return false;
	if (maui_engine_owner_preempts(job, victim) && can_be_moved(victim))
		return true;
	return inner() && inner()->preemptable(victim, job);
}

#if COMPAT_PREEMPT_GETS_DATA
int preempt_p_get_data(job_record_t *job, slurm_preempt_data_type_t type, void *data)
{
	if (inner())
		return inner()->get_data(job, type, data);
	switch (type) {
	case PREEMPT_DATA_ENABLED:
		*(bool *)data = COMPAT_PREEMPT_MODE(slurm_conf.preempt_mode) != PREEMPT_MODE_OFF;
		break;
	case PREEMPT_DATA_MODE:
		*(uint16_t *)data = mode_of(job);
		break;
	case PREEMPT_DATA_PRIO:
		*(uint32_t *)data = maui_engine_victim_order(job);
		break;
	case PREEMPT_DATA_GRACE_TIME:
		*(uint32_t *)data = 0;
		break;
	default:
		error("preempt/maui: unknown request from Slurm: %d", (int)type);
		return SLURM_ERROR;
	}
	return SLURM_SUCCESS;
}
#else
uint32_t preempt_p_get_grace_time(job_record_t *job)
{
	return inner() ? inner()->get_grace_time(job) : 0;
}

uint16_t preempt_p_get_mode(job_record_t *job)
{
	return inner() ? inner()->get_mode(job) : mode_of(job);
}

uint32_t preempt_p_get_prio(job_record_t *job)
{
	return inner() ? inner()->get_prio(job) : maui_engine_victim_order(job);
}
#endif
