/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The policy in force as JSON, "showconfig" of service.md: parameters in the order of the key
 * table, each followed by the values of partitions, then the sections object by object.
 */
#include "common/report/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/report/number.h"

/* Where a value is in a configuration. */
struct place {
	const char *index;   /* of a parameter; NULL: global */
	const char *section; /* NULL: a parameter */
	const char *name;    /* of the object; NULL for SYSCFG */
};

static bool add_origin(struct json_object *object, const struct maui_value *value)
{
	const struct maui_origin *origin = &value->origin;
	struct json_object *place;

	if (!maui_value_given(value))
		return maui_report_add(object, "origin", NULL);
	place = json_object_new_object();
	return maui_report_add_new(object, "origin", place) &&
	       maui_report_add_text(place, "file", origin->file) &&
	       maui_report_add_new(place, "line", json_object_new_int64(origin->line)) &&
	       maui_report_add_new(place, "column", json_object_new_int64(origin->column));
}

/* A cumulative list has more than the last line's text. */
static struct json_object *render_list(const struct maui_value *value)
{
	struct json_object *string;
	char *text = NULL;
	size_t size;
	FILE *stream = open_memstream(&text, &size);

	if (!stream)
		return NULL;
	for (size_t i = 0; i < value->list_size; i++)
		fprintf(stream, "%s%s", i ? "," : "", value->list[i]);
	string = fclose(stream) == 0 ? json_object_new_string_len(text, (int)size) : NULL;
	free(text);
	return string;
}

static struct json_object *render_text(const struct maui_value *value)
{
	if (value->key->cumulative && value->list_size)
		return render_list(value);
	return json_object_new_string(value->text ? value->text : "");
}

/* MAXJOB, MAXJOB[USER], MAXJOB[USER:bob], MAXGRES[gpu], MAXGRES[gpu,USER,PERIOD:night] */
static bool add_parameter(struct json_object *object, const struct maui_value *value)
{
	const char *dimension =
		value->has_dimension ? maui_credential_dimension(value->dimension) : "";
	const char *name = value->dimension_name ? value->dimension_name : "";
	struct json_object *string;
	char *text;

	if (!value->has_dimension && !value->gres && !value->period)
		return maui_report_add_text(object, "parameter", value->key->name);
	if (asprintf(&text, "%s[%s%s%s%s%s%s%s%s]", value->key->name,
		     value->gres ? value->gres_name : "",
		     value->gres && value->has_dimension ? "," : "", dimension, *name ? ":" : "",
		     name, value->period && (value->gres || value->has_dimension) ? "," : "",
		     value->period ? "PERIOD:" : "", value->period ? value->period_name : "") < 0)
		return false;
	string = json_object_new_string(text);
	free(text);
	return maui_report_add_new(object, "parameter", string);
}

static bool append_value(struct json_object *array, const struct maui_value *value,
			 const struct place *place)
{
	struct json_object *object = json_object_new_object();

	return maui_report_append(array, object) && add_parameter(object, value) &&
	       maui_report_add_text(object, "index", place->index) &&
	       maui_report_add_text(object, "section", place->section) &&
	       maui_report_add_text(object, "name", place->name) &&
	       maui_report_add_new(object, "value", render_text(value)) &&
	       add_origin(object, value);
}

/* Where Slurm does Maui's job, defaults are not in force: only what the file says is shown. */
static bool in_force(const struct maui_value *value)
{
	return value && (maui_value_given(value) || value->key->area != MAUI_AREA_SLURM);
}

/* GRESWEIGHT[gpu] */
static bool append_gres(struct json_object *array, const struct maui_config *config,
			enum maui_key key)
{
	const struct maui_value *const *values;
	size_t count = maui_config_parameters(config, &values);

	for (size_t i = 0; i < count; i++)
		if (values[i]->key->key == key && values[i]->gres &&
		    !append_value(array, values[i], &(struct place){0}))
			return false;
	return true;
}

static bool append_parameter(struct json_object *array, const struct maui_config *config,
			     enum maui_key key)
{
	const struct maui_value *global = maui_config_get(config, key, NULL);
	const char *const *indices;
	size_t count = maui_config_indices(config, &indices);

	if (in_force(global) && !append_value(array, global, &(struct place){0}))
		return false;
	if (maui_key_info(key)->gres && !append_gres(array, config, key))
		return false;
	if (!maui_key_info(key)->indexed)
		return true;
	for (size_t i = 0; i < count; i++) {
		const struct maui_value *value = maui_config_get(config, key, indices[i]);

		if (!value || value == global) /* the partition has none of its own */
			continue;
		if (!append_value(array, value, &(struct place){.index = indices[i]}))
			return false;
	}
	return true;
}

/* SIM* and BANK*: one key for many names, none of which has an effect. */
static bool is_family(const struct maui_key_info *info)
{
	return strchr(info->name, '*') != NULL;
}

static bool append_parameters(struct json_object *array, const struct maui_config *config)
{
	for (enum maui_key key = 0; key < MAUI_KEYS; key++) {
		const struct maui_key_info *info = maui_key_info(key);

		if (!info || !(info->sections & MAUI_IN(MAUI_PARAMETERS)) || is_family(info))
			continue;
		if (!append_parameter(array, config, key))
			return false;
	}
	return true;
}

static bool append_section(struct json_object *array, const struct maui_config *config,
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
			if (!append_value(array, values[j], &place))
				return false;
	}
	return true;
}

static bool append_sections(struct json_object *array, const struct maui_config *config)
{
	for (enum maui_section section = MAUI_SYSCFG; section < MAUI_SECTIONS; section++)
		if (!append_section(array, config, section))
			return false;
	return true;
}

struct json_object *maui_report_config(const struct maui_config *config)
{
	struct json_object *object = json_object_new_object();
	struct json_object *values;

	if (!object)
		return NULL;
	if (maui_report_add_text(object, "path", maui_config_path(config))) {
		values = json_object_new_array();
		if (maui_report_add_new(object, "values", values) &&
		    append_parameters(values, config) && append_sections(values, config))
			return object;
	}
	json_object_put(object);
	return NULL;
}
