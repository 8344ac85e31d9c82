/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/compat/compat.h"

#include "plugins/engine/priority_report.h"

#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>

#include "common/report/report.h"

#define MAX_FILTER_JOBS 4096
#define MAX_ANSWER_JOBS 20000 /* some 50 MB of text; who has more asks by user, partition or job */

/* ---- the filter ---- */

static int by_id(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

static const char *read_jobs(struct json_object *list, struct priority_filter *filter)
{
	size_t count;

	if (!json_object_is_type(list, json_type_array))
		return "jobs is not an array";
	count = json_object_array_length(list);
	if (count > MAX_FILTER_JOBS)
		return "more than 4096 jobs asked for by number";
	filter->jobs = calloc(count + 1, sizeof(*filter->jobs));
	if (!filter->jobs)
		return "out of memory";
	for (size_t i = 0; i < count; i++) {
		struct json_object *id = json_object_array_get_idx(list, i);

		if (!json_object_is_type(id, json_type_int) || json_object_get_int64(id) < 0 ||
		    json_object_get_int64(id) > UINT32_MAX)
			return "jobs holds something that is no job id";
		filter->jobs[filter->job_count++] = (uint32_t)json_object_get_int64(id);
	}
	qsort(filter->jobs, filter->job_count, sizeof(*filter->jobs), by_id);
	return NULL;
}

static const char *read_user(const char *name, struct priority_filter *filter)
{
	struct passwd record, *found = NULL;
	char buffer[16384], *end;
	unsigned long number;

	filter->by_user = true;
	if (!getpwnam_r(name, &record, buffer, sizeof(buffer), &found) && found) {
		filter->user = found->pw_uid;
		return NULL;
	}
	errno = 0;
	number = strtoul(name, &end, 10);
	if (end == name || *end || errno || *name == '-' || number > UINT32_MAX)
		return "this machine knows no such user";
	filter->user = (uint32_t)number;
	return NULL;
}

const char *priority_filter_read(struct json_object *arguments, struct priority_filter *filter)
{
	struct json_object *member;
	const char *wrong = NULL;

	if (!arguments)
		return NULL;
	if (json_object_object_get_ex(arguments, "partition", &member) && member)
		filter->partition = json_object_get_string(member);
	if (json_object_object_get_ex(arguments, "user", &member) && member)
		wrong = read_user(json_object_get_string(member), filter);
	if (!wrong && json_object_object_get_ex(arguments, "jobs", &member) && member)
		wrong = read_jobs(member, filter);
	if (wrong)
		priority_filter_clear(filter);
	return wrong;
}

bool priority_filter_applies(const struct priority_filter *filter, const struct snapshot *snapshot)
{
	const struct frozen_names *names = &snapshot->names;

	if (!filter->partition)
		return true;
	for (uint32_t id = 1; id <= names->count[MAUI_CLASS]; id++)
		if (!strcmp(names->text[MAUI_CLASS][id], filter->partition))
			return true;
	return false;
}

void priority_filter_clear(struct priority_filter *filter)
{
	free(filter->jobs);
	filter->jobs = NULL;
	filter->job_count = 0;
}

static bool asked_for(const struct snapshot *snapshot, size_t at,
		      const struct priority_filter *filter)
{
	const struct snapshot_row *row = &snapshot->rows[at];
	const uint32_t *credential = snapshot->jobs[at].credential;
	const char *class = snapshot->names.text[MAUI_CLASS][credential[MAUI_CLASS]];

	if (filter->partition && (!class || strcmp(class, filter->partition)))
		return false;
	if (filter->by_user &&
	    snapshot->names.number[MAUI_USER][credential[MAUI_USER]] != filter->user)
		return false;
	return !filter->jobs ||
	       bsearch(&row->job_id, filter->jobs, filter->job_count, sizeof(row->job_id), by_id) ||
	       (row->array_job_id && bsearch(&row->array_job_id, filter->jobs, filter->job_count,
					     sizeof(row->array_job_id), by_id));
}

/* ---- PrivateData=jobs, as squeue and sprio apply it ---- */

struct privacy {
	bool applies;
	uid_t uid;
	signed char *coordinator; /* by account: 1 yes, -1 no, 0 not asked yet */
};

static struct privacy privacy_for(const struct snapshot *snapshot,
				  const struct priority_filter *filter)
{
	struct privacy privacy = {.uid = filter->uid};

	privacy.applies = (slurm_conf.private_data & PRIVATE_DATA_JOBS) && !filter->sees_all &&
			  !validate_operator(filter->uid);
	if (privacy.applies)
		privacy.coordinator = calloc(snapshot->names.count[MAUI_ACCOUNT] + 1, 1);
	return privacy;
}

static bool visible(struct privacy *privacy, const struct snapshot *snapshot, size_t at)
{
	const uint32_t *credential = snapshot->jobs[at].credential;
	uint32_t account = credential[MAUI_ACCOUNT];

	if (!privacy->applies ||
	    snapshot->names.number[MAUI_USER][credential[MAUI_USER]] == privacy->uid)
		return true;
	if (!account || !privacy->coordinator)
		return false;
	if (!privacy->coordinator[account]) {
		/* Slurm's interface takes a char *, and only reads it. */
		char *name = strdup(snapshot->names.text[MAUI_ACCOUNT][account]);

		privacy->coordinator[account] =
			name && assoc_mgr_is_user_acct_coord(acct_db_conn, privacy->uid, name) ? 1
											       : -1;
		free(name);
	}
	return privacy->coordinator[account] > 0;
}

/* ---- names of numbers, asked for once an answer ---- */

struct labels {
	char **user, **group; /* by interned id; NULL: not asked yet */
};

static const char *user_label(struct labels *labels, const struct snapshot *snapshot, uint32_t id)
{
	uint32_t uid = snapshot->names.number[MAUI_USER][id];
	struct passwd record, *found = NULL;
	char buffer[16384];

	if (labels->user[id])
		return labels->user[id];
	if (!getpwuid_r(uid, &record, buffer, sizeof(buffer), &found) && found)
		labels->user[id] = strdup(found->pw_name);
	else if (asprintf(&labels->user[id], "%u", uid) < 0)
		labels->user[id] = NULL;
	return labels->user[id];
}

static const char *group_label(struct labels *labels, const struct snapshot *snapshot, uint32_t id)
{
	uint32_t gid = snapshot->names.number[MAUI_GROUP][id];
	struct group record, *found = NULL;
	char buffer[65536];

	if (labels->group[id])
		return labels->group[id];
	if (!getgrgid_r(gid, &record, buffer, sizeof(buffer), &found) && found)
		labels->group[id] = strdup(found->gr_name);
	else if (asprintf(&labels->group[id], "%u", gid) < 0)
		labels->group[id] = NULL;
	return labels->group[id];
}

static void labels_clear(struct labels *labels, const struct snapshot *snapshot)
{
	for (uint32_t id = 0; labels->user && id <= snapshot->names.count[MAUI_USER]; id++)
		free(labels->user[id]);
	for (uint32_t id = 0; labels->group && id <= snapshot->names.count[MAUI_GROUP]; id++)
		free(labels->group[id]);
	free(labels->user);
	free(labels->group);
}

/* ---- one job ---- */

static const char *const state_names[] = {
	[ROW_IDLE] = "idle",
	[ROW_HELD] = "held",
	[ROW_DIRECT] = "direct",
	[ROW_REJECTED] = "rejected",
};

static void add_text(struct json_object *object, const char *name, const char *text)
{
	json_object_object_add(object, name, text ? json_object_new_string(text) : NULL);
}

static void add_array(struct json_object *object, const struct snapshot_row *row)
{
	char text[80];

	if (row->array_task_id != NO_VAL)
		snprintf(text, sizeof(text), "%u_%u", row->array_job_id, row->array_task_id);
	else
		snprintf(text, sizeof(text), "%u_[%s]", row->array_job_id,
			 row->tasks ? row->tasks : "");
	add_text(object, "array", row->array_job_id ? text : NULL);
}

static struct json_object *job_object(const struct snapshot *snapshot, size_t at,
				      struct labels *labels)
{
	const struct snapshot_row *row = &snapshot->rows[at];
	const struct maui_priority_job *job = &snapshot->jobs[at];
	const struct frozen_names *names = &snapshot->names;
	const uint32_t *credential = job->credential;
	struct json_object *object = json_object_new_object();
	struct maui_priority_terms terms;

	maui_priority_evaluate(snapshot->policy->priority, &names->tables, job, snapshot->time,
			       &terms);
	json_object_object_add(object, "job", json_object_new_int64(row->job_id));
	add_array(object, row);
	add_text(object, "user", user_label(labels, snapshot, credential[MAUI_USER]));
	add_text(object, "group", group_label(labels, snapshot, credential[MAUI_GROUP]));
	add_text(object, "account", names->text[MAUI_ACCOUNT][credential[MAUI_ACCOUNT]]);
	add_text(object, "qos", names->text[MAUI_QOS][credential[MAUI_QOS]]);
	add_text(object, "partition", names->text[MAUI_CLASS][credential[MAUI_CLASS]]);
	json_object_object_add(object, "priority", json_object_new_int64(row->priority));
	json_object_object_add(object, "maui_priority", json_object_new_int64(terms.priority));
	json_object_object_add(object, "sum", json_object_new_double(terms.sum));
	json_object_object_add(object, "base", json_object_new_int64(snapshot->policy->base));
	json_object_object_add(object, "nice", json_object_new_int64(row->nice));
	json_object_object_add(object, "site", json_object_new_int64(row->site_factor));
	json_object_object_add(object, "queued_since", json_object_new_int64(job->queued_since));
	json_object_object_add(object, "bypass", json_object_new_int64((int64_t)job->bypass));
	add_text(object, "state", state_names[row->state]);
	json_object_object_add(
		object, "system_priority",
		json_object_new_boolean(job->system_priority_mode != MAUI_NO_SYSTEM_PRIORITY));
	json_object_object_add(object, "rejected", json_object_new_boolean(terms.rejected));
	json_object_object_add(object, "components", maui_report_terms(&terms));
	return object;
}

/* ---- all of them ---- */

struct ranked {
	uint32_t priority;
	size_t at;
};

/* Highest first; ties in the order of arrival. */
static int by_rank(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;

	if (x->priority != y->priority)
		return x->priority < y->priority ? 1 : -1;
	return (x->at > y->at) - (x->at < y->at);
}

static size_t rank(const struct snapshot *snapshot, const struct priority_filter *filter,
		   struct ranked *ranked)
{
	struct privacy privacy = privacy_for(snapshot, filter);
	size_t count = 0;

	for (size_t at = 0; at < snapshot->count; at++)
		if (asked_for(snapshot, at, filter) && visible(&privacy, snapshot, at))
			ranked[count++] =
				(struct ranked){.priority = snapshot->rows[at].priority, .at = at};
	free(privacy.coordinator);
	qsort(ranked, count, sizeof(*ranked), by_rank);
	return count;
}

struct json_object *priority_report(const struct snapshot *snapshot,
				    const struct priority_filter *filter)
{
	const struct maui_priority_weights *weights =
		maui_priority_weights(snapshot->policy->priority, filter->partition);
	struct ranked *ranked = calloc(snapshot->count + 1, sizeof(*ranked));
	struct labels labels = {
		.user = calloc(snapshot->names.count[MAUI_USER] + 1, sizeof(char *)),
		.group = calloc(snapshot->names.count[MAUI_GROUP] + 1, sizeof(char *)),
	};
	struct json_object *data = NULL, *jobs;

	if (ranked && labels.user && labels.group) {
		size_t found = rank(snapshot, filter, ranked);
		size_t count = found < MAX_ANSWER_JOBS ? found : MAX_ANSWER_JOBS;

		data = json_object_new_object();
		jobs = json_object_new_array_ext((int)count);
		add_text(data, "partition", filter->partition ? filter->partition : "ALL");
		json_object_object_add(data, "components",
				       maui_report_weights(weights, snapshot->policy->config));
		for (size_t i = 0; i < count; i++)
			json_object_array_add(jobs, job_object(snapshot, ranked[i].at, &labels));
		json_object_object_add(data, "jobs", jobs);
		json_object_object_add(data, "omitted",
				       json_object_new_int64((int64_t)(found - count)));
	}
	labels_clear(&labels, snapshot);
	free(ranked);
	return data;
}
