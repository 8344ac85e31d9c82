/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * priority/maui: where Slurm calls the engine. Its init, or thread_start where there is one, and
 * fini bracket primary mode; everything else is passed on. Client commands (sshare) load this file,
 * too: there init does nothing.
 */
#include "plugins/compat/compat.h"

#include "common/util/list.h"
#include "plugins/engine/api/engine.h"
#include "plugins/priority/columns.h"

#include "src/common/run_in_daemon.h"

MAUI_EXPORT const char plugin_name[] = "Maui priority plugin";
MAUI_EXPORT const char plugin_type[] = "priority/maui";
MAUI_EXPORT const uint32_t plugin_version = SLURM_VERSION_NUMBER;

MAUI_EXPORT int init(void);
MAUI_EXPORT int fini(void);
MAUI_EXPORT uint32_t priority_p_set(uint32_t last_priority, job_record_t *job);
MAUI_EXPORT void priority_p_reconfig(bool assoc_clear);
MAUI_EXPORT void priority_p_set_assoc_usage(slurmdb_assoc_rec_t *assoc);
#if COMPAT_PRIORITY_FS_FACTOR
MAUI_EXPORT double priority_p_calc_fs_factor(long double usage, long double shares);
#endif
#if COMPAT_PRIORITY_STARTS_LATE
MAUI_EXPORT uint32_t priority_p_recover(uint32_t boost);
MAUI_EXPORT int priority_p_thread_start(void);
#endif
MAUI_EXPORT compat_list_t priority_p_get_priority_factors_list COMPAT_FACTORS_PARAMETERS;
MAUI_EXPORT void priority_p_job_end(job_record_t *job);

int init(void)
{
	if (!running_in_slurmctld())
		return SLURM_SUCCESS;
	if (!maui_engine_fits(plugin_type))
		return SLURM_ERROR;
	verbose("%s: %s loaded", plugin_type, plugin_name);
#if COMPAT_PRIORITY_STARTS_LATE
	return site_factor_g_init();
#else
	return maui_engine_start();
#endif
}

#if COMPAT_PRIORITY_STARTS_LATE
/* For plugins that count down. */
uint32_t priority_p_recover(uint32_t boost)
{
	(void)boost;
	return 0;
}

/* Slurm does not look at what it returns, and goes on. */
int priority_p_thread_start(void)
{
	int status = maui_engine_start();

	if (status != SLURM_SUCCESS)
		error("%s: the engine does not start: no policy of Maui is in force until "
		      "slurmctld is restarted",
		      plugin_type);
	return status;
}
#endif

int fini(void)
{
	if (!running_in_slurmctld())
		return SLURM_SUCCESS;
	maui_engine_stop();
#if COMPAT_PRIORITY_STARTS_LATE
	site_factor_g_fini();
#endif
	return SLURM_SUCCESS;
}

uint32_t priority_p_set(uint32_t last_priority, job_record_t *job)
{
	(void)last_priority; /* for plugins that count down */
	site_factor_g_set(job);
	return maui_engine_set_priority(job);
}

void priority_p_reconfig(bool assoc_clear)
{
	compat_site_factor_reconfigure();
	if (assoc_clear)
		maui_engine_usage_cleared();
	maui_engine_reconfigure();
}

void priority_p_set_assoc_usage(slurmdb_assoc_rec_t *assoc)
{
	maui_engine_set_assoc_usage(assoc);
}

#if COMPAT_PRIORITY_FS_FACTOR
/*
 * sshare's FairShare column with the classic algorithm, computed in the client, and the value that
 * a QOS's UsageThreshold is compared with. Maui's fairshare is a different one.
 */
double priority_p_calc_fs_factor(long double usage, long double shares)
{
	return maui_engine_classic_factor(usage, shares);
}
#endif

void priority_p_job_end(job_record_t *job)
{
	maui_engine_job_end(job);
}

/* ---- sprio ---- */

struct factors_walk {
	compat_factors_request_t *request;
	uid_t uid;
	bool sees_all;
	compat_list_t factors;
	const job_record_t *job;
	uint32_t position;
};

static int same_number(void *object, void *key)
{
	return *(uint32_t *)object == *(uint32_t *)key;
}

static bool priority_maui_listed(compat_list_t list, uint32_t number)
{
	return !list || list_find_first(list, same_number, &number);
}

/* Whether a name is in a comma-separated list; NULL includes every name. */
static bool priority_maui_named(const char *list, const char *name)
{
	return !list || maui_list_has(list, name);
}

/* PrivateData=jobs, as squeue applies it. */
static bool priority_maui_visible(const struct factors_walk *walk, job_record_t *job)
{
	if (walk->sees_all || job->user_id == walk->uid)
		return true;
	if (slurm_mcs_get_privatedata())
		return !mcs_g_check_mcs_label(walk->uid, job->mcs_label, false);
	return compat_is_coordinator(walk->uid, job->account);
}

static void fill_columns(priority_factors_object_t *object, const job_record_t *job,
			 const part_record_t *partition, uint32_t priority)
{
	struct maui_engine_terms terms;
	struct priority_columns columns;
	compat_factors_t *factors = compat_factors(object);

	maui_engine_terms(job, partition, COMPAT_FACTORS_LOCKED, &terms);
	priority_columns(&terms.result, terms.base, terms.site_factor, terms.nice,
			 terms.behind ? terms.behind : priority, &columns);
	factors->priority_age = (double)columns.age;
	factors->priority_assoc = (double)columns.association;
	factors->priority_fs = (double)columns.fairshare;
	factors->priority_js = (double)columns.job_size;
	factors->priority_part = (double)columns.partition;
	factors->priority_qos = (double)columns.qos;
	factors->priority_site = (uint32_t)(columns.site + NICE_OFFSET);
	factors->nice = (uint32_t)(terms.nice + NICE_OFFSET);
}

static int add_partition(void *element, void *context)
{
	part_record_t *partition = element;
	struct factors_walk *walk = context;
	const job_record_t *job = walk->job;
	uint32_t position = walk->position++, priority = job->priority;
	priority_factors_object_t *object;

	if (!priority_maui_named(walk->request->partitions, partition->name))
		return 0;
	if (job->part_ptr_list && compat_priority_array(job))
		priority = compat_priority_at(job, position);
	object = xmalloc(sizeof(*object));
	compat_factors_set_job(object, job->job_id);
	object->user_id = job->user_id;
	/* Not the partition's own: the message may be packed after the locks are released. */
	object->partition = xstrdup(partition->name);
	if (job->direct_set_prio)
		object->direct_prio = job->priority;
	else
		fill_columns(object, job, partition, priority);
	list_append(walk->factors, object);
	return 0;
}

static int add_job(void *element, void *context)
{
	job_record_t *job = element;
	struct factors_walk *walk = context;

	if (!IS_JOB_PENDING(job) || IS_JOB_REVOKED(job) || job->priority == 0)
		return 0;
	if (!priority_maui_listed(walk->request->job_id_list, job->job_id) ||
	    !priority_maui_listed(walk->request->uid_list, job->user_id) ||
	    !priority_maui_visible(walk, job))
		return 0;
	walk->job = job;
	walk->position = 0;
	if (job->part_ptr_list)
		list_for_each_ro(job->part_ptr_list, add_partition, walk);
	else if (job->part_ptr)
		add_partition(job->part_ptr, walk);
	return 0;
}

compat_list_t priority_p_get_priority_factors_list COMPAT_FACTORS_PARAMETERS
{
	slurmctld_lock_t records_read = {.job = READ_LOCK, .node = READ_LOCK, .part = READ_LOCK};
	struct factors_walk walk = {.request = COMPAT_FACTORS_REQUEST, .uid = uid};

	walk.factors = list_create(compat_factors_free);
	if (!COMPAT_FACTORS_LOCKED)
		lock_slurmctld(records_read);
	walk.sees_all = !(slurm_conf.private_data & PRIVATE_DATA_JOBS) || validate_operator(uid);
	if (job_list)
		list_for_each_ro(job_list, add_job, &walk);
	if (!COMPAT_FACTORS_LOCKED)
		unlock_slurmctld(records_read);
	if (!list_count(walk.factors))
		FREE_NULL_LIST(walk.factors);
	return walk.factors;
}
