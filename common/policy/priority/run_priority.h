/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * USAGE: the priority of running jobs, by which preemptees are chosen (lower ones are better
 * victims). 5.1.2.
 */
#ifndef MAUI_POLICY_RUN_PRIORITY_H
#define MAUI_POLICY_RUN_PRIORITY_H

#include "common/policy/priority/priority.h"

/*
 * The start priority plus USAGEWEIGHT times the weighted usage terms: processor-seconds consumed
 * and remaining, seconds since the start, and percent of the limit consumed (the documented
 * formula; the original divided by the remaining time). started: epoch seconds; 0 or less: it does
 * not run. terms, if not NULL, gets the four factors, their weights and the component.
 */
double maui_run_priority(const struct maui_priority_job *job, int64_t started,
			 double start_priority, int64_t now, struct maui_priority_terms *terms);

#endif
