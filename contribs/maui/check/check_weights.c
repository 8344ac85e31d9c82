/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Weights of 0: a PRIORITY, a target or a weight without effect because it is multiplied by 0 in
 * every partition.
 */
#include "contribs/maui/check/check.h"

#include <string.h>

#include "common/policy/fairshare/fairshare.h"
#include "common/policy/priority/priority.h"

#define END MAUI_KEYS

#define UNCOUNTED                                                                                  \
	"has no effect: FSPOLICY is [NONE], so nothing is counted; write FSPOLICY DEDICATEDPS"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const char *name_of(enum maui_key key)
{
	return maui_key_info(key)->name;
}

static double weight_of(const struct maui_config *config, enum maui_key key, const char *index)
{
	const struct maui_value *value = maui_config_get(config, key, index);

	if (key == MAUI_KEY_GRESWEIGHT)
		return maui_priority_gres_weight(config);
	return value ? value->real : 0;
}

/* Whether both weights act together in any partition; END in place of one: ignore it. */
static bool act_together(const struct maui_config *config, enum maui_key component,
			 enum maui_key sub)
{
	const char *const *names;
	size_t count = maui_config_indices(config, &names);

	for (size_t i = 0; i <= count; i++) {
		const char *index = i < count ? names[i] : NULL;

		if ((component == END || weight_of(config, component, index) != 0) &&
		    (sub == END || weight_of(config, sub, index) != 0))
			return true;
	}
	return false;
}

/* The first of the two that is 0 everywhere; the component if each is nonzero somewhere, but never
 * both. */
static const char *which_is_zero(const struct maui_config *config, enum maui_key component,
				 enum maui_key sub)
{
	return act_together(config, component, END) && !act_together(config, END, sub)
		       ? name_of(sub)
		       : name_of(component);
}

/* Any attribute of a QOS adds to a weight of the service component: QTWEIGHT, XFWEIGHT. */
static bool any_object_says(const struct maui_config *config, enum maui_section section,
			    enum maui_key key)
{
	const struct maui_object *const *objects;
	size_t count = maui_config_objects(config, section, &objects);

	for (size_t i = 0; i < count; i++) {
		const struct maui_value *value = maui_object_get(objects[i], key);

		if (value && value->real != 0)
			return true;
	}
	return false;
}

static bool has_other_source(const struct maui_config *config, enum maui_component component)
{
	if (component == MAUI_SERV)
		return any_object_says(config, MAUI_QOSCFG, MAUI_ATTR_QTWEIGHT) ||
		       any_object_says(config, MAUI_QOSCFG, MAUI_ATTR_XFWEIGHT);
	return component == MAUI_CRED &&
	       any_object_says(config, MAUI_GROUPCFG, MAUI_ATTR_CLASSWEIGHT);
}

/* ---- the weights' own lines ------------------------------------------------------------------ */

/* The value that a line gives for an index itself; NULL if none does, or it is 0. */
static const struct maui_value *check_weights_given(const struct maui_config *config,
						    enum maui_key key, const char *index)
{
	const struct maui_value *value = maui_config_get(config, key, index);

	if (!value || !maui_value_given(value) || value->real == 0 ||
	    (index && value == maui_config_get(config, key, NULL)))
		return NULL;
	return value;
}

static bool any_sub(const struct maui_config *config, enum maui_component component)
{
	const struct maui_component_info *info = &maui_components[component];

	for (unsigned int sub = info->first; sub <= info->last; sub++)
		if (act_together(config, info->weight_key, maui_subcomponents[sub].weight_key))
			return true;
	return has_other_source(config, component);
}

static void check_sub(const struct maui_config *config, struct findings *findings,
		      enum maui_subcomponent sub, const char *index)
{
	const struct maui_subcomponent_info *info = &maui_subcomponents[sub];
	enum maui_key component = maui_components[info->component].weight_key;
	const struct maui_value *value = check_weights_given(config, info->weight_key, index);

	if (sub == MAUI_RES_GRES && !index) {
		const struct maui_value *named = maui_priority_gres_first(config);

		if (value && !named) {
			findings_useless(findings, &value->origin,
					 "%s has no effect: no line names a GRES, write %s[gpu] 1",
					 value->key->name, value->key->name);
			return;
		}
		value = named;
	}
	if (!value || maui_key_info(info->weight_key)->missing ||
	    (index ? weight_of(config, component, index) != 0
		   : act_together(config, component, info->weight_key)))
		return;
	if (index)
		findings_useless(findings, &value->origin,
				 "%s[%.60s] has no effect: %s is 0 there, write %s[%.60s] 1",
				 value->key->name, index, name_of(component), name_of(component),
				 index);
	else
		findings_useless(findings, &value->origin, "%s has no effect: %s is 0, write %s 1",
				 value->key->name, name_of(component), name_of(component));
}

/* Without FSPOLICY, FSTREEWEIGHT alone acts. */
static void check_uncounted(const struct maui_config *config, struct findings *findings,
			    const char *index)
{
	for (unsigned int sub = maui_components[MAUI_FS].first; sub < MAUI_FS_TREE; sub++) {
		const struct maui_value *value =
			check_weights_given(config, maui_subcomponents[sub].weight_key, index);

		if (value)
			findings_useless(findings, &value->origin, "%s " UNCOUNTED,
					 value->key->name);
	}
}

/* any: whether it acts together with any of its parts. */
static void check_component(const struct maui_config *config, struct findings *findings,
			    enum maui_component component, const char *index, bool fairshare,
			    bool any)
{
	const struct maui_component_info *info = &maui_components[component];
	const struct maui_value *value = check_weights_given(config, info->weight_key, index);

	if (component == MAUI_FS && !fairshare &&
	    act_together(config, info->weight_key, MAUI_KEY_FSTREEWEIGHT))
		check_uncounted(config, findings, index);
	else if (value && component == MAUI_FS && !fairshare)
		findings_useless(findings, &value->origin, "%s " UNCOUNTED, value->key->name);
	else if (value && !any)
		findings_useless(findings, &value->origin,
				 "%s has no effect: the weights of its parts (%s, ...) are all 0",
				 value->key->name,
				 name_of(maui_subcomponents[info->first].weight_key));
	for (unsigned int sub = info->first; sub <= info->last; sub++)
		check_sub(config, findings, sub, index);
}

/* ---- what credentials' lines say ------------------------------------------------------------- */

/* An attribute of credentials, and the weights that turn it into priority. */
struct factor {
	enum maui_section section;
	enum maui_key key;
	enum maui_component component;
	enum maui_key sub; /* a subcomponent's weight; END: only the component's */
};

static struct factor factor_of(enum maui_section section, enum maui_key key,
			       enum maui_subcomponent sub)
{
	const struct maui_subcomponent_info *info = &maui_subcomponents[sub];

	return (struct factor){section, key, info->component, info->weight_key};
}

static bool is_zero(const struct maui_value *value)
{
	return value->key->kind == MAUI_KIND_REAL ? value->real == 0
	       : value->key->kind == MAUI_KIND_FSTARGET
		       ? false /* 0 is a target, too: nothing may be used */
		       : value->integer == 0;
}

/* A cap is not part of the priority: it stops jobs whatever the weights are. */
static bool is_cap(const struct maui_value *value)
{
	return value->key->kind == MAUI_KIND_FSTARGET && value->mark && strchr("%^", value->mark);
}

/* The weight that is 0, so that the factor adds nothing; NULL if it does. */
static const char *zero_weight(const struct maui_config *config, const struct factor *factor)
{
	enum maui_key component = maui_components[factor->component].weight_key;

	if (act_together(config, component, factor->sub))
		return NULL;
	if (factor->sub == maui_subcomponents[MAUI_CRED_CLASS].weight_key &&
	    has_other_source(config, MAUI_CRED) && act_together(config, component, END))
		return NULL;
	return factor->sub == END ? name_of(component)
				  : which_is_zero(config, component, factor->sub);
}

static void check_value(struct findings *findings, const struct factor *factor,
			const struct maui_object *object, const struct maui_value *value,
			const char *zero, bool fairshare)
{
	const char *section = maui_section_name(factor->section);

	if (is_zero(value))
		return;
	if (value->key->key == MAUI_ATTR_FSTARGET && !fairshare) {
		findings_useless(findings, &value->origin, "%s[%.60s]: FSTARGET " UNCOUNTED,
				 section, maui_object_name(object));
		return;
	}
	if (is_cap(value) || !zero)
		return;
	findings_useless(findings, &value->origin,
			 "%s[%.60s]: %s has no effect: %s is 0, write %s 1", section,
			 maui_object_name(object), value->key->name, zero, zero);
}

static void check_factor(const struct maui_config *config, struct findings *findings,
			 struct factor factor, bool fairshare)
{
	const struct maui_object *const *objects;
	size_t count = maui_config_objects(config, factor.section, &objects);
	const char *zero = zero_weight(config, &factor);

	for (size_t i = 0; i < count; i++) {
		const struct maui_value *value = maui_object_get(objects[i], factor.key);

		if (value)
			check_value(findings, &factor, objects[i], value, zero, fairshare);
	}
}

static void check_factors(const struct maui_config *config, struct findings *findings,
			  bool fairshare)
{
	static const struct factor added[] = {
		{MAUI_QOSCFG, MAUI_ATTR_QTWEIGHT, MAUI_SERV, END},
		{MAUI_QOSCFG, MAUI_ATTR_XFWEIGHT, MAUI_SERV, END},
		{MAUI_GROUPCFG, MAUI_ATTR_CLASSWEIGHT, MAUI_CRED, END},
	};
	static const struct {
		enum maui_key key;
		enum maui_subcomponent sub;
	} targets[] = {{MAUI_ATTR_QTTARGET, MAUI_TARG_QUEUETIME},
		       {MAUI_ATTR_XFTARGET, MAUI_TARG_XFACTOR}};

	for (unsigned int type = 0; type < MAUI_CREDENTIALS; type++) {
		enum maui_section section = maui_credential_section(type);

		check_factor(config, findings,
			     factor_of(section, MAUI_ATTR_PRIORITY, MAUI_CRED_USER + type),
			     fairshare);
		check_factor(config, findings,
			     factor_of(section, MAUI_ATTR_FSTARGET, MAUI_FS_USER + type),
			     fairshare);
	}
	for (size_t i = 0; i < COUNT(targets); i++)
		check_factor(config, findings,
			     factor_of(MAUI_QOSCFG, targets[i].key, targets[i].sub), fairshare);
	for (size_t i = 0; i < COUNT(added); i++)
		check_factor(config, findings, added[i], fairshare);
}

void check_weights(const struct maui_config *config, struct findings *findings)
{
	struct maui_fairshare_settings settings;
	const char *const *names;
	size_t count = maui_config_indices(config, &names);
	bool fairshare;

	maui_fairshare_settings(config, &settings);
	fairshare = settings.metric != MAUI_FS_OFF;
	for (unsigned int component = 0; component < MAUI_COMPONENTS; component++) {
		bool any = any_sub(config, component);

		check_component(config, findings, component, NULL, fairshare, any);
		for (size_t i = 0; i < count; i++)
			check_component(config, findings, component, names[i], fairshare, any);
	}
	check_factors(config, findings, fairshare);
}
