/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Weights of 0: a PRIORITY, a target or a weight that comes to nothing because what it is multiplied
 * with is 0 in every partition.
 */
#include "contribs/maui/check/check.h"

#include <string.h>

#include "common/policy/fairshare.h"

#define END MAUI_KEYS

/* A component's weight, and those of its subcomponents. */
struct component {
	enum maui_key weight;
	enum maui_key subs[12]; /* ends with END */
};

#define WEIGHT(NAME) MAUI_KEY_##NAME##WEIGHT

static const struct component components[] = {
	{WEIGHT(CRED),
	 {WEIGHT(USER), WEIGHT(GROUP), WEIGHT(ACCOUNT), WEIGHT(QOS), WEIGHT(CLASS), END}},
	{WEIGHT(FS),
	 {WEIGHT(FSUSER), WEIGHT(FSGROUP), WEIGHT(FSACCOUNT), WEIGHT(FSQOS), WEIGHT(FSCLASS), END}},
	{WEIGHT(SERV),
	 {WEIGHT(QUEUETIME), WEIGHT(XFACTOR), WEIGHT(SPVIOLATION), WEIGHT(BYPASS), END}},
	{WEIGHT(TARG), {WEIGHT(TARGETQUEUETIME), WEIGHT(TARGETXFACTOR), END}},
	{WEIGHT(RES),
	 {WEIGHT(NODE), WEIGHT(PROC), WEIGHT(MEM), WEIGHT(SWAP), WEIGHT(DISK), WEIGHT(PS),
	  WEIGHT(PE), WEIGHT(WALLTIME), END}},
	{WEIGHT(USAGE),
	 {WEIGHT(USAGECONSUMED), WEIGHT(USAGEREMAINING), WEIGHT(USAGEEXECUTIONTIME),
	  WEIGHT(USAGEPERCENT), END}},
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const char *name_of(enum maui_key key)
{
	return maui_key_info(key)->name;
}

static double weight_of(const struct maui_config *config, enum maui_key key, const char *index)
{
	const struct maui_value *value = maui_config_get(config, key, index);

	return value ? value->real : 0;
}

/* Whether both weights act together in any partition; END in place of one: it does not matter. */
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

/* The first of the two that is 0 everywhere; the component if each is somewhere, but never both. */
static const char *which_is_zero(const struct maui_config *config, enum maui_key component,
				 enum maui_key sub)
{
	return act_together(config, component, END) && !act_together(config, END, sub)
		       ? name_of(sub)
		       : name_of(component);
}

/* Any attribute of QOS adds to a weight of the service component: QTWEIGHT, XFWEIGHT. */
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

static bool has_other_source(const struct maui_config *config, enum maui_key component)
{
	if (component == WEIGHT(SERV))
		return any_object_says(config, MAUI_QOSCFG, MAUI_ATTR_QTWEIGHT) ||
		       any_object_says(config, MAUI_QOSCFG, MAUI_ATTR_XFWEIGHT);
	return component == WEIGHT(CRED) &&
	       any_object_says(config, MAUI_GROUPCFG, MAUI_ATTR_CLASSWEIGHT);
}

/* ---- the weights' own lines ------------------------------------------------------------------ */

/* The value that a line gives for an index itself; NULL if none does, or it is 0. */
static const struct maui_value *given(const struct maui_config *config, enum maui_key key,
				      const char *index)
{
	const struct maui_value *value = maui_config_get(config, key, index);

	if (!value || !maui_value_given(value) || value->real == 0 ||
	    (index && value == maui_config_get(config, key, NULL)))
		return NULL;
	return value;
}

static bool any_sub(const struct maui_config *config, const struct component *component)
{
	for (const enum maui_key *sub = component->subs; *sub != END; sub++)
		if (act_together(config, component->weight, *sub))
			return true;
	return has_other_source(config, component->weight);
}

static void check_component(const struct maui_config *config, struct findings *findings,
			    const struct component *component, const char *index, bool fairshare)
{
	const struct maui_value *value = given(config, component->weight, index);

	if (value && component->weight == WEIGHT(FS) && !fairshare)
		findings_useless(
			findings, &value->origin,
			"%s has no effect: FSPOLICY is [NONE], so nothing is counted; write "
			"FSPOLICY DEDICATEDPS",
			value->key->name);
	else if (value && !any_sub(config, component))
		findings_useless(findings, &value->origin,
				 "%s has no effect: the weights of its parts (%s, ...) are all 0",
				 value->key->name, name_of(component->subs[0]));
	for (const enum maui_key *sub = component->subs; *sub != END; sub++) {
		value = given(config, *sub, index);
		if (!value || maui_key_info(*sub)->missing ||
		    (index ? weight_of(config, component->weight, index) != 0
			   : act_together(config, component->weight, *sub)))
			continue;
		if (index)
			findings_useless(
				findings, &value->origin,
				"%s[%.60s] has no effect: %s is 0 there, write %s[%.60s] 1",
				value->key->name, index, name_of(component->weight),
				name_of(component->weight), index);
		else
			findings_useless(findings, &value->origin,
					 "%s has no effect: %s is 0, write %s 1", value->key->name,
					 name_of(component->weight), name_of(component->weight));
	}
}

/* ---- what credentials' lines say -------------------------------------------------------------- */

static const struct {
	enum maui_section section;
	enum maui_key key, component, sub;
} factors[] = {
	{MAUI_USERCFG, MAUI_ATTR_PRIORITY, WEIGHT(CRED), WEIGHT(USER)},
	{MAUI_GROUPCFG, MAUI_ATTR_PRIORITY, WEIGHT(CRED), WEIGHT(GROUP)},
	{MAUI_ACCOUNTCFG, MAUI_ATTR_PRIORITY, WEIGHT(CRED), WEIGHT(ACCOUNT)},
	{MAUI_QOSCFG, MAUI_ATTR_PRIORITY, WEIGHT(CRED), WEIGHT(QOS)},
	{MAUI_CLASSCFG, MAUI_ATTR_PRIORITY, WEIGHT(CRED), WEIGHT(CLASS)},
	{MAUI_USERCFG, MAUI_ATTR_FSTARGET, WEIGHT(FS), WEIGHT(FSUSER)},
	{MAUI_GROUPCFG, MAUI_ATTR_FSTARGET, WEIGHT(FS), WEIGHT(FSGROUP)},
	{MAUI_ACCOUNTCFG, MAUI_ATTR_FSTARGET, WEIGHT(FS), WEIGHT(FSACCOUNT)},
	{MAUI_QOSCFG, MAUI_ATTR_FSTARGET, WEIGHT(FS), WEIGHT(FSQOS)},
	{MAUI_CLASSCFG, MAUI_ATTR_FSTARGET, WEIGHT(FS), WEIGHT(FSCLASS)},
	{MAUI_QOSCFG, MAUI_ATTR_QTTARGET, WEIGHT(TARG), WEIGHT(TARGETQUEUETIME)},
	{MAUI_QOSCFG, MAUI_ATTR_XFTARGET, WEIGHT(TARG), WEIGHT(TARGETXFACTOR)},
	{MAUI_QOSCFG, MAUI_ATTR_QTWEIGHT, WEIGHT(SERV), END},
	{MAUI_QOSCFG, MAUI_ATTR_XFWEIGHT, WEIGHT(SERV), END},
	{MAUI_GROUPCFG, MAUI_ATTR_CLASSWEIGHT, WEIGHT(CRED), END},
};

static bool is_zero(const struct maui_value *value)
{
	return value->key->kind == MAUI_KIND_REAL ? value->real == 0
	       : value->key->kind == MAUI_KIND_FSTARGET
		       ? false /* a target of 0 is one: nothing is to be used */
		       : value->integer == 0;
}

/* A cap is no part of the priority: it stops jobs whatever the weights are. */
static bool is_cap(const struct maui_value *value)
{
	return value->key->kind == MAUI_KIND_FSTARGET && value->mark && strchr("%^", value->mark);
}

static void check_value(const struct maui_config *config, struct findings *findings, size_t factor,
			const struct maui_object *object, const struct maui_value *value,
			bool fairshare)
{
	const char *section = maui_section_name(factors[factor].section);
	const char *zero;

	if (is_zero(value))
		return;
	if (value->key->key == MAUI_ATTR_FSTARGET && !fairshare) {
		findings_useless(
			findings, &value->origin,
			"%s[%.60s]: FSTARGET has no effect: FSPOLICY is [NONE], so nothing "
			"is counted; write FSPOLICY DEDICATEDPS",
			section, maui_object_name(object));
		return;
	}
	if (is_cap(value) || act_together(config, factors[factor].component, factors[factor].sub))
		return;
	if (factors[factor].sub == WEIGHT(CLASS) && has_other_source(config, WEIGHT(CRED)) &&
	    act_together(config, WEIGHT(CRED), END))
		return;
	zero = factors[factor].sub == END
		       ? name_of(factors[factor].component)
		       : which_is_zero(config, factors[factor].component, factors[factor].sub);
	findings_useless(findings, &value->origin,
			 "%s[%.60s]: %s has no effect: %s is 0, write %s 1", section,
			 maui_object_name(object), value->key->name, zero, zero);
}

void check_weights(const struct maui_config *config, struct findings *findings)
{
	struct maui_fairshare_settings settings;
	const char *const *names;
	size_t count = maui_config_indices(config, &names);
	bool fairshare;

	maui_fairshare_settings(config, &settings);
	fairshare = settings.metric != MAUI_FS_OFF;
	for (size_t i = 0; i < COUNT(components); i++) {
		check_component(config, findings, &components[i], NULL, fairshare);
		for (size_t k = 0; k < count; k++)
			check_component(config, findings, &components[i], names[k], fairshare);
	}
	for (size_t i = 0; i < COUNT(factors); i++) {
		const struct maui_object *const *objects;

		count = maui_config_objects(config, factors[i].section, &objects);
		for (size_t k = 0; k < count; k++) {
			const struct maui_value *value =
				maui_object_get(objects[k], factors[i].key);

			if (value)
				check_value(config, findings, i, objects[k], value, fairshare);
		}
	}
}
