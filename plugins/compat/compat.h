/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Slurm's records and what slurmctld does with them, and all that depends on
 * Slurm's version: for the four plugins, and for plugins/engine/slurm, which
 * the rest of the engine asks. Include it first; only plugins/engine/slurm asks
 * for the release, too.
 *
 * Where a type or a constant has another name in a later release, ours is the
 * later one, and this header gives it to the earlier releases: list_t,
 * list_itr_t, job_details_t, SELECT_LLN, SELECT_MEMORY.
 *
 * What differs. In 23.11:
 *   headers of plugins' interfaces are in src/interfaces; list_t, job_details_t
 *   the select plugin: job_signal, update_node_config, the texts of jobinfo and resv_test are gone;
 *     job_test takes a resv_exc_t
 *   the priority plugin: priority_p_recover, priority_p_thread_start; the caller of
 *     priority_p_get_priority_factors_list has the locks; what it fills in is prio_factors
 *   create_resv, update_resv and job_modify may say why they refuse; a reservation's counts are
 *     numbers; WAIT_BLOCK_MAX_ERR is free for reuse
 *   from 23.11.6 on: assoc_mgr_is_user_acct_coord takes is_locked; warn_flags' bit 11 is taken
 * In 24.11:
 *   src/common/job_record.h, part_record.h and job_state_reason.h; List and ListIterator are gone
 *   several QOS in one job: the priorities are partitions times QOS, in a record of their own
 *     (part_prio, from 24.11.7 on prio_mult)
 *   job_test takes a will_run_data_t; switch_record_cnt is topology/tree's; whole_node is bits
 *   priority_p_get_priority_factors_list has no request; warn_flags' bit 12 is taken
 *   job_state_reason_string for job_reason_string; node_name2bitmap may return what is invalid
 * In 25.05:
 *   the select plugin is slurmctld's alone, with 12 calls and no data of jobs, nodes and steps;
 *     no plugin is called when a step ends
 *   the preempt plugin: get_data is get_grace_time, get_mode and get_prio
 *   topologies have names; warn_flags' bit 13 is taken
 * In 25.11:
 *   CR_LLN is SELECT_LLN, CR_MEMORY is SELECT_MEMORY; priority_p_calc_fs_factor is gone; a
 *   job_desc_msg_t has its id in step_id; a job that was requeued may be expedited
 * In 26.05:
 *   the select plugin: job_mem_reduce; records have their id in step_id
 * In 26.11, a preview: nothing that we use. slurm-doors.md has what means something else.
 */
#ifndef MAUI_COMPAT_H
#define MAUI_COMPAT_H

#include "plugins/compat/base.h"

#include "src/common/assoc_mgr.h"
#if COMPAT_FROM(23, 11)
#include "src/common/job_features.h"
#include "src/interfaces/gres.h"
#include "src/interfaces/jobacct_gather.h"
#include "src/interfaces/mcs.h"
#include "src/interfaces/priority.h"
#include "src/interfaces/site_factor.h"
#include "src/interfaces/topology.h"
#else
#include "src/common/gres.h"
#include "src/common/site_factor.h"
#include "src/common/slurm_jobacct_gather.h"
#include "src/common/slurm_mcs.h"
#include "src/common/slurm_priority.h"
#endif
#if COMPAT_FROM(24, 11)
#include "src/common/job_record.h"
#include "src/common/job_state_reason.h"
#include "src/common/node_features.h"
#include "src/common/part_record.h"
#endif
#include "src/common/run_in_daemon.h"
#include "src/slurmctld/job_scheduler.h"
#include "src/slurmctld/proc_req.h"
#include "src/slurmctld/reservation.h"
#include "src/slurmctld/slurmctld.h"

/*
 * Data of slurmctld. Client commands (sshare) load the priority plugin, too, and do not have it: a
 * weak reference keeps the plugin loadable there. Nothing in a client ever follows one. In
 * slurmctld each has to exist: a weak reference to what a release no longer has is NULL.
 */
#pragma weak acct_db_conn
#pragma weak job_list
#pragma weak part_list
#pragma weak node_record_table_ptr
#pragma weak node_record_count
#pragma weak last_job_update
#pragma weak last_resv_update
#pragma weak resv_list
#pragma weak active_feature_list
#pragma weak avail_node_bitmap
#pragma weak slurmctld_config
#pragma weak slurmctld_tres_cnt
#pragma weak assoc_mgr_qos_list
#pragma weak assoc_mgr_assoc_list
#pragma weak assoc_mgr_root_assoc
#pragma weak g_user_assoc_count

#if !COMPAT_FROM(23, 11)
typedef struct job_details job_details_t;
#endif

#if !COMPAT_FROM(25, 11)
#define SELECT_LLN    CR_LLN
#define SELECT_MEMORY CR_MEMORY
#endif

/* Whether it goes before all others, as it was requeued with --requeue=expedite; from 25.11 on. */
static inline bool compat_is_expedited(const job_record_t *job)
{
#if COMPAT_FROM(25, 11)
	return job->job_state & JOB_EXPEDITING;
#else
	(void)job;
	return false;
#endif
}

/*
 * A job's priorities by partition, in the order of part_ptr_list; NULL if it has none of them. From
 * 24.11 on there is one for each QOS of the job in each partition. COMPAT_PRIO_MULT is the member
 * that has them, as the build has found it.
 */
#ifdef COMPAT_PRIO_MULT
#define compat_priority_array(job)                                                                 \
	((job)->COMPAT_PRIO_MULT ? (job)->COMPAT_PRIO_MULT->priority_array : NULL)
#else
#define compat_priority_array(job) ((job)->priority_array)
#endif

/* They go with the job's record. */
static inline void compat_free_priorities(job_record_t *job)
{
#ifdef COMPAT_PRIO_MULT
	if (job->COMPAT_PRIO_MULT)
		xfree(job->COMPAT_PRIO_MULT->priority_array);
	xfree(job->COMPAT_PRIO_MULT);
#else
	xfree(job->priority_array);
#endif
}

/* How many priorities a job has in each of its partitions, one after the other. */
static inline uint32_t compat_qos_count(const job_record_t *job)
{
#if COMPAT_FROM(24, 11)
	int count = job->qos_list ? list_count(job->qos_list) : 0;

	return count > 0 ? (uint32_t)count : 1;
#else
	(void)job;
	return 1;
#endif
}

/*
 * Its priority in the partition at that place of part_ptr_list: that of its first QOS there. The
 * array exists.
 */
static inline uint32_t compat_priority_at(const job_record_t *job, uint32_t position)
{
	return compat_priority_array(job)[(size_t)position * compat_qos_count(job)];
}

/*
 * Whether a job's nodes are its own alone, and how to make them so. From 24.11 on whole_node is a
 * set of bits, one of which asks for a whole block of nodes; before, 3 is another kind of
 * exclusive.
 */
static inline bool compat_wants_whole_nodes(const job_details_t *details)
{
#if COMPAT_FROM(24, 11)
	return details->whole_node & WHOLE_NODE_REQUIRED;
#else
	return details->whole_node == WHOLE_NODE_REQUIRED;
#endif
}

static inline void compat_take_whole_nodes(job_details_t *details)
{
#if COMPAT_FROM(24, 11)
	details->whole_node = (details->whole_node & WHOLE_TOPO) | WHOLE_NODE_REQUIRED;
#else
	details->whole_node = WHOLE_NODE_REQUIRED;
#endif
}

/* Set how many nodes and cores a reservation is to have. */
static inline void compat_resv_counts(resv_desc_msg_t *description, uint32_t nodes, uint32_t cores)
{
#if COMPAT_FROM(23, 11)
	description->node_cnt = nodes;
	description->core_cnt = cores;
#else
	description->node_cnt = xcalloc(2, sizeof(*description->node_cnt));
	description->node_cnt[0] = nodes;
	description->core_cnt = xcalloc(2, sizeof(*description->core_cnt));
	description->core_cnt[0] = cores;
#endif
}

static inline uint32_t compat_resv_cores(const resv_desc_msg_t *description)
{
#if COMPAT_FROM(23, 11)
	return description->core_cnt;
#else
	return description->core_cnt ? description->core_cnt[0] : 0;
#endif
}

/*
 * Whether a reservation's list of names has a node that has gone. Slurm 24.11 alone takes such a
 * list for good where the last name is a node, and then keeps list and count (node_name2bitmap()).
 */
static inline bool compat_resv_names_gone_node(const slurmctld_resv_t *reservation)
{
#if COMPAT_FROM(24, 11) && !COMPAT_FROM(25, 5)
	return reservation->node_bitmap &&
	       reservation->node_cnt != (uint32_t)bit_set_count(reservation->node_bitmap);
#else
	(void)reservation;
	return false;
#endif
}

/* Whether something that newer releases know bounds who may use a reservation. */
static inline bool compat_resv_narrows(const slurmctld_resv_t *reservation)
{
#if COMPAT_FROM(25, 11)
	return reservation->qos || reservation->allowed_parts;
#else
	(void)reservation;
	return false;
#endif
}

/* The flags that only newer releases clear in update_resv(). */
#if COMPAT_FROM(24, 11)
#define COMPAT_RESV_CLEARED RESERVE_FLAG_NO_USER_DEL
#else
#define COMPAT_RESV_CLEARED 0
#endif

/* In a job's warn_flags: we have set KILL_JOB_RESV. A bit that Slurm does not use, but saves with
 * the job. */
#define COMPAT_OUR_PASS (UINT16_C(1) << 14)

/* Slurm's own among these bits: the first nine everywhere, the others in some releases. */
#ifdef KILL_NO_CRON
#define COMPAT_KILL_NO_CRON KILL_NO_CRON
#else
#define COMPAT_KILL_NO_CRON 0
#endif
#ifdef KILL_JOBS_VERBOSE /* from 23.11.6 on */
#define COMPAT_KILL_FROM_23_11 (KILL_NO_SIG_FAIL | KILL_JOBS_VERBOSE)
#elif COMPAT_FROM(23, 11)
#define COMPAT_KILL_FROM_23_11 KILL_NO_SIG_FAIL
#else
#define COMPAT_KILL_FROM_23_11 0
#endif
#if COMPAT_FROM(24, 11)
#define COMPAT_KILL_FROM_24_11 KILL_CRON
#else
#define COMPAT_KILL_FROM_24_11 0
#endif
#if COMPAT_FROM(25, 5)
#define COMPAT_KILL_FROM_25_05 KILL_FAIL_JOB
#else
#define COMPAT_KILL_FROM_25_05 0
#endif
#define COMPAT_SLURMS_WARN_FLAGS                                                                   \
	(UINT16_C(0x1ff) | COMPAT_KILL_NO_CRON | COMPAT_KILL_FROM_23_11 | COMPAT_KILL_FROM_24_11 | \
	 COMPAT_KILL_FROM_25_05 | WARN_SENT)
_Static_assert(KILL_JOB_RESV == UINT16_C(1) << 8, "what is below KILL_JOB_RESV is Slurm's, too");
_Static_assert(!(COMPAT_SLURMS_WARN_FLAGS & COMPAT_OUR_PASS),
	       "Slurm has no use for our pass's bit");

/*
 * In a job's bit_flags, which Slurm saves with it, too: its priority is 0 for a moment, set by us.
 * Of these 64 bits Slurm names the first 36 in 22.05, and none above the 51st from 26.05 on.
 */
#define COMPAT_OUR_LOWERED SLURM_BIT(62)

/* From 23.11 on they may say why they refuse, which slurmctld's log has, too. */
#if COMPAT_FROM(23, 11)
#define COMPAT_RESV_PARAMETERS          (resv_desc_msg_t * resv_desc_ptr, char **err_msg)
#define compat_create_resv(description) create_resv(description, NULL)
#define compat_update_resv(description) update_resv(description, NULL)
#else
#define COMPAT_RESV_PARAMETERS          (resv_desc_msg_t * resv_desc_ptr)
#define compat_create_resv(description) create_resv(description)
#define compat_update_resv(description) update_resv(description)
#endif

/* A program that plays slurmctld says so to the plugins that it loads. */
static inline void compat_play_slurmctld(void)
{
#if COMPAT_FROM(25, 5)
	slurm_daemon = IS_SLURMCTLD;
#else
	xfree(slurm_prog_name);
	slurm_prog_name = xstrdup("slurmctld");
	running_in_slurmctld_reset();
#endif
}

/* The name of an enum job_state_reason. */
#if COMPAT_FROM(24, 11)
#define compat_reason(reason) job_state_reason_string(reason)
#else
#define compat_reason(reason) job_reason_string(reason)
#endif

/* The reason of jobs that were refused a start. Slurm itself gives it to no job. */
#if COMPAT_FROM(23, 11)
#define COMPAT_WAIT_REFUSED DEFUNCT_WAIT_34
#else
#define COMPAT_WAIT_REFUSED WAIT_BLOCK_MAX_ERR
#endif

/* The caller does not hold assoc_mgr's locks. */
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(23, 11, 6)
#define compat_is_coordinator(uid, account)                                                        \
	assoc_mgr_is_user_acct_coord(acct_db_conn, uid, account, false)
#else
#define compat_is_coordinator(uid, account) assoc_mgr_is_user_acct_coord(acct_db_conn, uid, account)
#endif

/* A bitmap of those names that are nodes; an error if one is not, unless the others are enough. */
#if COMPAT_FROM(24, 11)
#define compat_nodes_of_names(names, others_do, ret_nodes)                                         \
	node_name2bitmap(names, others_do, ret_nodes, NULL)
#else
#define compat_nodes_of_names(names, others_do, ret_nodes)                                         \
	node_name2bitmap(names, others_do, ret_nodes)
#endif

/*
 * The request of `sprio`, as far as the filter goes, the parameters of the function that answers
 * it, and whether its caller holds the locks of jobs, nodes, partitions and QOS. From 24.11 on the
 * caller filters, and there is no request: an empty one lets all pass.
 */
#if COMPAT_FROM(24, 11)
typedef struct {
	compat_list_t job_id_list;
	char *partitions;
	compat_list_t uid_list;
} compat_factors_request_t;
#define COMPAT_FACTORS_PARAMETERS (uid_t uid)
#define COMPAT_FACTORS_REQUEST    (&(compat_factors_request_t){0})
#else
typedef priority_factors_request_msg_t compat_factors_request_t;
#define COMPAT_FACTORS_PARAMETERS (compat_factors_request_t * request, uid_t uid)
/* 23.11's own sprio sends none; that of a release before it may. */
#define COMPAT_FACTORS_REQUEST    (request ? request : &(compat_factors_request_t){0})
#endif
#define COMPAT_FACTORS_LOCKED COMPAT_FROM(23, 11)

/*
 * What the answer says about a job in a partition: its name, which the object owns, its id, and
 * where the factors go. A job whose priority was set by hand has no factors.
 */
#if COMPAT_FROM(23, 11)
typedef priority_factors_t compat_factors_t;

static inline compat_factors_t *compat_factors(priority_factors_object_t *object)
{
	if (!object->prio_factors)
		object->prio_factors = xmalloc(sizeof(*object->prio_factors));
	return object->prio_factors;
}
#else
typedef priority_factors_object_t compat_factors_t;

static inline compat_factors_t *compat_factors(priority_factors_object_t *object)
{
	return object;
}
#endif

static inline void compat_factors_set_job(priority_factors_object_t *object, uint32_t job)
{
#if COMPAT_FROM(26, 5)
	object->step_id = SLURM_STEP_ID_INITIALIZER;
	object->step_id.job_id = job;
#else
	object->job_id = job;
#endif
}

static inline void compat_factors_free(void *object)
{
#if !COMPAT_FROM(23, 11)
	xfree(((priority_factors_object_t *)object)->partition);
#endif
	slurm_destroy_priority_factors_object(object);
}

/*
 * The calls of a priority plugin that not all releases have. From 23.11 on init() comes before
 * Slurm's records, and thread_start() after them; both with slurmctld's write locks held, except in
 * a backup that takes over. It is then up to the priority plugin to load the site_factor plugin.
 */
#define COMPAT_PRIORITY_STARTS_LATE (COMPAT_FROM(23, 11))
#define COMPAT_PRIORITY_FS_FACTOR   (!COMPAT_FROM(25, 11))

/* From 24.11 on a reconfiguration is a new process. */
#if COMPAT_FROM(24, 11)
#define compat_site_factor_reconfigure() ((void)0)
#else
#define compat_site_factor_reconfigure() site_factor_g_reconfig()
#endif

/* Before each GRES of tres_per_node and its like. */
#if COMPAT_FROM(23, 11)
#define COMPAT_GRES_PREFIX "gres/"
#else
#define COMPAT_GRES_PREFIX "gres:"
#endif

/* The two calls of a job_submit plugin; from 23.11 on the second may say why it refuses, too. */
#define COMPAT_JOB_SUBMIT int job_submit(job_desc_msg_t *job, uint32_t uid, char **error_text)
#if COMPAT_FROM(23, 11)
#define COMPAT_JOB_MODIFY                                                                          \
	int job_modify(job_desc_msg_t *job, job_record_t *record, uint32_t uid, char **error_text)
#define COMPAT_MODIFY_ERROR error_text
#else
#define COMPAT_JOB_MODIFY   int job_modify(job_desc_msg_t *job, job_record_t *record, uint32_t uid)
#define COMPAT_MODIFY_ERROR NULL
#endif
#define COMPAT_JOB_SUBMIT_DECLARE                                                                  \
	MAUI_EXPORT COMPAT_JOB_SUBMIT;                                                             \
	MAUI_EXPORT COMPAT_JOB_MODIFY;

#endif
