/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Priority as JSON: the weights of a partition, and one job's terms. "diagnose-priority" of
 * service.md.
 */
#include "common/report/report.h"

#include "common/report/number.h"

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
static bool add_weight(struct json_object *object, const char *name, const char *label,
		       double weight, double cap)
{
	return maui_report_add_text(object, "name", name) &&
	       maui_report_add_text(object, "label", label) &&
	       maui_report_add_number(object, "weight", weight) &&
	       maui_report_add_number(object, "cap", cap);
}

static struct json_object *render_sub_weight(const struct maui_priority_weights *weights,
					     enum maui_subcomponent sub,
					     const struct maui_config *config)
{
	const struct maui_subcomponent_info *info = &maui_subcomponents[sub];
	struct json_object *object = json_object_new_object();
	bool qos = any_qos_weighs(config, qos_attribute(sub));

	if (!object)
		return NULL;
	if (add_weight(object, info->name, info->label, weights->sub[sub], weights->sub_cap[sub]) &&
	    maui_report_add_new(object, "qos_weight", json_object_new_boolean(qos)))
		return object;
	json_object_put(object);
	return NULL;
}

static bool add_sub_weights(struct json_object *object, const struct maui_priority_weights *weights,
			    enum maui_component component, const struct maui_config *config)
{
	const struct maui_component_info *info = &maui_components[component];
	struct json_object *array = json_object_new_array();

	if (!maui_report_add_new(object, "subcomponents", array))
		return false;
	for (enum maui_subcomponent sub = info->first; sub <= info->last; sub++)
		if (!maui_report_append(array, render_sub_weight(weights, sub, config)))
			return false;
	return true;
}

static struct json_object *render_weight(const struct maui_priority_weights *weights,
					 enum maui_component component,
					 const struct maui_config *config)
{
	const struct maui_component_info *info = &maui_components[component];
	struct json_object *object = json_object_new_object();

	if (!object)
		return NULL;
	if (add_weight(object, info->name, info->label, weights->component[component],
		       weights->component_cap[component]) &&
	    add_sub_weights(object, weights, component, config))
		return object;
	json_object_put(object);
	return NULL;
}

struct json_object *maui_report_weights(const struct maui_priority_weights *weights,
					const struct maui_config *config)
{
	struct json_object *array = json_object_new_array();

	if (!array)
		return NULL;
	for (enum maui_component component = 0; component < MAUI_COMPONENTS; component++) {
		if (!maui_report_append(array, render_weight(weights, component, config))) {
			json_object_put(array);
			return NULL;
		}
	}
	return array;
}

static bool add_sub_term(struct json_object *parent, const struct maui_priority_terms *terms,
			 enum maui_subcomponent sub)
{
	struct json_object *object = json_object_new_object();

	return maui_report_add_new(parent, maui_subcomponents[sub].name, object) &&
	       maui_report_add_number(object, "weight", terms->weight[sub]) &&
	       maui_report_add_number(object, "factor", terms->factor[sub]);
}

static bool add_term(struct json_object *parent, const struct maui_priority_terms *terms,
		     enum maui_component component)
{
	const struct maui_component_info *info = &maui_components[component];
	struct json_object *object = json_object_new_object();
	struct json_object *subs;

	if (!maui_report_add_new(parent, info->name, object) ||
	    !maui_report_add_number(object, "weight", terms->component_weight[component]) ||
	    !maui_report_add_number(object, "value", terms->component[component]))
		return false;
	subs = json_object_new_object();
	if (!maui_report_add_new(object, "subcomponents", subs))
		return false;
	for (enum maui_subcomponent sub = info->first; sub <= info->last; sub++)
		if (!add_sub_term(subs, terms, sub))
			return false;
	return true;
}

struct json_object *maui_report_terms(const struct maui_priority_terms *terms)
{
	struct json_object *object = json_object_new_object();

	if (!object)
		return NULL;
	for (enum maui_component component = 0; component < MAUI_COMPONENTS; component++) {
		if (!add_term(object, terms, component)) {
			json_object_put(object);
			return NULL;
		}
	}
	return object;
}
