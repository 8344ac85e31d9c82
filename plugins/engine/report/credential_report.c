/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes the answer to diagnose-credentials: filters the rows of
 * credential_rows.c by PrivateData, and renders their settings, limits and
 * usage as JSON.
 */
#include "plugins/compat/base.h"

#include "plugins/engine/report/credential_report.h"

#include <stdlib.h>
#include <string.h>

#include "common/policy/limits/qos_access.h"
#include "plugins/engine/report/credential_rows.h"
#include "plugins/engine/report/job_query.h"
#include "plugins/engine/report/limit_period_json.h"
#include "plugins/engine/report/report_arguments.h"
#include "plugins/engine/slurm/authority.h"

#define MAX_ANSWER_ROWS 20000

const char *credential_filter_read(struct json_object *arguments, struct credential_filter *filter)
{
	(void)report_type_argument(arguments, &filter->type);
	filter->name = report_text_argument(arguments, "name");
	return filter->type == MAUI_CREDENTIALS ? REPORT_NO_TYPE : NULL;
}

/* ---- who may see what; no lock held ---- */

/* The flags of PrivateData that hide a type's usage from others: usage shows jobs, and names
 * show definitions. */
static const uint16_t private_flags[MAUI_CREDENTIALS] = {
	[MAUI_USER] = PRIVATE_DATA_JOBS | PRIVATE_DATA_USAGE | PRIVATE_DATA_USERS,
	[MAUI_GROUP] = PRIVATE_DATA_JOBS | PRIVATE_DATA_USAGE | PRIVATE_DATA_USERS,
	[MAUI_ACCOUNT] = PRIVATE_DATA_JOBS | PRIVATE_DATA_USAGE | PRIVATE_DATA_ACCOUNTS,
	[MAUI_QOS] = PRIVATE_DATA_JOBS | PRIVATE_DATA_USAGE,
	[MAUI_CLASS] = PRIVATE_DATA_JOBS | PRIVATE_DATA_USAGE | PRIVATE_DATA_PARTITIONS,
};

static bool is_bound(const struct credential_filter *filter)
{
	return (slurm_conf.private_data & private_flags[filter->type]) && !filter->sees_all &&
	       !authority_is_operator(filter->uid);
}

/* Users see their own, coordinators their accounts. */
static bool is_own(const struct credential_filter *filter, const struct credential_row *row)
{
	if (filter->type == MAUI_USER)
		return row->id && row->number == filter->uid;
	return filter->type == MAUI_ACCOUNT && authority_coordinates(filter->uid, row->name);
}

/* By name, a number after the name of its digits, DEFAULT last. */
static int by_name(const void *a, const void *b)
{
	const struct credential_row *x = a, *y = b;

	if (x->fallback != y->fallback)
		return x->fallback ? 1 : -1;
	if (strcmp(x->name, y->name) != 0)
		return strcmp(x->name, y->name);
	return x->unnamed - y->unnamed;
}

/* Keeps the rows that are asked for and may be seen. Returns how many the answer has no room
 * for. */
static size_t credential_choose(struct credential_list *list,
				const struct credential_filter *filter)
{
	bool bound = is_bound(filter);
	size_t count = 0, omitted;

	for (size_t i = 0; i < list->count; i++) {
		struct credential_row *row = &list->rows[i];

		if (filter->name && strcmp(row->name, filter->name) != 0)
			continue;
		row->hidden = bound && row->fallback;
		if (!bound || row->fallback || is_own(filter, row))
			list->rows[count++] = *row;
	}
	list->system.hidden = bound;
	qsort(list->rows, count, sizeof(*list->rows), by_name);
	omitted = count > MAX_ANSWER_ROWS ? count - MAX_ANSWER_ROWS : 0;
	list->count = count - omitted;
	return omitted;
}

/* ---- what maui.cfg says of it ---- */

static void add_attribute(struct json_object *object, const char *name,
			  const struct maui_object *own, enum maui_key key)
{
	const struct maui_value *value = maui_object_get(own, key);

	json_set_number(object, name, value ? value->integer : 0);
}

static void add_real(struct json_object *object, const char *name, const struct maui_object *own,
		     enum maui_key key)
{
	const struct maui_value *value = maui_object_get(own, key);

	json_set_real(object, name, value ? value->real : 0);
}

static void add_text(struct json_object *object, const char *name, const struct maui_object *own,
		     enum maui_key key)
{
	const struct maui_value *value = maui_object_get(own, key);

	json_set_text(object, name, value ? value->text : NULL);
}

static void add_list(struct json_object *object, const char *name, const struct maui_object *own,
		     enum maui_key key)
{
	const struct maui_value *value = maui_object_get(own, key);
	struct json_object *array = json_make_array();

	for (size_t i = 0; value && i < value->list_size; i++)
		json_append_text(array, value->list[i]);
	json_set(object, name, array);
}

static void add_target(struct json_object *object, const struct maui_object *own)
{
	const struct maui_value *value = maui_object_get(own, MAUI_ATTR_FSTARGET);
	char mark[2] = {value ? value->mark : '\0', '\0'};

	json_set_real(object, "target", value ? value->real : 0);
	json_set_text(object, "mark", mark);
}

static bool is_limit(const struct maui_value *value)
{
	switch (value->key->kind) {
	case MAUI_KIND_LIMIT:
	case MAUI_KIND_TIME_LIMIT:
	case MAUI_KIND_MEMORY_LIMIT:
		return true;
	default:
		return value->key->key == MAUI_ATTR_MAX_WCLIMIT;
	}
}

struct limit_name {
	const char *name, *gres; /* gres NULL: of none */
	bool pair;
	enum maui_credential second_type;
	const char *second; /* NULL: any */
	const char *period; /* NULL: of none */
};

/* MAXJOB, MAXJOB[USER], MAXJOB[USER:bob], MAXGRES[gpu,USER,PERIOD:night]: as maui.cfg has it. */
static void add_limit_name(struct json_object *object, const struct limit_name *limit)
{
	char text[MAUI_LIMIT_NAME_SIZE + 96];
	bool brackets = limit->pair || limit->gres || limit->period;

	snprintf(text, sizeof(text), "%s%s%s%s%s%s%.80s%s%s%s%s", limit->name, brackets ? "[" : "",
		 limit->gres ? limit->gres : "", limit->pair && limit->gres ? "," : "",
		 limit->pair ? maui_credential_dimension(limit->second_type) : "",
		 limit->second ? ":" : "", limit->second ? limit->second : "",
		 limit->period && (limit->pair || limit->gres) ? "," : "",
		 limit->period ? "PERIOD:" : "", limit->period ? limit->period : "",
		 brackets ? "]" : "");
	json_set_text(object, "name", text);
}

static struct json_object *configured_limit(const struct maui_value *value)
{
	bool two = value->key->kind != MAUI_KIND_DURATION;
	struct json_object *object = json_make_object();

	add_limit_name(object, &(struct limit_name){.name = value->key->name,
						    .gres = value->gres_name,
						    .pair = value->has_dimension,
						    .second_type = value->dimension,
						    .second = value->dimension_name,
						    .period = value->period_name});
	json_set_number(object, "soft", two ? value->limit.soft : value->integer);
	json_set_number(object, "hard", two ? value->limit.hard : value->integer);
	return object;
}

static struct json_object *configured_limits(const struct maui_object *own)
{
	struct json_object *array = json_make_array();
	const struct maui_value *const *values;
	size_t count = own ? maui_object_values(own, &values) : 0;

	for (size_t i = 0; i < count; i++)
		if (is_limit(values[i]))
			json_append(array, configured_limit(values[i]));
	return array;
}

static void add_configured(struct json_object *object, const struct maui_object *own)
{
	add_attribute(object, "priority", own, MAUI_ATTR_PRIORITY);
	add_list(object, "flags", own, MAUI_ATTR_JOBFLAGS);
	add_text(object, "qdef", own, MAUI_ATTR_QDEF);
	add_list(object, "qlist", own, MAUI_ATTR_QLIST);
	add_list(object, "partitions", own, MAUI_ATTR_PLIST);
	add_target(object, own);
	json_set(object, "configured", configured_limits(own));
}

/* Whose QLIST names a QOS. */
static struct json_object *users_of(const struct maui_config *config, const char *qos)
{
	struct json_object *users = json_make_object();

	for (unsigned int type = 0; type < MAUI_CREDENTIALS; type++) {
		struct json_object *array = json_make_array();
		const struct maui_object *const *objects;
		size_t count = maui_config_objects(config, maui_credential_section(type), &objects);

		for (size_t i = 0; type != MAUI_QOS && i < count; i++) {
			const struct maui_value *list =
				maui_object_get(objects[i], MAUI_ATTR_QLIST);

			if (list && maui_qos_list_names(list, qos))
				json_append_text(array, maui_object_name(objects[i]));
		}
		if (type == MAUI_QOS)
			json_object_put(array);
		else
			json_set(users, maui_credential_name(type), array);
	}
	return users;
}

static void add_qos(struct json_object *object, const struct credential_list *list,
		    const struct credential_row *row)
{
	add_real(object, "qtweight", row->object, MAUI_ATTR_QTWEIGHT);
	add_attribute(object, "qttarget", row->object, MAUI_ATTR_QTTARGET);
	add_real(object, "xfweight", row->object, MAUI_ATTR_XFWEIGHT);
	add_real(object, "xftarget", row->object, MAUI_ATTR_XFTARGET);
	add_list(object, "qflags", row->object, MAUI_ATTR_QFLAGS);
	json_set(object, "listed_by", users_of(list->policy->config, row->name));
}

/* ---- its limits ---- */

/* What is left of one level; null where that has no meaning. */
static struct json_object *credential_left(const struct maui_limit_entry *entry, int64_t limit,
					   bool counted)
{
	if (!counted || limit < 0 || entry->overridden || entry->mode == MAUI_LIMIT_SYSTEM)
		return NULL;
	return json_make_number(limit > entry->usage ? limit - entry->usage : 0);
}

static struct json_object *limit_object(const struct credential_limit *limit, unsigned int type,
					bool counted)
{
	const struct maui_limit_entry *entry = &limit->entry;
	struct json_object *object = json_make_object();
	struct maui_limit_entry plain = *entry;
	char name[MAUI_LIMIT_NAME_SIZE];
	bool idle = entry->mode == MAUI_LIMIT_IDLE;

	plain.pair = false;
	plain.gres = NULL;
	plain.period = NULL;
	add_limit_name(object,
		       &(struct limit_name){.name = maui_limit_entry_name(&plain, type, name),
					    .gres = entry->gres,
					    .pair = entry->pair,
					    .second_type = entry->second_type,
					    .second = limit->second,
					    .period = entry->period});
	json_set_text(object, "mode", maui_limit_mode_name(entry->mode));
	json_set_text(object, "metric", maui_limit_metric_info(entry->metric)->json);
	json_set_text(object, "gres", entry->gres);
	limit_period_json(object, entry->period, entry->until);
	json_set_text(object, "next", entry->next);
	json_set(object, "next_begins", entry->next ? json_make_flag(entry->next_begins) : NULL);
	json_set_text(object, "second_type",
		      entry->pair ? maui_credential_name(entry->second_type) : NULL);
	json_set_text(object, "second", limit->second);
	if (limit->second_unnamed)
		json_set_flag(object, "second_unnamed", true);
	json_set_flag(object, "override", entry->override);
	json_set_flag(object, "overridden", entry->overridden);
	/* Idle limits have no soft level. */
	json_set(object, "soft", idle ? NULL : json_make_number(entry->soft));
	json_set_number(object, "hard", entry->hard);
	json_set(object, "usage",
		 counted && entry->mode != MAUI_LIMIT_SYSTEM ? json_make_number(entry->usage)
							     : NULL);
	json_set(object, "soft_left", idle ? NULL : credential_left(entry, entry->soft, counted));
	json_set(object, "left", credential_left(entry, entry->hard, counted));
	return object;
}

static struct json_object *credential_amounts(const int64_t amount[MAUI_LIMIT_METRICS])
{
	struct json_object *object = json_make_object();

	for (unsigned int metric = 0; metric < MAUI_LIMIT_METRICS; metric++)
		json_set_number(object, maui_limit_metric_info(metric)->json, amount[metric]);
	return object;
}

static void add_limits(struct json_object *object, const struct credential_list *list,
		       unsigned int type, const struct credential_row *row)
{
	struct json_object *array = json_make_array(), *lifted = json_make_array();
	bool counted = list->counted && !row->hidden;
	bool somebody = row->id || (row->fallback && type == MAUI_QOS);

	for (const struct credential_limit *limit = row->limits; limit; limit = limit->next)
		json_append(limit->entry.lifted ? lifted : array,
			    limit_object(limit, type, counted));
	json_set(object, "limits", array);
	json_set(object, "lifted", lifted);
	json_set(object, "active",
		 counted && somebody ? credential_amounts(row->usage[MAUI_LIMIT_ACTIVE]) : NULL);
	json_set(object, "eligible",
		 counted && somebody ? credential_amounts(row->usage[MAUI_LIMIT_IDLE]) : NULL);
}

/* ---- all of them ---- */

static struct json_object *row_object(const struct credential_list *list,
				      const struct credential_row *row)
{
	struct json_object *object = json_make_object();

	json_set_text(object, "name", row->name);
	if (row->unnamed)
		json_set_flag(object, "unnamed", true);
	json_set_flag(object, "default", row->fallback);
	add_configured(object, row->object);
	if (list->type == MAUI_QOS)
		add_qos(object, list, row);
	json_set(object, "pending", row->hidden ? NULL : json_make_number(row->pending));
	add_limits(object, list, list->type, row);
	return object;
}

static struct json_object *system_object(const struct credential_list *list)
{
	struct json_object *object = json_make_object();
	const struct maui_object *own = maui_config_object(list->policy->config, MAUI_SYSCFG, NULL);

	add_text(object, "qdef", own, MAUI_ATTR_QDEF);
	add_list(object, "qlist", own, MAUI_ATTR_QLIST);
	json_set(object, "configured", configured_limits(own));
	add_limits(object, list, MAUI_WHOLE_SYSTEM, &list->system);
	return object;
}

static struct json_object *credential_render(const struct credential_list *list,
					     const struct credential_filter *filter, size_t omitted)
{
	struct json_object *data = json_make_object();
	struct json_object *rows = json_make_array();

	json_set_text(data, "type", maui_credential_name(filter->type));
	json_set_flag(data, "limited", list->limited);
	json_set_flag(data, "enforced", list->enforced);
	json_set_flag(data, "counted", list->counted);
	json_set(data, "system", system_object(list));
	for (size_t i = 0; i < list->count; i++)
		json_append(rows, row_object(list, &list->rows[i]));
	json_set(data, "credentials", rows);
	json_set_number(data, "omitted", (int64_t)omitted);
	json_set_number(data, "omitted_pairs", (int64_t)list->omitted_pairs);
	return data;
}

struct json_object *credential_report(const struct maui_snapshot *snapshot,
				      const struct credential_filter *filter)
{
	struct json_object *data;
	struct credential_list list;
	size_t omitted;

	credential_rows_collect(&list, filter->type, snapshot);
	omitted = credential_choose(&list, filter);
	credential_rows_fill(&list);
	data = credential_render(&list, filter, omitted);
	credential_rows_clear(&list);
	return data;
}
