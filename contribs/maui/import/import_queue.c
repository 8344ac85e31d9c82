/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Converts a maui.queue/1 into rows of jobs and partitions, and adds sprio's
 * points to them.
 */
#include <stdlib.h>
#include <string.h>

#include "common/util/arena.h"
#include "common/util/grow.h"
#include "common/util/list.h"
#include "common/util/text.h"
#include "contribs/maui/import/import_compare.h"
#include "contribs/maui/import/import_text.h"
#include "contribs/maui/lib/output.h"
#include "contribs/maui/queue/gres_list.h"
#include "contribs/maui/queue/queue.h"
#include "contribs/maui/slurm/slurm_policy.h"

/* ---- what a job asks for ---- */

/* "cpu=4,gres/gpu=2" */
static uint64_t import_queue_tres(const char *tres, const char *name)
{
	struct maui_item item;
	uint64_t count;
	size_t size = strlen(name);

	while (maui_list_next(&tres, ",", &item)) {
		const char *value = item.text + 5 + size + 1;

		if (item.size > 5 + size + 1 && !strncmp(item.text, "gres/", 5) &&
		    !strncmp(item.text + 5, name, size) && value[-1] == '=' &&
		    maui_gres_count_parse(value, item.size - (5 + size + 1), &count))
			return count;
	}
	return 0;
}

static void import_queue_gres(const struct maui_config *config, struct json_object *record,
			      struct maui_gres_amounts *amounts)
{
	const char *const *names;
	size_t count = maui_config_gres(config, &names);

	for (size_t i = 0; i < count; i++) {
		const char *license = maui_gres_license(names[i]);

		maui_gres_set(amounts, i,
			      license ? maui_gres_licenses(member_text(record, "licenses"), license)
				      : import_queue_tres(member_text(record, "tres"), names[i]));
	}
}

/* The engine counts a time limit like this, too: the partition's, if the job has none. */
static double import_queue_walltime(struct json_object *record, struct json_object *partition)
{
	int64_t limit = member_integer(record, "time_limit");

	if (limit <= 0)
		limit = member_integer(partition, "default_time");
	if (limit <= 0)
		limit = member_integer(partition, "max_time");
	return limit > 0 ? (double)limit : MAUI_INFINITY;
}

static double import_queue_positive(struct json_object *record, const char *name)
{
	int64_t number = member_integer(record, name);

	return number > 0 ? (double)number : 0;
}

static void import_queue_fill(const struct maui_config *config, struct json_object *record,
			      struct maui_compare_job *job)
{
	bool per_cpu = !strcmp(member_text(record, "memory_per"), "cpu");

	job->number = member_integer(record, "job");
	job->names[MAUI_USER] = member_text(record, "user");
	job->names[MAUI_GROUP] = member_text(record, "group");
	job->names[MAUI_ACCOUNT] = member_text(record, "account");
	job->names[MAUI_QOS] = member_text(record, "qos");
	job->submitted = member_integer(record, "submit");
	job->accrued = member_integer(record, "accrue");
	job->stopped = maui_begins(member_text(record, "reason"), "Dependency");
	job->nodes = import_queue_positive(record, "nodes");
	job->procs = import_queue_positive(record, "procs");
	job->memory = import_queue_positive(record, "memory") * (per_cpu ? job->procs : job->nodes);
	job->disk = import_queue_positive(record, "disk") * job->nodes;
	job->nice = member_integer(record, "nice");
	job->site_factor = member_integer(record, "site_factor");
	job->slurm = member_integer(record, "priority");
	import_queue_gres(config, record, &job->gres);
}

/* ---- its points in Slurm ---- */

static void import_queue_points(const struct maui_sprio *sprio, struct maui_compare_job *job,
				bool several)
{
	const struct maui_sprio_row *row =
		maui_sprio_find(sprio, job->number, job->names[MAUI_CLASS]);
	bool any = false;

	if (!row)
		return;
	for (int i = 0; i < MAUI_IMPORT_FACTORS; i++)
		any |= row->points[i] != 0;
	/* Slurm clears the points of a job whose priority somebody has set. */
	job->by_hand = !any && row->tres == 0 && row->priority > 1 &&
		       row->priority != job->site_factor - job->nice;
	if (several)
		job->slurm = row->priority;
	job->fairshare = row->fairshare;
	job->parts_known = true;
	job->slurm_part[MAUI_COMPARE_AGE] = row->points[MAUI_IMPORT_AGE];
	job->slurm_part[MAUI_COMPARE_ASSOC] = row->points[MAUI_IMPORT_ASSOC];
	job->slurm_part[MAUI_COMPARE_FAIRSHARE] = row->points[MAUI_IMPORT_FAIRSHARE];
	job->slurm_part[MAUI_COMPARE_SIZE] = row->points[MAUI_IMPORT_SIZE] + row->tres;
	job->slurm_part[MAUI_COMPARE_PARTITION] = row->points[MAUI_IMPORT_PARTITION];
	job->slurm_part[MAUI_COMPARE_QOS] = row->points[MAUI_IMPORT_QOS];
}

/* ---- all jobs ---- */

/* A row for each partition of the job's list. */
static void import_queue_add(struct import_queue *queue, const struct maui_config *config,
			     struct json_object *record)
{
	const char *list = member_text(record, "partition");
	bool several = strchr(list, ',');
	struct maui_compare_job job = {0};
	struct maui_item item;

	import_queue_fill(config, record, &job);
	while (maui_list_next(&list, ",", &item)) {
		struct maui_compare_job row = job;
		struct json_object *partition;

		row.names[MAUI_CLASS] = maui_arena_text(queue->names, item.text, item.size);
		partition = queue_find(queue->queue, "partitions", row.names[MAUI_CLASS]);
		row.class_priority = import_queue_positive(partition, "job_factor");
		row.walltime = import_queue_walltime(record, partition);
		import_queue_points(&queue->sprio, &row, several);
		queue->rows = maui_grow(queue->rows, queue->count + 1, &queue->room,
					sizeof(*queue->rows));
		queue->rows[queue->count++] = row;
	}
}

/* What the machine has of the GRES that PEGRES names. */
static void import_queue_machine_gres(struct import_queue *queue, const struct maui_config *config)
{
	struct json_object *nodes = member_array(queue->queue, "nodes");
	struct maui_pe_names names;

	maui_pe_names(config, &names);
	for (uint32_t i = 0; i < names.gres.count; i++) {
		uint64_t sum = 0;

		for (size_t n = 0; n < array_size(nodes); n++)
			sum = maui_gres_plus(
				sum,
				(uint64_t)gres_count(
					member_text(json_object_array_get_idx(nodes, n), "gres"),
					names.gres.name[i]));
		maui_gres_set(&queue->gres, names.number[i], sum);
	}
	queue->machine.gres = &queue->gres;
}

static void import_queue_machine(struct import_queue *queue, const struct maui_config *config)
{
	struct json_object *nodes = member_array(queue->queue, "nodes");

	for (size_t i = 0; i < array_size(nodes); i++) {
		struct json_object *node = json_object_array_get_idx(nodes, i);

		queue->machine.procs += import_queue_positive(node, "procs");
		queue->machine.memory += import_queue_positive(node, "memory");
		queue->machine.disk += import_queue_positive(node, "disk");
	}
	import_queue_machine_gres(queue, config);
}

static void import_queue_rows(struct import_queue *queue, const struct maui_config *config)
{
	struct json_object *jobs = member_array(queue->queue, "jobs");

	queue->now = member_integer(queue->queue, "time");
	import_queue_machine(queue, config);
	for (size_t i = 0; i < array_size(jobs); i++) {
		struct json_object *record = json_object_array_get_idx(jobs, i);

		if (!queue_job_is_pending(record))
			continue;
		if (member_integer(record, "priority") > 0)
			import_queue_add(queue, config, record);
		else
			queue->held++;
	}
}

/* ---- asking ---- */

static int import_queue_ask_points(const struct cli *cli, struct import_queue *queue)
{
	struct maui_error error;
	char *text = NULL;
	size_t size;
	int rc;

	if (slurm_policy_points(MAUI_SPRIO_FORMAT, cli->timeout, &text, &size, &error))
		return fail(EXIT_ERRORS, "%s", error.text);
	maui_sprio_clear(&queue->sprio);
	rc = maui_sprio_read(&queue->sprio, "sprio", text, size, &import_complaints);
	free(text);
	return rc ? EXIT_ERRORS : EXIT_OK;
}

int import_queue_load(const struct cli *cli, bool points, const struct maui_config *config,
		      struct import_queue *ret_queue)
{
	int code;

	*ret_queue = (struct import_queue){.names = maui_arena_new(), .points = points};
	code = queue_load(cli, QUEUE_JOBS | QUEUE_NODES | QUEUE_PARTITIONS, &ret_queue->queue);
	if (code != EXIT_OK)
		return EXIT_ERRORS;
	if (points)
		code = import_queue_ask_points(cli, ret_queue);
	if (code == EXIT_OK)
		import_queue_rows(ret_queue, config);
	return code;
}

void import_queue_clear(struct import_queue *queue)
{
	maui_sprio_clear(&queue->sprio);
	free(queue->rows);
	maui_arena_free(queue->names);
	json_object_put(queue->queue);
}
