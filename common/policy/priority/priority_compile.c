/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A configuration as weights. Reads the WEIGHT and CAP of every component and subcomponent, the
 * global ones and those of each partition that a line names (FSWEIGHT[batch]); GRESWEIGHT[gpu],
 * XFMINWCLIMIT, ENABLENEGJOBPRIORITY and REJECTNEGPRIOJOBS.
 */
#include <stdlib.h>
#include <string.h>

#include "common/util/bounds.h"
#include "common/util/memory.h"
#include "common/policy/priority/priority_private.h"

#define NO_LIMIT 1e300 /* beyond any sum of bounded terms */

double maui_priority_number(const struct maui_value *value)
{
	if (!value || !value->key)
		return 0;
	switch (value->key->kind) {
	case MAUI_KIND_INTEGER:
	case MAUI_KIND_MEMORY:
	case MAUI_KIND_DURATION:
		return maui_bounded(value->integer);
	case MAUI_KIND_REAL:
	case MAUI_KIND_FSTARGET:
		return maui_bounded(value->real);
	default:
		return 0;
	}
}

static double priority_compile_parameter(const struct maui_config *config, enum maui_key key,
					 const char *partition)
{
	return maui_priority_number(maui_config_get(config, key, partition));
}

static bool priority_compile_enabled(const struct maui_config *config, enum maui_key key)
{
	const struct maui_value *value = maui_config_get(config, key, NULL);

	return value && value->boolean;
}

/* A cap as a limit; without one, a number beyond all others. */
static double limit_of(double cap, double none)
{
	return cap > 0 ? cap : none;
}

/* The lines GRESWEIGHT[GRES], which are not per partition. Returns how many; stops at room. */
static size_t gres_values(const struct maui_config *config, const struct maui_value **values,
			  size_t room)
{
	const struct maui_value *const *all;
	size_t count = maui_config_parameters(config, &all), used = 0;

	for (size_t i = 0; i < count && used < room; i++)
		if (all[i]->key->key == MAUI_KEY_GRESWEIGHT && all[i]->gres)
			values[used++] = all[i];
	return used;
}

const struct maui_value *maui_priority_gres_first(const struct maui_config *config)
{
	const struct maui_value *first;

	return gres_values(config, &first, 1) ? first : NULL;
}

double maui_priority_gres_weight(const struct maui_config *config)
{
	const struct maui_value *plain = maui_config_get(config, MAUI_KEY_GRESWEIGHT, NULL);

	if (plain && maui_value_given(plain))
		return maui_priority_number(plain);
	return maui_priority_gres_first(config) ? 1 : 0;
}

/* In one partition, by the numbers of a maui.cfg. Returns how many that one does not name. */
static size_t read_gres(const struct maui_config *config, const struct maui_config *numbers,
			struct maui_priority_weights *weights)
{
	const struct maui_value *values[MAUI_GRES_NAMES];
	const char *const *names;
	size_t count = gres_values(config, values, MAUI_GRES_NAMES), unknown = 0;
	size_t named = maui_config_gres(numbers, &names);

	weights->gres_mask = 0;
	memset(weights->gres, 0, sizeof(weights->gres));
	for (size_t i = 0; i < count; i++) {
		size_t at = 0;

		while (at < named && strcmp(names[at], values[i]->gres_name) != 0)
			at++;
		unknown += at == named;
		if (at == named || values[i]->real == 0)
			continue;
		weights->gres[at] = maui_priority_number(values[i]);
		weights->gres_mask |= UINT32_C(1) << at;
	}
	return unknown;
}

size_t maui_priority_number_by(struct maui_priority_policy *policy, const struct maui_config *other)
{
	uint32_t count = maui_intern_count(policy->partitions);
	size_t unknown = 0;

	for (uint32_t id = 0; id <= count; id++)
		unknown = read_gres(policy->config, other, &policy->weights[id]);
	return unknown;
}

static void read_weights(const struct maui_config *config, const char *partition,
			 struct maui_priority_weights *weights)
{
	for (int i = 0; i < MAUI_COMPONENTS; i++) {
		const struct maui_component_info *info = &maui_components[i];

		weights->component[i] =
			priority_compile_parameter(config, info->weight_key, partition);
		weights->component_cap[i] =
			maui_amount(priority_compile_parameter(config, info->cap_key, partition));
		weights->component_limit[i] = limit_of(weights->component_cap[i], NO_LIMIT);
	}
	for (int i = 0; i < MAUI_SUBCOMPONENTS; i++) {
		const struct maui_subcomponent_info *info = &maui_subcomponents[i];

		weights->sub[i] = priority_compile_parameter(config, info->weight_key, partition);
		weights->sub_cap[i] =
			maui_amount(priority_compile_parameter(config, info->cap_key, partition));
		weights->sub_limit[i] = limit_of(weights->sub_cap[i], MAUI_BOUND);
	}
	weights->sub[MAUI_RES_GRES] = maui_priority_gres_weight(config);
	read_gres(config, config, weights);
}

static bool priority_compile_tree(const struct maui_priority_weights *weights)
{
	return weights->component[MAUI_FS] != 0 && weights->sub[MAUI_FS_TREE] != 0;
}

/* The global weights, and those of every partition that a line names. */
static void compile_weights(struct maui_priority_policy *policy)
{
	const char *const *names;
	size_t count = maui_config_indices(policy->config, &names);

	policy->partitions = maui_intern_new();
	policy->weights = maui_calloc(count + 1, sizeof(*policy->weights));
	read_weights(policy->config, NULL, &policy->weights[0]);
	policy->uses_tree = priority_compile_tree(&policy->weights[0]);
	for (size_t i = 0; i < count; i++) {
		uint32_t id = maui_intern_add(policy->partitions, names[i]);

		read_weights(policy->config, names[i], &policy->weights[id]);
		policy->uses_tree |= priority_compile_tree(&policy->weights[id]);
	}
}

struct maui_priority_policy *maui_priority_compile(struct maui_config *config)
{
	struct maui_priority_policy *policy = maui_calloc(1, sizeof(*policy));
	double xfactor_minimum;

	policy->config = maui_config_ref(config);
	compile_weights(policy);
	/* At least 1, as it is a divisor: unset is -1, and a job's own limit may be 0. */
	xfactor_minimum = priority_compile_parameter(config, MAUI_KEY_XFMINWCLIMIT, NULL);
	policy->xfactor_minimum = xfactor_minimum > 1 ? xfactor_minimum : 1;
	policy->negatives_enabled = priority_compile_enabled(config, MAUI_KEY_ENABLENEGJOBPRIORITY);
	policy->rejects_negatives = priority_compile_enabled(config, MAUI_KEY_REJECTNEGPRIOJOBS);
	policy->floor = policy->negatives_enabled ? -NO_LIMIT : 1;
	return policy;
}

struct maui_priority_policy *maui_priority_free(struct maui_priority_policy *policy)
{
	if (!policy)
		return NULL;
	maui_intern_free(policy->partitions);
	free(policy->weights);
	maui_config_unref(policy->config);
	free(policy);
	return NULL;
}

bool maui_priority_uses_tree(const struct maui_priority_policy *policy)
{
	return policy->uses_tree;
}

bool maui_priority_negatives_enabled(const struct maui_priority_policy *policy)
{
	return policy->negatives_enabled;
}

const struct maui_priority_weights *maui_priority_weights(const struct maui_priority_policy *policy,
							  const char *partition)
{
	return &policy->weights[partition ? maui_intern_find(policy->partitions, partition) : 0];
}
