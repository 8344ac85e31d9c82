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
	const uint32_t *credential = job->credential;
	struct json_object *object = json_object_new_object();
	struct maui_priority_terms terms;

	maui_priority_evaluate(snapshot->policy->priority, &names->tables, job, snapshot->time,
			       &terms);
	json_object_object_add(object, "job", json_object_new_int64(row->job_id));
	job_json_array(object, row);
	job_json_text(object, "user", job_user_label(labels, snapshot, credential[MAUI_USER]));
	job_json_text(object, "group", job_group_label(labels, snapshot, credential[MAUI_GROUP]));
	job_json_text(object, "account", names->text[MAUI_ACCOUNT][credential[MAUI_ACCOUNT]]);
	job_json_text(object, "qos", names->text[MAUI_QOS][credential[MAUI_QOS]]);
	job_json_text(object, "partition", names->text[MAUI_CLASS][credential[MAUI_CLASS]]);
	json_object_object_add(object, "priority", json_object_new_int64(row->priority));
	json_object_object_add(object, "slurm_priority",
			       json_object_new_int64(row->slurm_priority));
	job_json_text(object, "slurm_reason",
		      row->reason == WAIT_NO_REASON ? NULL : jobrec_reason_name(row->reason));
	json_object_object_add(object, "maui_priority", json_object_new_int64(terms.priority));
	json_object_object_add(object, "sum", json_object_new_double(terms.sum));
	json_object_object_add(object, "base", json_object_new_int64(snapshot->policy->base));
	json_object_object_add(object, "nice", json_object_new_int64(row->nice));
	json_object_object_add(object, "site", json_object_new_int64(row->site_factor));
	json_object_object_add(object, "queued_since", json_object_new_int64(job->queued_since));
	json_object_object_add(object, "pe", json_object_new_double(job->pe));
	json_object_object_add(object, "bypass", json_object_new_int64((int64_t)job->bypass));
	job_json_text(object, "state", state_names[row->state]);
	json_object_object_add(
		object, "system_priority",
		json_object_new_boolean(job->system_priority_mode != MAUI_NO_SYSTEM_PRIORITY ||
					row->site_factor)); /* a relative one */
	json_object_object_add(object, "rejected", json_object_new_boolean(terms.rejected));
	json_object_object_add(object, "components", maui_report_terms(&terms));
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

static size_t rank(const struct maui_snapshot *snapshot, const struct job_query *query,
		   struct ranked *ranked)
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
	struct job_labels labels = {
		.user = maui_calloc(snapshot->names.count[MAUI_USER] + 1, sizeof(char *)),
		.group = maui_calloc(snapshot->names.count[MAUI_GROUP] + 1, sizeof(char *)),
	};
	size_t found = rank(snapshot, query, ranked);
	size_t count = found < MAX_ANSWER_JOBS ? found : MAX_ANSWER_JOBS;
	struct json_object *data = json_object_new_object();
	struct json_object *jobs = json_object_new_array_ext((int)count);

	job_json_text(data, "partition", query->partition ? query->partition : "ALL");
	json_object_object_add(data, "components",
			       maui_report_weights(weights, snapshot->policy->config));
	for (size_t i = 0; i < count; i++)
		json_object_array_add(jobs, job_object(snapshot, ranked[i].at, &labels));
	json_object_object_add(data, "jobs", jobs);
	json_object_object_add(data, "omitted", json_object_new_int64((int64_t)(found - count)));
	name_texts_add_unanswered(data, labels.unanswered + query->unanswered);
	job_labels_clear(&labels, snapshot);
	free(ranked);
	return data;
}
