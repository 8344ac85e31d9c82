/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parses the arguments partition, user and jobs of a request, and applies them
 * and PrivateData=jobs to the rows of a snapshot.
 */
#include "plugins/compat/base.h"

#include "plugins/engine/report/job_query.h"

#include <stdlib.h>
#include <string.h>

#include "common/util/memory.h"
#include "plugins/engine/policy/principals_ask.h"
#include "plugins/engine/report/name_texts.h"
#include "plugins/engine/slurm/authority.h"

#define MAX_FILTER_JOBS 4096

/* ---- the question ---- */

static int by_id(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

static const char *read_jobs(struct json_object *list, struct job_query *query)
{
	size_t count;

	if (!json_object_is_type(list, json_type_array))
		return "jobs is not an array";
	count = json_object_array_length(list);
	if (count > MAX_FILTER_JOBS)
		return "more than 4096 jobs asked for by number";
	query->jobs = maui_calloc(count + 1, sizeof(*query->jobs));
	for (size_t i = 0; i < count; i++) {
		struct json_object *id = json_object_array_get_idx(list, i);

		if (!json_object_is_type(id, json_type_int) || json_object_get_int64(id) < 0 ||
		    json_object_get_int64(id) > UINT32_MAX)
			return "jobs has an item that is not a job ID";
		query->jobs[query->job_count++] = (uint32_t)json_object_get_int64(id);
	}
	qsort(query->jobs, query->job_count, sizeof(*query->jobs), by_id);
	return NULL;
}

static const char *read_user(const char *name, struct job_query *query)
{
	query->by_user = true;
	switch (principals_ask_number(MAUI_USER, name, &query->user)) {
	case MAUI_ANSWER_FOUND:
		return NULL;
	case MAUI_ANSWER_KEPT:
		query->unanswered++;
		return NULL;
	case MAUI_ANSWER_NONE:
		return "there is no such user on this machine";
	default:
		return "the name service of this machine does not answer: give the user's number";
	}
}

const char *job_query_read(struct json_object *arguments, struct job_query *query)
{
	struct json_object *member;
	const char *wrong = NULL;

	if (!arguments)
		return NULL;
	if (json_object_object_get_ex(arguments, "partition", &member) && member)
		query->partition = json_object_get_string(member);
	if (json_object_object_get_ex(arguments, "user", &member) && member)
		wrong = read_user(json_object_get_string(member), query);
	if (!wrong && json_object_object_get_ex(arguments, "jobs", &member) && member)
		wrong = read_jobs(member, query);
	if (wrong)
		job_query_clear(query);
	return wrong;
}

bool job_query_applies(const struct job_query *query, const struct maui_snapshot *snapshot)
{
	const struct maui_frozen_names *names = &snapshot->names;

	if (!query->partition)
		return true;
	for (uint32_t id = 1; id <= names->count[MAUI_CLASS]; id++)
		if (!strcmp(names->text[MAUI_CLASS][id], query->partition))
			return true;
	return false;
}

void job_query_clear(struct job_query *query)
{
	free(query->jobs);
	query->jobs = NULL;
	query->job_count = 0;
}

bool job_query_asks_for(const struct maui_snapshot *snapshot, size_t at,
			const struct job_query *query)
{
	const struct maui_snapshot_row *row = &snapshot->rows[at];
	const uint32_t *credential = snapshot->jobs[at].credential;
	const char *class = snapshot->names.text[MAUI_CLASS][credential[MAUI_CLASS]];

	if (query->partition && (!class || strcmp(class, query->partition)))
		return false;
	if (query->by_user &&
	    snapshot->names.number[MAUI_USER][credential[MAUI_USER]] != query->user)
		return false;
	return !query->jobs ||
	       bsearch(&row->job_id, query->jobs, query->job_count, sizeof(row->job_id), by_id) ||
	       (row->array_job_id && bsearch(&row->array_job_id, query->jobs, query->job_count,
					     sizeof(row->array_job_id), by_id));
}

/* ---- PrivateData=jobs, as squeue and sprio apply it ---- */

struct job_privacy job_privacy_for(const struct maui_snapshot *snapshot,
				   const struct job_query *query)
{
	struct job_privacy privacy = {.uid = query->uid};

	privacy.applies = (slurm_conf.private_data & PRIVATE_DATA_JOBS) && !query->sees_all &&
			  !authority_is_operator(query->uid);
	if (privacy.applies)
		privacy.coordinator = maui_calloc(snapshot->names.count[MAUI_ACCOUNT] + 1, 1);
	return privacy;
}

bool job_privacy_lets(struct job_privacy *privacy, const struct maui_snapshot *snapshot, size_t at)
{
	const uint32_t *credential = snapshot->jobs[at].credential;
	uint32_t account = credential[MAUI_ACCOUNT];

	if (!privacy->applies ||
	    snapshot->names.number[MAUI_USER][credential[MAUI_USER]] == privacy->uid)
		return true;
	if (!account)
		return false;
	if (!privacy->coordinator[account]) {
		const char *name = snapshot->names.text[MAUI_ACCOUNT][account];

		privacy->coordinator[account] = authority_coordinates(privacy->uid, name) ? 1 : -1;
	}
	return privacy->coordinator[account] > 0;
}

/* ---- names of numbers, each looked up once per answer ---- */

struct job_labels job_labels_make(const struct maui_snapshot *snapshot, bool with_groups)
{
	const uint32_t *count = snapshot->names.count;
	struct job_labels labels = {
		.snapshot = snapshot,
		.user = maui_calloc(count[MAUI_USER] + 1, sizeof(char *)),
		.group = with_groups ? maui_calloc(count[MAUI_GROUP] + 1, sizeof(char *)) : NULL,
	};

	return labels;
}

static const char *job_label(struct job_labels *labels, char **label, enum maui_credential type,
			     uint32_t id)
{
	if (!label[id])
		label[id] = name_text(type, labels->snapshot->names.number[type][id],
				      &labels->unanswered);
	return label[id];
}

static void job_labels_free(char **label, uint32_t count)
{
	for (uint32_t id = 0; label && id <= count; id++)
		free(label[id]);
	free(label);
}

void job_labels_clear(struct job_labels *labels)
{
	job_labels_free(labels->user, labels->snapshot->names.count[MAUI_USER]);
	job_labels_free(labels->group, labels->snapshot->names.count[MAUI_GROUP]);
}

/* ---- answers ---- */

static void job_json_array(struct json_object *object, const struct maui_snapshot_row *row)
{
	char text[80];

	if (row->array_task_id != MAUI_NO_TASK)
		snprintf(text, sizeof(text), "%u_%u", row->array_job_id, row->array_task_id);
	else
		snprintf(text, sizeof(text), "%u_[%s]", row->array_job_id,
			 row->tasks ? row->tasks : "");
	json_set_text(object, "array", row->array_job_id ? text : NULL);
}

void job_json(struct json_object *object, struct job_labels *labels, size_t at)
{
	const uint32_t *id = labels->snapshot->jobs[at].credential;
	const char **const *text = labels->snapshot->names.text;

	json_set_number(object, "job", labels->snapshot->rows[at].job_id);
	job_json_array(object, &labels->snapshot->rows[at]);
	json_set_text(object, "user", job_label(labels, labels->user, MAUI_USER, id[MAUI_USER]));
	if (labels->group)
		json_set_text(object, "group",
			      job_label(labels, labels->group, MAUI_GROUP, id[MAUI_GROUP]));
	json_set_text(object, "account", text[MAUI_ACCOUNT][id[MAUI_ACCOUNT]]);
	json_set_text(object, "qos", text[MAUI_QOS][id[MAUI_QOS]]);
}
