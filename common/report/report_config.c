/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The policy in force as JSON, "showconfig" of service.md: parameters in the order of the key
 * table, each followed by the values of partitions, then the sections object by object.
 */
#include "common/report/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/report/json.h"
#include "common/util/memory.h"

/* Where a value is in a configuration. */
struct place {
	const char *index;   /* of a parameter; NULL: global */
	const char *section; /* NULL: a parameter */
	const char *name;    /* of the object; NULL for SYSCFG */
};

static struct json_object *render_origin(const struct maui_value *value)
{
	const struct maui_origin *origin = &value->origin;
	struct json_object *place;

	if (!maui_value_given(value))
		return NULL;
	place = json_make_object();
	json_add(place, "file", json_make_text(origin->file));
	json_add(place, "line", json_make_number(origin->line));
	json_add(place, "column", json_make_number(origin->column));
	return place;
}

/* A cumulative list has more than the last line's text. */
static struct json_object *render_list(const struct maui_value *value)
{
	struct json_object *string;
	size_t size = 1, at = 0;
	char *text;

	for (size_t i = 0; i < value->list_size; i++)
		size += strlen(value->list[i]) + 1;
	text = maui_calloc(size, 1);
	for (size_t i = 0; i < value->list_size; i++)
		at += (size_t)snprintf(text + at, size - at, "%s%s", i ? "," : "", value->list[i]);
	string = json_make_part(text, at);
	free(text);
	return string;
}

static struct json_object *render_text(const struct maui_value *value)
{
	if (value->key->cumulative && value->list_size)
		return render_list(value);
	return json_make_text(value->text ? value->text : "");
}

/* MAXJOB, MAXJOB[USER], MAXJOB[USER:bob], MAXGRES[gpu], MAXGRES[gpu,USER,PERIOD:night] */
static void add_parameter(struct json_object *object, const struct maui_value *value)
{
	const char *dimension =
		value->has_dimension ? maui_credential_dimension(value->dimension) : "";
	const char *name = value->dimension_name ? value->dimension_name : "";
	char *text;

	if (!value->has_dimension && !value->gres && !value->period) {
		json_add(object, "parameter", json_make_text(value->key->name));
		return;
	}
	text = maui_asprintf(
		"%s[%s%s%s%s%s%s%s%s]", value->key->name, value->gres ? value->gres_name : "",
		value->gres && value->has_dimension ? "," : "", dimension, *name ? ":" : "", name,
		value->period && (value->gres || value->has_dimension) ? "," : "",
		value->period ? "PERIOD:" : "", value->period ? value->period_name : "");
	json_add(object, "parameter", json_make_text(text));
	free(text);
}

static void append_value(struct json_object *array, const struct maui_value *value,
			 const struct place *place)
{
	struct json_object *object = json_make_object();

	add_parameter(object, value);
	json_add(object, "index", json_make_text(place->index));
	json_add(object, "section", json_make_text(place->section));
	json_add(object, "name", json_make_text(place->name));
	json_add(object, "value", render_text(value));
	json_add(object, "origin", render_origin(value));
	json_append(array, object);
}

/* Where Slurm does Maui's job, defaults are not in force: only what the file says is shown. */
static bool in_force(const struct maui_value *value)
{
	return value && (maui_value_given(value) || value->key->area != MAUI_AREA_SLURM);
}

/* GRESWEIGHT[gpu] */
static void append_gres(struct json_object *array, const struct maui_config *config,
			enum maui_key key)
{
	const struct maui_value *const *values;
	size_t count = maui_config_parameters(config, &values);

	for (size_t i = 0; i < count; i++)
		if (values[i]->key->key == key && values[i]->gres)
			append_value(array, values[i], &(struct place){0});
}

static void append_parameter(struct json_object *array, const struct maui_config *config,
			     enum maui_key key)
{
	const struct maui_value *global = maui_config_get(config, key, NULL);
	const char *const *indices;
	size_t count = maui_key_info(key)->indexed ? maui_config_indices(config, &indices) : 0;

	if (in_force(global))
		append_value(array, global, &(struct place){0});
	if (maui_key_info(key)->gres)
		append_gres(array, config, key);
	for (size_t i = 0; i < count; i++) {
		const struct maui_value *value = maui_config_get(config, key, indices[i]);

		if (value && value != global) /* the partition has one of its own */
			append_value(array, value, &(struct place){.index = indices[i]});
	}
}

/* SIM* and BANK*: one key for many names, none of which has an effect. */
static bool is_family(const struct maui_key_info *info)
{
	return strchr(info->name, '*') != NULL;
}

static void append_parameters(struct json_object *array, const struct maui_config *config)
{
	for (enum maui_key key = 0; key < MAUI_KEYS; key++) {
		const struct maui_key_info *info = maui_key_info(key);

		if (info && (info->sections & MAUI_IN(MAUI_PARAMETERS)) && !is_family(info))
			append_parameter(array, config, key);
	}
}

static void append_section(struct json_object *array, const struct maui_config *config,
			   enum maui_section section)
{
	const struct maui_object *const *objects;
	size_t count = maui_config_objects(config, section, &objects);

	for (size_t i = 0; i < count; i++) {
		const struct place place = {
			.section = maui_section_name(section),
			.name = section == MAUI_SYSCFG ? NULL : maui_object_name(objects[i]),
		};
		const struct maui_value *const *values;
		size_t size = maui_object_values(objects[i], &values);

		for (size_t j = 0; j < size; j++)
			append_value(array, values[j], &place);
	}
}

struct json_object *maui_report_config(const struct maui_config *config)
{
	struct json_object *object = json_make_object(), *values = json_make_array();

	json_add(object, "path", json_make_text(maui_config_path(config)));
	json_add(object, "values", values);
	append_parameters(values, config);
	for (enum maui_section section = MAUI_SYSCFG; section < MAUI_SECTIONS; section++)
		append_section(values, config, section);
	return object;
}
