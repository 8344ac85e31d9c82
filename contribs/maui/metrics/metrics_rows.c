/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Limits, fairshare and reservations: as many rows as the bound allows, the fullest and largest
 * first. */
#include "contribs/maui/metrics/metrics_engine.h"

#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"
#include "contribs/maui/lib/output.h"

/* One row of an answer, and how much it matters. */
struct row {
	struct json_object *object;
	const char *type, *name;
	bool unnamed; /* a user may be named like the number of one without a name */
	double size, used, procs, missing;
};

struct rows {
	struct row *list;
	size_t count, room;
};

static void add_row(struct rows *rows, const struct row *row)
{
	rows->list = maui_grow(rows->list, rows->count + 1, &rows->room, sizeof(*rows->list));
	rows->list[rows->count++] = *row;
}

static int by_size(const void *a, const void *b)
{
	const struct row *x = a, *y = b;
	int order;

	if (x->size != y->size)
		return x->size < y->size ? 1 : -1;
	order = strcmp(x->type, y->type);
	return order ? order : strcmp(x->name, y->name);
}

/* Keeps the rows that get series; returns the number of the others. */
static size_t metrics_rows_cut(struct rows *rows, struct metrics_source *source)
{
	size_t omitted = rows->count > source->limit ? rows->count - source->limit : 0;

	if (rows->count)
		qsort(rows->list, rows->count, sizeof(*rows->list), by_size);
	rows->count -= omitted;
	return omitted;
}

/* ---- limits --------------------------------------------------------------------------------- */

static bool is_known(struct json_object *object, const char *name)
{
	struct json_object *value;

	return json_object_object_get_ex(object, name, &value) && value;
}

/* Limits that jobs share. A limit on a single job has nothing left over to report. */
static void see_limits(struct rows *rows, struct json_object *limits, const char *type,
		       struct json_object *holder)
{
	for (size_t i = 0; i < array_size(limits); i++) {
		struct json_object *limit = json_object_array_get_idx(limits, i);
		double hard = member_number(limit, "hard"), usage = member_number(limit, "usage");

		if (is_known(limit, "left"))
			add_row(rows, &(struct row){.object = limit,
						    .type = type,
						    .name = member_text(holder, "name"),
						    .unnamed = member_flag(holder, "unnamed"),
						    .size = hard > 0 ? usage / hard : usage > 0});
	}
}

/* The system's are in the answer of every type. */
static void see_credentials(struct rows *rows, struct json_object *data, bool with_system)
{
	struct json_object *credentials = member_array(data, "credentials");

	if (with_system)
		see_limits(rows, member_array(member_object(data, "system"), "limits"), "system",
			   NULL);
	for (size_t i = 0; i < array_size(credentials); i++) {
		struct json_object *row = json_object_array_get_idx(credentials, i);

		see_limits(rows, member_array(row, "limits"), member_text(data, "type"), row);
	}
}

/* level NULL: without that label. */
static void add_limit(struct metrics *metrics, const struct row *row, const char *member,
		      const char *level)
{
	const struct metrics_label labels[] = {
		{"type", row->type},
		{"name", row->name},
		{"unnamed", row->unnamed ? "true" : ""},
		{"limit", member_text(row->object, "name")},
		{"mode", member_text(row->object, "mode")},
		{"metric", member_text(row->object, "metric")},
		{"second_type", member_text(row->object, "second_type")},
		{"second", member_text(row->object, "second")},
		{"second_unnamed", member_flag(row->object, "second_unnamed") ? "true" : ""},
		{"level", level},
	};

	if (is_known(row->object, member))
		metrics_sample(metrics, member_number(row->object, member), labels,
			       sizeof(labels) / sizeof(labels[0]));
}

void metrics_add_limits(struct metrics_source *source, struct json_object *const *data,
			size_t count)
{
	struct metrics *metrics = source->metrics;
	struct rows rows = {0};

	for (size_t i = 0; i < count; i++)
		see_credentials(&rows, data[i], i == 0);
	for (size_t i = 0; i < count;
	     i++) /* left out by the engine itself: a credential has at least one */
		source->omitted_limits += (size_t)(member_integer(data[i], "omitted") +
						   member_integer(data[i], "omitted_pairs"));
	source->omitted_limits += metrics_rows_cut(&rows, source);
	metrics_family(metrics, "maui_limit", "gauge", "",
		       "A limit of maui.cfg that jobs share, in its metric.");
	for (size_t i = 0; i < rows.count; i++) {
		add_limit(metrics, &rows.list[i], "hard", "hard");
		add_limit(metrics, &rows.list[i], "soft", "soft");
	}
	metrics_family(metrics, "maui_limit_usage", "gauge", "", "What is in use of a limit.");
	for (size_t i = 0; i < rows.count; i++)
		add_limit(metrics, &rows.list[i], "usage", "");
	metrics_family(metrics, "maui_limit_left", "gauge", "", "What is left of a limit.");
	for (size_t i = 0; i < rows.count; i++) {
		add_limit(metrics, &rows.list[i], "left", "hard");
		add_limit(metrics, &rows.list[i], "soft_left", "soft");
	}
	free(rows.list);
}

/* ---- fairshare ------------------------------------------------------------------------------ */

static void see_shares(struct rows *rows, struct json_object *credentials)
{
	json_object_object_foreach(credentials, type, value)
	{
		struct json_object *array = member_array(credentials, type);

		(void)value;
		for (size_t i = 0; i < array_size(array); i++) {
			struct json_object *object = json_object_array_get_idx(array, i);

			add_row(rows, &(struct row){.object = object,
						    .type = type,
						    .name = member_text(object, "name"),
						    .unnamed = member_flag(object, "unnamed"),
						    .size = member_number(object, "usage")});
		}
	}
}

static void add_share(struct metrics *metrics, const struct row *row, double value,
		      const char *mode)
{
	const struct metrics_label labels[] = {{"type", row->type},
					       {"name", row->name},
					       {"mode", mode},
					       {"unnamed", row->unnamed ? "true" : ""}};

	metrics_sample(metrics, value, labels, sizeof(labels) / sizeof(labels[0]));
}

/* Percent of all usage as a ratio, or processor-seconds. */
static void add_targets(struct metrics *metrics, const struct rows *rows, bool absolute)
{
	for (size_t i = 0; i < rows->count; i++) {
		struct json_object *object = rows->list[i].object;
		const char *mode = member_text(object, "mode");

		if (is_known(object, "target") && !strcmp(mode, "cap-ps") == absolute)
			add_share(metrics, &rows->list[i],
				  member_number(object, "target") / (absolute ? 1 : 100),
				  absolute ? "" : mode);
	}
}

void metrics_add_fairshare(struct metrics_source *source, struct json_object *data)
{
	struct json_object *credentials = member_object(data, "credentials");
	struct metrics *metrics = source->metrics;
	struct rows rows = {0};

	if (credentials)
		see_shares(&rows, credentials);
	source->omitted_fairshare = metrics_rows_cut(&rows, source);
	metrics_family(metrics, "maui_fairshare_usage_procseconds", "gauge", "procseconds",
		       "Decayed usage in the windows of fairshare.");
	for (size_t i = 0; i < rows.count; i++)
		add_share(metrics, &rows.list[i], member_number(rows.list[i].object, "usage"), "");
	metrics_family(metrics, "maui_fairshare_usage_ratio", "gauge", "ratio",
		       "Its share in all usage.");
	for (size_t i = 0; i < rows.count; i++)
		add_share(metrics, &rows.list[i],
			  member_number(rows.list[i].object, "percent") / 100, "");
	metrics_family(metrics, "maui_fairshare_target_ratio", "gauge", "ratio",
		       "FSTARGET as a share in all usage.");
	add_targets(metrics, &rows, false);
	metrics_family(metrics, "maui_fairshare_cap_procseconds", "gauge", "procseconds",
		       "FSTARGET with ^: a cap of usage.");
	add_targets(metrics, &rows, true);
	free(rows.list);
}

/* ---- reservations --------------------------------------------------------------------------- */

/* Instances come and go with the date: only the name of the standing reservation lasts. */
static const char *lasting_name(struct json_object *object)
{
	const char *standing = member_text(object, "standing");

	return *standing ? standing : member_text(object, "name");
}

/* It is its time, whether Slurm has it or not. */
static bool is_due(struct json_object *object, int64_t now)
{
	int64_t end = member_integer(object, "end");

	return member_integer(object, "start") <= now && (!end || end > now);
}

static const char *kind_of(struct json_object *object)
{
	if (!member_flag(object, "ours"))
		return "slurm";
	return member_flag(object, "administrative") ? "administrative" : "standing";
}

static int by_name(const void *a, const void *b)
{
	const struct row *x = a, *y = b;
	int order = strcmp(x->type, y->type);

	return order ? order : strcmp(x->name, y->name);
}

/* Several instances of a name are one row. */
static void metrics_rows_merge(struct rows *rows)
{
	size_t count = 0;

	if (rows->count)
		qsort(rows->list, rows->count, sizeof(*rows->list), by_name);
	for (size_t i = 0; i < rows->count; i++) {
		struct row *last = count ? &rows->list[count - 1] : NULL;

		if (last && !by_name(last, &rows->list[i])) {
			last->procs += rows->list[i].procs;
			last->used += rows->list[i].used;
			last->missing += rows->list[i].missing;
			last->size += rows->list[i].size;
		} else {
			rows->list[count++] = rows->list[i];
		}
	}
	rows->count = count;
}

static void add_procs(struct metrics *metrics, const struct row *row, double value)
{
	const struct metrics_label labels[] = {{"reservation", row->name}, {"kind", row->type}};

	metrics_sample(metrics, value, labels, sizeof(labels) / sizeof(labels[0]));
}

/* Also of those for which there is no node at all, and which Slurm therefore does not have. */
static size_t add_missing(struct metrics_source *source, struct json_object *array, int64_t now)
{
	struct rows rows = {0};
	size_t omitted;

	for (size_t i = 0; i < array_size(array); i++) {
		struct json_object *object = json_object_array_get_idx(array, i);
		double missing = member_number(object, "missing");

		if (member_flag(object, "ours") && is_due(object, now))
			add_row(&rows, &(struct row){.object = object,
						     .type = kind_of(object),
						     .name = lasting_name(object),
						     .size = missing,
						     .missing = missing});
	}
	metrics_rows_merge(&rows);
	omitted = metrics_rows_cut(&rows, source);
	metrics_family(source->metrics, "maui_reservation_missing_tasks", "gauge", "",
		       "Tasks of reservations for which there are no nodes.");
	for (size_t i = 0; i < rows.count; i++)
		add_procs(source->metrics, &rows.list[i], rows.list[i].missing);
	free(rows.list);
	return omitted;
}

void metrics_add_reservations(struct metrics_source *source, struct json_object *data, int64_t now)
{
	struct json_object *array = member_array(data, "reservations");
	struct metrics *metrics = source->metrics;
	struct rows rows = {0};

	for (size_t i = 0; i < array_size(array); i++) {
		struct json_object *object = json_object_array_get_idx(array, i);
		double procs = member_number(object, "procs");

		if (member_flag(object, "there") && is_due(object, now))
			add_row(&rows, &(struct row){.object = object,
						     .type = kind_of(object),
						     .name = lasting_name(object),
						     .size = procs,
						     .procs = procs,
						     .used = member_number(object, "used_procs")});
	}
	metrics_rows_merge(&rows);
	source->omitted_reservations =
		metrics_rows_cut(&rows, source) + (size_t)member_integer(data, "omitted");
	metrics_family(metrics, "maui_reserved_procs", "gauge", "procs",
		       "Processors on whose nodes any reservation is in force, each counted once.");
	if (data)
		metrics_value(metrics, member_number(data, "active_procs"));
	metrics_family(metrics, "maui_reservation_procs", "gauge", "procs",
		       "Processors of the reservations in force.");
	for (size_t i = 0; i < rows.count; i++)
		add_procs(metrics, &rows.list[i], rows.list[i].procs);
	metrics_family(metrics, "maui_reservation_used_procs", "gauge", "procs",
		       "Those of them that jobs hold.");
	for (size_t i = 0; i < rows.count; i++)
		add_procs(metrics, &rows.list[i], rows.list[i].used);
	free(rows.list);
	source->omitted_reservations += add_missing(source, array, now);
}
