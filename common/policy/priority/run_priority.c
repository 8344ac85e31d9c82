/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parameters: USAGEWEIGHT, USAGECAP, USAGE{CONSUMED,REMAINING,EXECUTIONTIME,PERCENT}{WEIGHT,CAP}.
 * Caps work as in the general equation (5.1.2); the original took other subcomponents' caps by
 * mistake.
 */
#include "common/policy/priority/run_priority.h"

#include "common/util/bounds.h"

/*
 * A job past its limit has a negative number of outstanding processor-seconds, as in the original.
 */
static void usage_factors(const struct maui_priority_job *job, int64_t started, int64_t now,
			  double *factor)
{
	double walltime = maui_amount(job->walltime), procs = maui_amount(job->procs);
	double elapsed = started > 0 ? (double)now - (double)started : 0;

	if (!(elapsed > 0))
		elapsed = 0;
	factor[0] = maui_bounded(procs * elapsed);
	factor[1] = started > 0 ? maui_bounded(procs * (walltime - elapsed)) : 0;
	factor[2] = elapsed;
	factor[3] = 100 * elapsed / (walltime > 1 ? walltime : 1);
}

double maui_run_priority(const struct maui_priority_job *job, int64_t started,
			 double start_priority, int64_t now, struct maui_priority_terms *terms)
{
	const struct maui_priority_weights *weights = job->weights;
	double factor[MAUI_SUBCOMPONENTS - MAUI_USAGE_CONSUMED], sum = 0;

	usage_factors(job, started, now, factor);
	for (int i = MAUI_USAGE_CONSUMED; i <= MAUI_USAGE_PERCENT; i++) {
		double *capped = &factor[i - MAUI_USAGE_CONSUMED];

		if (*capped > weights->sub_limit[i])
			*capped = weights->sub_limit[i];
		sum += weights->sub[i] * *capped;
		if (terms) {
			terms->factor[i] = *capped;
			terms->weight[i] = weights->sub[i];
		}
	}
	if (sum > weights->component_limit[MAUI_USAGE])
		sum = weights->component_limit[MAUI_USAGE];
	if (terms) {
		terms->component[MAUI_USAGE] = sum;
		terms->component_weight[MAUI_USAGE] = weights->component[MAUI_USAGE];
	}
	return weights->component[MAUI_USAGE] * sum + maui_bounded(start_priority);
}
