/* SPDX-License-Identifier: GPL-2.0-or-later */
/* GrpTRESRunMins: what a job that ends has not used of the time that was set aside for it. */
#ifndef MAUI_PRIORITY_UNUSED_USAGE_H
#define MAUI_PRIORITY_UNUSED_USAGE_H

#include "plugins/compat/compat.h"

/* Give the job's whole reserved TRES-seconds back to its QOS and its associations up to the root. Job write lock, node
 * read lock; takes the association manager's locks. */
void unused_usage_release(const job_record_t *job);

#endif
