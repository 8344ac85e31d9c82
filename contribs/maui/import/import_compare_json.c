/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A comparison as maui.import-compare/1: all jobs, those that move most first. */
#include <stdint.h>

#include "common/report/json.h"
#include "contribs/maui/import/import_compare.h"
#include "contribs/maui/lib/alike_text.h"
#include "contribs/maui/lib/output.h"

static const char *const compare_parts[MAUI_COMPARE_PARTS] = {
	[MAUI_COMPARE_AGE] = "age",
	[MAUI_COMPARE_ASSOC] = "association",
	[MAUI_COMPARE_FAIRSHARE] = "fairshare",
	[MAUI_COMPARE_SIZE] = "size",
	[MAUI_COMPARE_PARTITION] = "partition",
	[MAUI_COMPARE_QOS] = "qos",
	[MAUI_COMPARE_TARGET] = "target",
};

/* known: NULL: all are; false: null. */
static struct json_object *compare_points(const double points[MAUI_COMPARE_PARTS],
					  const bool known[MAUI_COMPARE_PARTS])
{
	struct json_object *object = json_make_object();

	for (int part = 0; part < MAUI_COMPARE_PARTS; part++)
		json_set(object, compare_parts[part],
			 !known || known[part] ? json_make_decimal(points[part]) : NULL);
	return object;
}

static struct json_object *compare_side(int64_t priority, size_t rank, struct json_object *points)
{
	struct json_object *object = json_make_object();

	json_set_number(object, "priority", priority);
	json_set_number(object, "rank", (int64_t)rank);
	json_set(object, "points", points);
	return object;
}

static struct json_object *compare_job(const struct import_queue *queue,
				       const struct maui_comparison *comparison,
				       const struct maui_compared *job)
{
	const struct maui_compare_job *slurm = &queue->rows[job->slurm_row];
	const struct maui_compare_job *maui = &queue->rows[job->maui_row];
	enum maui_compare_part part = maui_compare_reason(comparison, queue->rows, job);
	struct json_object *object = json_make_object();

	json_set_number(object, "job", slurm->number);
	json_set_text(object, "user", slurm->names[MAUI_USER]);
	json_set_text(object, "account", slurm->names[MAUI_ACCOUNT]);
	json_set_text(object, "qos", slurm->names[MAUI_QOS]);
	json_set_text(object, "partition", slurm->names[MAUI_CLASS]);
	json_set(object, "slurm",
		 compare_side(slurm->slurm, job->slurm_place,
			      slurm->parts_known && !slurm->by_hand
				      ? compare_points(slurm->slurm_part, NULL)
				      : NULL));
	json_set(object, "maui",
		 compare_side(maui->maui, job->maui_place, compare_points(maui->maui_part, NULL)));
	json_set_number(object, "change", (int64_t)job->slurm_place - (int64_t)job->maui_place);
	json_set_flag(object, "by_hand", slurm->by_hand);
	json_set_text(object, "reason", part < MAUI_COMPARE_PARTS ? compare_parts[part] : NULL);
	return object;
}

static struct json_object *compare_notes(const struct import_queue *queue,
					 const struct maui_comparison *comparison)
{
	struct json_object *notes = json_make_array(), *note;
	const char *why = import_compare_tree(queue, comparison);

	if (!why)
		return notes;
	note = json_make_object();
	json_set_text(note, "name", "FSTREEWEIGHT");
	json_set_text(note, "text", why);
	json_append(notes, note);
	return notes;
}

int import_compare_print_json(const struct import_queue *queue,
			      const struct maui_comparison *comparison, const char *file)
{
	struct json_object *data = json_make_object(), *counts = json_make_object(),
			   *mean = json_make_object(), *jobs = json_make_array();
	int code;

	json_set_number(counts, "jobs", (int64_t)comparison->count);
	json_set_number(counts, "moved", (int64_t)comparison->moved);
	json_set_number(counts, "held", (int64_t)queue->held);
	json_set(mean, "slurm", compare_points(comparison->slurm_mean, comparison->slurm_any));
	json_set(mean, "maui", compare_points(comparison->maui_mean, comparison->maui_any));
	for (size_t i = 0; i < comparison->count; i++)
		json_append(jobs, compare_job(queue, comparison, &comparison->jobs[i]));
	json_set_number(data, "time", queue->now);
	json_set_text(data, "file", file);
	json_set(data, "counts", counts);
	json_set(data, "alike", alike_object(&comparison->kendall, comparison->count));
	json_set(data, "mean", mean);
	json_set(data, "jobs", jobs);
	json_set(data, "notes", compare_notes(queue, comparison));
	code = print_json("maui.import-compare/1", data);
	json_object_put(data);
	return code;
}
