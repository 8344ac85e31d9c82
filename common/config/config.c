/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reading a loaded configuration. */
#include "common/config/config.h"

#include <string.h>

#include "common/config/objects.h"
#include "common/util/search.h"

struct maui_config *maui_config_ref(struct maui_config *config)
{
	if (config)
		atomic_fetch_add_explicit(&config->references, 1, memory_order_relaxed);
	return config;
}

struct maui_config *maui_config_unref(struct maui_config *config)
{
	if (config && atomic_fetch_sub_explicit(&config->references, 1, memory_order_acq_rel) == 1)
		maui_arena_free(config->arena);
	return NULL;
}

size_t maui_config_problems(const struct maui_config *config,
			    const struct maui_problem **ret_problems)
{
	if (ret_problems)
		*ret_problems = config->problems;
	return config->problem_count;
}

size_t maui_config_errors(const struct maui_config *config)
{
	return config->error_count;
}

size_t maui_config_unknown(const struct maui_config *config)
{
	return config->unknown_count;
}

const char *maui_config_path(const struct maui_config *config)
{
	return config->path;
}

bool maui_config_trusted(const struct maui_config *config)
{
	return !config->distrust;
}

const char *maui_config_distrust(const struct maui_config *config)
{
	return config->distrust;
}

const struct maui_value *maui_config_get(const struct maui_config *config, enum maui_key key,
					 const char *index)
{
	const struct maui_value *value = NULL;

	if ((unsigned int)key >= MAUI_KEYS)
		return NULL;
	if (index && *index && strcmp(index, "0"))
		value = maui_object_get(
			maui_config_find(config, MAUI_PARAMETERS, index, strlen(index)), key);
	if (!value)
		value = maui_object_get(maui_config_find(config, MAUI_PARAMETERS, "", 0), key);
	return value ? value : config->defaults[key];
}

size_t maui_config_parameters(const struct maui_config *config,
			      const struct maui_value *const **ret_values)
{
	return maui_object_values(maui_config_find(config, MAUI_PARAMETERS, "", 0), ret_values);
}

size_t maui_config_indices(const struct maui_config *config, const char *const **ret_names)
{
	if (ret_names)
		*ret_names = config->indices;
	return config->index_count;
}

size_t maui_config_gres(const struct maui_config *config, const char *const **ret_names)
{
	*ret_names = config->gres;
	return config->gres_count;
}

size_t maui_config_periods(const struct maui_config *config, const struct maui_period **ret_periods)
{
	*ret_periods = config->periods;
	return config->period_count;
}

const struct maui_node_gres *maui_config_node_gres(const struct maui_config *config)
{
	return &config->node_gres;
}

const struct maui_object *maui_config_object(const struct maui_config *config,
					     enum maui_section section, const char *name)
{
	if ((unsigned int)section >= MAUI_SECTIONS || section == MAUI_PARAMETERS)
		return NULL;
	if (!name || section == MAUI_SYSCFG)
		name = "";
	return maui_config_find(config, section, name, strlen(name));
}

size_t maui_config_objects(const struct maui_config *config, enum maui_section section,
			   const struct maui_object *const **ret_objects)
{
	static const struct maui_object *const none[1] = {NULL};
	bool known = (unsigned int)section < MAUI_SECTIONS && section != MAUI_PARAMETERS;
	size_t count = known ? config->sections[section].count : 0;

	if (ret_objects)
		*ret_objects = count ? config->sections[section].objects : none;
	return count;
}

const char *maui_object_name(const struct maui_object *object)
{
	return object ? object->name : "";
}

struct maui_origin maui_object_origin(const struct maui_object *object)
{
	return object->origin;
}

static int by_key(const void *key, const void *element)
{
	enum maui_key a = *(const enum maui_key *)key;
	enum maui_key b = (*(const struct maui_value *const *)element)->key->key;

	return a < b ? -1 : a > b;
}

const struct maui_value *maui_object_get(const struct maui_object *object, enum maui_key attribute)
{
	size_t at;

	if (!object)
		return NULL;
	/* The key's first value is the one without a GRES, dimension or period, if there is one. */
	at = maui_lower_bound(&attribute, object->values, object->value_count,
			      sizeof(*object->values), by_key);
	if (at == object->value_count || object->values[at]->key->key != attribute ||
	    object->values[at]->has_dimension || object->values[at]->gres ||
	    object->values[at]->period)
		return NULL;
	return object->values[at];
}

size_t maui_object_values(const struct maui_object *object,
			  const struct maui_value *const **ret_values)
{
	static const struct maui_value *const none[1] = {NULL};

	if (ret_values)
		*ret_values = object && object->value_count ? object->values : none;
	return object ? object->value_count : 0;
}

enum maui_section maui_credential_section(enum maui_credential type)
{
	static const enum maui_section sections[MAUI_CREDENTIALS] = {
		[MAUI_USER] = MAUI_USERCFG,       [MAUI_GROUP] = MAUI_GROUPCFG,
		[MAUI_ACCOUNT] = MAUI_ACCOUNTCFG, [MAUI_QOS] = MAUI_QOSCFG,
		[MAUI_CLASS] = MAUI_CLASSCFG,
	};

	return (unsigned int)type < MAUI_CREDENTIALS ? sections[type] : MAUI_SECTIONS;
}
