/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Slurm's records and what slurmctld does with them, and all that depends on Slurm's version: for
 * the four plugins, and for plugins/engine/slurm, which the rest of the engine asks. It comes first
 * in a file; no other file asks for the version.
 */
#ifndef MAUI_COMPAT_H
#define MAUI_COMPAT_H

#include "plugins/compat/base.h"

#include "slurm/slurm_version.h"

#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(22, 5, 0) ||                                          \
	SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(23, 2, 0)
#error "Slurm-Maui knows Slurm 22.05; other releases need their differences written down in this file"
#endif

#include "src/common/assoc_mgr.h"
#include "src/common/site_factor.h"
#include "src/common/slurm_jobacct_gather.h"
#include "src/common/slurm_mcs.h"
#include "src/common/slurm_priority.h"
#include "src/slurmctld/job_scheduler.h"
#include "src/slurmctld/proc_req.h"
#include "src/slurmctld/reservation.h"
#include "src/slurmctld/slurmctld.h"

/*
 * Data of slurmctld. Client commands (sshare) load the priority plugin, too, and do not have it: a
 * weak reference keeps the plugin loadable there. Nothing in a client ever follows one.
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

/* How many nodes and cores a reservation is to have; from 23.11 on these are plain numbers. */
static inline void compat_resv_counts(resv_desc_msg_t *description, uint32_t nodes, uint32_t cores)
{
	description->node_cnt = xcalloc(2, sizeof(*description->node_cnt));
	description->node_cnt[0] = nodes;
	description->core_cnt = xcalloc(2, sizeof(*description->core_cnt));
	description->core_cnt[0] = cores;
}

/* Of a job's warn_flags: that we have set KILL_JOB_RESV. A bit that Slurm has no use for, and saves
 * with the job. */
#define COMPAT_OUR_PASS (UINT16_C(1) << 14)

/* Another: its priority is 0 for a moment, and by us. */
#define COMPAT_OUR_VEIL (UINT16_C(1) << 13)

/* From 23.02 on they also say why they refuse. */
#define compat_create_resv(description) create_resv(description)
#define compat_update_resv(description) update_resv(description)

/* The name of an enum job_state_reason; from 24.05 on another function's. */
#define compat_reason(reason) job_reason_string(reason)

/* The request of `sprio`, as far as the filter goes. */
typedef priority_factors_request_msg_t compat_factors_request_t;

/* The two calls of a job_submit plugin; from 23.11 on the second may say why it refuses, too. */
#define COMPAT_JOB_SUBMIT   int job_submit(job_desc_msg_t *job, uint32_t uid, char **error_text)
#define COMPAT_JOB_MODIFY   int job_modify(job_desc_msg_t *job, job_record_t *record, uint32_t uid)
#define COMPAT_MODIFY_ERROR NULL
#define COMPAT_JOB_SUBMIT_DECLARE                                                                  \
	MAUI_EXPORT COMPAT_JOB_SUBMIT;                                                             \
	MAUI_EXPORT COMPAT_JOB_MODIFY;

#endif
