/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The attributes of a job that JOBATTRLIST checks: D-MAP-5. A job has those of JOBFLAGS' keywords
 *   - that QFLAGS of its QOS names (PREEMPTEE); a job without a QOS has the QOS DEFAULT
 *   - that its user names in the comment: x=FLAGS:PREEMPTEE, or several, separated by ',' ':'
 *     '|' or, in parentheses, blanks.
 * Other words are ignored: QFLAGS has more, and a comment may say anything.
 *
 * Compiled once per maui.cfg; one look-up by id per job, and no string but a comment with "x=".
 */
#ifndef MAUI_POLICY_JOB_ATTRIBUTES_H
#define MAUI_POLICY_JOB_ATTRIBUTES_H

#include <stdint.h>

#include "common/config/config.h"
#include "common/policy/limits/limits.h" /* struct maui_limit_names */

struct maui_job_attributes;

/* NULL if no QOS gives any. */
struct maui_job_attributes *maui_job_attributes_compile(const struct maui_config *config,
							const struct maui_limit_names *names);
/* Accepts NULL, returns NULL. */
struct maui_job_attributes *maui_job_attributes_free(struct maui_job_attributes *attributes);

/* Bits of maui_acl_attribute(). attributes and comment may be NULL. */
uint32_t maui_job_attributes(const struct maui_job_attributes *attributes, uint32_t qos,
			     const char *comment);

#endif
