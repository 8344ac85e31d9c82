/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Computes how long a job overlaps an instance, decides access in the order of
 * rsv_access.h, and writes the reason as text.
 */
#include "common/policy/reservation/rsv_access.h"

#include <inttypes.h>
#include <stdio.h>

static int64_t rsv_access_min(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static int64_t rsv_access_max(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

int64_t maui_rsv_overlap(const struct maui_rsv_instance *instance, int64_t start, int64_t walltime,
			 int64_t now)
{
	int64_t length;

	walltime = rsv_access_min(rsv_access_max(walltime, 0), MAUI_INFINITY);
	if (start == MAUI_RSV_START_UNKNOWN)
		length = rsv_access_min(walltime,
					instance->end - rsv_access_max(instance->start, now));
	else
		length = rsv_access_min(instance->end,
					rsv_access_min(start, INT64_MAX - walltime) + walltime) -
			 rsv_access_max(instance->start, start);
	return rsv_access_max(length, 0);
}

static bool may_use(const struct maui_rsv_instance *instance, const struct maui_rsv_job *job)
{
	for (size_t i = 0; i < job->access_count; i++)
		if (job->access[i] &&
		    (job->access[i] == instance->name || job->access[i] == instance->standing))
			return true;
	return job->access_all;
}

static bool asks_for(const struct maui_rsv_instance *instance, const struct maui_rsv_job *job)
{
	return job->asks && (job->asks == instance->name || job->asks == instance->standing);
}

bool maui_rsv_admits(const struct maui_rsv_instance *instance, const struct maui_rsv_job *job,
		     int64_t overlap, struct maui_rsv_verdict *ret_verdict)
{
	struct maui_rsv_verdict verdict = {.affinity = MAUI_AFFINITY_NONE, .overlap = overlap};
	struct maui_acl_job asking = job->acl;

	if (may_use(instance, job)) {
		verdict.granted = true;
		verdict.affinity = MAUI_AFFINITY_POSITIVE;
		verdict.reason = MAUI_RSV_BY_ACCESS;
	} else if ((instance->by_name || job->by_name) && !asks_for(instance, job)) {
		verdict.reason = MAUI_RSV_BYNAME;
	} else if (job->asks && !asks_for(instance, job)) {
		verdict.reason = MAUI_RSV_ASKS_ANOTHER;
	} else {
		asking.duration = overlap;
		verdict.granted = maui_acl_evaluate(instance->acl, &asking, &verdict.acl);
		verdict.affinity = verdict.acl.affinity;
	}
	*ret_verdict = verdict;
	return verdict.granted;
}

bool maui_rsv_admits_at(const struct maui_rsv_instance *instance, const struct maui_rsv_job *job,
			int64_t now, struct maui_rsv_verdict *ret_verdict)
{
	int64_t overlap = maui_rsv_overlap(instance, job->start, job->walltime, now);

	if (overlap > 0)
		return maui_rsv_admits(instance, job, overlap, ret_verdict);
	*ret_verdict = (struct maui_rsv_verdict){
		.granted = true, .affinity = MAUI_AFFINITY_NONE, .reason = MAUI_RSV_NO_OVERLAP};
	return true;
}

const char *maui_rsv_text(const struct maui_rsv_instance *instance,
			  const struct maui_rsv_verdict *verdict, char text[MAUI_RSV_TEXT_SIZE])
{
	static const char *const texts[] = {
		[MAUI_RSV_BY_ACCESS] = "the job has been given access",
		[MAUI_RSV_BYNAME] = "it must be asked for by name",
		[MAUI_RSV_ASKS_ANOTHER] = "the job asks for another reservation",
		[MAUI_RSV_NO_OVERLAP] = "the job does not overlap it",
	};
	char why[MAUI_ACL_TEXT_SIZE];

	if (verdict->reason != MAUI_RSV_BY_ACL) {
		snprintf(text, MAUI_RSV_TEXT_SIZE, "%s", texts[verdict->reason]);
		return text;
	}
	maui_acl_text(instance->acl, &verdict->acl, why);
	if (maui_acl_has_duration(instance->acl))
		snprintf(text, MAUI_RSV_TEXT_SIZE, "%s (%" PRId64 " seconds in common)", why,
			 verdict->overlap);
	else
		snprintf(text, MAUI_RSV_TEXT_SIZE, "%s", why);
	return text;
}
