/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a job needs of nodes, for those who order them. Job read lock. */
#ifndef MAUI_ENGINE_NODE_NEED_H
#define MAUI_ENGINE_NODE_NEED_H

#include "common/policy/nodes/nodealloc.h"
#include "plugins/compat/base.h"

/* The CPUs of one task, at least 1; 1 if there is no job. */
uint32_t node_need_cpus_per_task(const job_record_t *job);

/* job may be NULL; else the need refers to *local_job, whose texts are the record's. */
struct maui_nodealloc_need node_need_of(const job_record_t *job,
					struct maui_nodealloc_local_job *local_job);

#endif
