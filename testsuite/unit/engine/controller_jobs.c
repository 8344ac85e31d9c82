/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pending jobs. */
#include "testsuite/unit/engine/controller.h"

#include <pwd.h>
#include <string.h>
#include <time.h>

#include "plugins/engine/api/engine.h"
#include "src/common/node_conf.h"
#include "src/slurmctld/slurmctld.h"
#include "testsuite/unit/engine/controller_private.h"

/* ---- a job ---- */

static void set_user(job_record_t *job, const char *user)
{
	const struct passwd *record = getpwnam(user ? user : "root");

	CONTROLLER_REQUIRE(record, "this machine has no user %s", user);
	job->user_id = record->pw_uid;
	job->group_id = record->pw_gid;
}

static part_record_t *partition_of(const char *name)
{
	part_record_t *partition;

	controller_lock_all();
	partition = name ? find_part_record((char *)name) : list_peek(part_list);
	controller_unlock_all();
	CONTROLLER_REQUIRE(partition, "there is no partition %s", name ? name : "at all");
	return partition;
}

static void set_partitions(job_record_t *job, const char *names)
{
	char *copy, *rest = NULL;

	if (!names || !strchr(names, ',')) {
		job->part_ptr = partition_of(names);
		job->partition = xstrdup(job->part_ptr->name);
		return;
	}
	job->partition = xstrdup(names);
	job->part_ptr_list = list_create(NULL);
	copy = xstrdup(names);
	for (char *one = strtok_r(copy, ",", &rest); one; one = strtok_r(NULL, ",", &rest))
		list_append(job->part_ptr_list, partition_of(one));
	job->part_ptr = list_peek(job->part_ptr_list);
	xfree(copy);
}

void controller_considers(job_record_t *job, const char *partition)
{
	job->part_ptr = partition_of(partition);
}

static int is_qos(void *record, void *key)
{
	return !strcmp(((slurmdb_qos_rec_t *)record)->name, key);
}

static void set_qos(job_record_t *job, const char *name)
{
	slurmdb_qos_rec_t *qos;

	if (!name)
		return;
	qos = list_find_first(assoc_mgr_qos_list, is_qos, (char *)name);
	CONTROLLER_REQUIRE(qos, "there is no QOS %s", name);
	job->qos_id = qos->id;
	job->qos_ptr = qos;
}

static void add_feature(job_details_t *details, const char *name, size_t size, char op)
{
	job_feature_t *feature = xmalloc(sizeof(*feature));

	feature->name = xstrndup(name, size);
	feature->op_code = op == '&' ? FEATURE_OP_AND : op == '|' ? FEATURE_OP_OR : FEATURE_OP_END;
	list_append(details->feature_list, feature);
}

static void free_feature(void *record)
{
	job_feature_t *feature = record;

	xfree(feature->name);
	xfree(feature);
}

static void set_features(job_details_t *details, const char *features)
{
	if (!features)
		return;
	details->features = xstrdup(features);
	details->feature_list = list_create(free_feature);
	while (*features) {
		size_t size = strcspn(features, "&|");

		add_feature(details, features, size, features[size]);
		features += size + (features[size] != '\0');
	}
}

static void set_nodes(job_details_t *details, const struct controller_job *wanted)
{
	details->req_nodes = xstrdup(wanted->on);
	details->exc_nodes = xstrdup(wanted->except);
	if (wanted->on)
		controller_nodes(wanted->on, &details->req_node_bitmap);
	if (wanted->except)
		controller_nodes(wanted->except, &details->exc_node_bitmap);
}

static job_details_t *make_details(const struct controller_job *wanted)
{
	job_details_t *details = xmalloc(sizeof(*details));

	details->magic = DETAILS_MAGIC;
	details->min_cpus = wanted->cpus ? wanted->cpus : 1;
	details->min_nodes = wanted->nodes ? wanted->nodes : 1;
	details->num_tasks = wanted->tasks ? wanted->tasks : details->min_cpus;
	details->max_cpus = NO_VAL;
	details->cpus_per_task = (uint16_t)(details->min_cpus / details->num_tasks);
	details->pn_min_memory = wanted->memory;
	details->nice = (uint32_t)(NICE_OFFSET + wanted->nice);
	details->prefer = xstrdup(wanted->prefer);
	set_features(details, wanted->features);
	set_nodes(details, wanted);
	details->whole_node = wanted->exclusive ? WHOLE_NODE_REQUIRED : 0;
	details->submit_time = details->begin_time = time(NULL) - wanted->ago;
	return details;
}

job_record_t *controller_job(const struct controller_job *wanted)
{
	static uint32_t last;
	job_record_t *job = xmalloc(sizeof(*job));

	last = wanted->id ? wanted->id : last + 1;
	job->magic = JOB_MAGIC;
	job->job_id = last;
	job->array_task_id = NO_VAL;
	if (wanted->task_of_array) {
		job->array_job_id = wanted->task_of_array;
		job->array_task_id = last - wanted->task_of_array;
	}
	job->name = xstrdup("job");
	job->account = xstrdup(wanted->account);
	job->comment = xstrdup(wanted->comment);
	job->time_limit = wanted->minutes ? wanted->minutes : 60;
	job->site_factor = NICE_OFFSET;
	job->job_state = JOB_PENDING;
	job->priority = wanted->held ? 0 : 1;
	job->direct_set_prio = wanted->held;
	job->state_reason = wanted->held ? WAIT_HELD : WAIT_NO_REASON;
	job->details = make_details(wanted);
	set_user(job, wanted->user);
	set_partitions(job, wanted->partitions);
	set_qos(job, wanted->qos);
	controller_list_job(job);
	return job;
}

job_record_t *controller_submit(const struct controller_job *wanted)
{
	job_record_t *job = controller_job(wanted);

	controller_lock_all();
	if (!wanted->held)
		job->priority = maui_engine_set_priority(job);
	controller_unlock_all();
	return job;
}

void controller_join(job_record_t **parts, uint32_t count)
{
	parts[0]->het_job_list = list_create(NULL);
	for (uint32_t i = 0; i < count; i++) {
		parts[i]->het_job_id = parts[0]->job_id;
		parts[i]->het_job_offset = i;
		list_append(parts[0]->het_job_list, parts[i]);
	}
}

/* ---- its record goes ---- */

static void free_details(job_details_t *details)
{
	FREE_NULL_LIST(details->feature_list);
	xfree(details->features);
	xfree(details->prefer);
	xfree(details->req_nodes);
	xfree(details->exc_nodes);
	FREE_NULL_BITMAP(details->req_node_bitmap);
	FREE_NULL_BITMAP(details->exc_node_bitmap);
	xfree(details);
}

void controller_purge(job_record_t *job)
{
	controller_unlist_job(job);
	if (job->job_resrcs)
		controller_take_back(job);
	FREE_NULL_LIST(job->part_ptr_list);
	FREE_NULL_LIST(job->het_job_list);
	free_details(job->details);
	compat_free_priorities(job);
	xfree(job->partition);
	xfree(job->account);
	xfree(job->comment);
	xfree(job->state_desc);
	xfree(job->name);
	xfree(job);
}
