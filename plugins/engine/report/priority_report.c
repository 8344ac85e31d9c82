/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Filters the jobs of the snapshot, sorts them by priority, and computes the
 * terms of each again with maui_priority_evaluate().
 */
#include "plugins/compat/base.h"

#include "plugins/engine/report/priority_report.h"

#include <stdlib.h>
#include <string.h>

#include "common/report/report.h"
#include "common/util/memory.h"
#include "plugins/engine/report/name_texts.h"
#include "plugins/engine/slurm/jobrec.h"

#define MAX_ANSWER_JOBS 20000 /* about 50 MB of text; larger queues: by user, partition or job */

/* ---- one job ---- */

static const char *const state_names[] = {
	[MAUI_ROW_IDLE] = "idle",
	[MAUI_ROW_HELD] = "held",
	[MAUI_ROW_DIRECT] = "direct",
	[MAUI_ROW_REJECTED] = "rejected",
};

static struct json_object *job_object(const struct maui_snapshot *snapshot, size_t at,
				      struct job_labels *labels)
{
	const struct maui_snapshot_row *row = &snapshot->rows[at];
	const struct maui_priority_job *job = &snapshot->jobs[at];
	const struct maui_frozen_names *names = &snapshot->names;
	struct json_object *object = json_make_object();
	struct maui_priority_terms terms;

	maui_priority_evaluate(snapshot->policy->priority, &names->tables, job, snapshot->time,
			       &terms);
	job_json(object, labels, at);
	json_set_text(object, "partition", names->text[MAUI_CLASS][job->credential[MAUI_CLASS]]);
	json_set_number(object, "priority", row->priority);
	json_set_number(object, "slurm_priority", row->slurm_priority);
	json_set_text(object, "slurm_reason",
		      row->reason == WAIT_NO_REASON ? NULL : jobrec_reason_name(row->reason));
	json_set_number(object, "maui_priority", terms.priority);
	json_set_real(object, "sum", terms.sum);
	json_set_number(object, "base", snapshot->policy->base);
	json_set_number(object, "nice", row->nice);
	json_set_number(object, "site", row->site_factor);
	json_set_number(object, "queued_since", job->queued_since);
	json_set_real(object, "pe", job->pe);
	json_set_number(object, "bypass", (int64_t)job->bypass);
	json_set_text(object, "state", state_names[row->state]);
	json_set_flag(object, "system_priority",
		      job->system_priority_mode != MAUI_NO_SYSTEM_PRIORITY ||
			      row->site_factor); /* a relative one */
	json_set_flag(object, "rejected", terms.rejected);
	json_set(object, "components", maui_report_terms(&terms));
	return object;
}

/* ---- all of them ---- */

struct ranked {
	uint32_t priority;
	size_t at;
};

/* Highest first; ties in order of arrival. */
static int by_rank(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;

	if (x->priority != y->priority)
		return x->priority < y->priority ? 1 : -1;
	return (x->at > y->at) - (x->at < y->at);
}

static size_t priority_report_rank(const struct maui_snapshot *snapshot,
				   const struct job_query *query, struct ranked *ranked)
{
	struct job_privacy privacy = job_privacy_for(snapshot, query);
	size_t count = 0;

	for (size_t at = 0; at < snapshot->count; at++)
		if (job_query_asks_for(snapshot, at, query) &&
		    job_privacy_lets(&privacy, snapshot, at))
			ranked[count++] =
				(struct ranked){.priority = snapshot->rows[at].priority, .at = at};
	free(privacy.coordinator);
	qsort(ranked, count, sizeof(*ranked), by_rank);
	return count;
}

struct json_object *priority_report(const struct maui_snapshot *snapshot,
				    const struct job_query *query)
{
	const struct maui_priority_weights *weights =
		maui_priority_weights(snapshot->policy->priority, query->partition);
	struct ranked *ranked = maui_calloc(snapshot->count + 1, sizeof(*ranked));
	struct job_labels labels = job_labels_make(snapshot, true);
	size_t found = priority_report_rank(snapshot, query, ranked);
	size_t count = found < MAX_ANSWER_JOBS ? found : MAX_ANSWER_JOBS;
	struct json_object *data = json_make_object();
	struct json_object *jobs = json_make_array();

	json_set_text(data, "partition", query->partition ? query->partition : "ALL");
	json_set(data, "components", maui_report_weights(weights, snapshot->policy->config));
	for (size_t i = 0; i < count; i++)
		json_append(jobs, job_object(snapshot, ranked[i].at, &labels));
	json_set(data, "jobs", jobs);
	json_set_number(data, "omitted", (int64_t)(found - count));
	name_texts_add_unanswered(data, labels.unanswered + query->unanswered);
	job_labels_clear(&labels);
	free(ranked);
	return data;
}
