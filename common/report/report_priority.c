/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Priority as JSON: the weights of a partition, and one job's terms. "diagnose-priority" of
 * service.md.
 */
#include "common/report/report.h"

#include "common/report/json.h"

/* The attribute of QOSCFG that adds to a subcomponent's weight; MAUI_KEYS if there is none. */
static enum maui_key qos_attribute(enum maui_subcomponent sub)
{
	switch (sub) {
	case MAUI_SERV_QUEUETIME:
		return MAUI_ATTR_QTWEIGHT;
	case MAUI_SERV_XFACTOR:
		return MAUI_ATTR_XFWEIGHT;
	default:
		return MAUI_KEYS;
	}
}

static bool any_qos_weighs(const struct maui_config *config, enum maui_key attribute)
{
	const struct maui_object *const *objects;
	size_t count;

	if (attribute == MAUI_KEYS)
		return false;
	count = maui_config_objects(config, MAUI_QOSCFG, &objects);
	for (size_t i = 0; i < count; i++) {
		const struct maui_value *value = maui_object_get(objects[i], attribute);

		if (!value)
			continue;
		if (value->key->kind == MAUI_KIND_REAL ? value->real > 0 : value->integer > 0)
			return true;
	}
	return false;
}

/* What components and subcomponents have in common. */
static void add_weight(struct json_object *object, const char *name, const char *label,
		       double weight, double cap)
{
	json_add(object, "name", json_make_text(name));
	json_add(object, "label", json_make_text(label));
	json_add(object, "weight", json_make_decimal(weight));
	json_add(object, "cap", json_make_decimal(cap));
}

static struct json_object *render_sub_weight(const struct maui_priority_weights *weights,
					     enum maui_subcomponent sub,
					     const struct maui_config *config)
{
	const struct maui_subcomponent_info *info = &maui_subcomponents[sub];
	struct json_object *object = json_make_object();

	add_weight(object, info->name, info->label, weights->sub[sub], weights->sub_cap[sub]);
	json_add(object, "qos_weight", json_make_flag(any_qos_weighs(config, qos_attribute(sub))));
	return object;
}

static struct json_object *render_weight(const struct maui_priority_weights *weights,
					 enum maui_component component,
					 const struct maui_config *config)
{
	const struct maui_component_info *info = &maui_components[component];
	struct json_object *object = json_make_object(), *subs = json_make_array();

	add_weight(object, info->name, info->label, weights->component[component],
		   weights->component_cap[component]);
	json_add(object, "subcomponents", subs);
	for (enum maui_subcomponent sub = info->first; sub <= info->last; sub++)
		json_append(subs, render_sub_weight(weights, sub, config));
	return object;
}

struct json_object *maui_report_weights(const struct maui_priority_weights *weights,
					const struct maui_config *config)
{
	struct json_object *array = json_make_array();

	for (enum maui_component component = 0; component < MAUI_COMPONENTS; component++)
		json_append(array, render_weight(weights, component, config));
	return array;
}

static void add_sub_term(struct json_object *parent, const struct maui_priority_terms *terms,
			 enum maui_subcomponent sub)
{
	struct json_object *object = json_make_object();

	json_add(parent, maui_subcomponents[sub].name, object);
	json_add(object, "weight", json_make_decimal(terms->weight[sub]));
	json_add(object, "factor", json_make_decimal(terms->factor[sub]));
}

static void add_term(struct json_object *parent, const struct maui_priority_terms *terms,
		     enum maui_component component)
{
	const struct maui_component_info *info = &maui_components[component];
	struct json_object *object = json_make_object(), *subs = json_make_object();

	json_add(parent, info->name, object);
	json_add(object, "weight", json_make_decimal(terms->component_weight[component]));
	json_add(object, "value", json_make_decimal(terms->component[component]));
	json_add(object, "subcomponents", subs);
	for (enum maui_subcomponent sub = info->first; sub <= info->last; sub++)
		add_sub_term(subs, terms, sub);
}

struct json_object *maui_report_terms(const struct maui_priority_terms *terms)
{
	struct json_object *object = json_make_object();

	for (enum maui_component component = 0; component < MAUI_COMPONENTS; component++)
		add_term(object, terms, component);
	return object;
}
