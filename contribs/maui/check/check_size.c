/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Limits that exceed the machine: nothing ever reaches them. */
#include "contribs/maui/check/check.h"

#include <inttypes.h>
#include <stdio.h>

#include "common/policy/limits/limits_metric.h"
#include "contribs/maui/slurm/slurm_facts.h"

/* Whether it is a limit on what runs, of this metric. */
static bool is_of_metric(enum maui_key key, enum maui_limit_metric metric)
{
	static const enum maui_limit_form forms[] = {MAUI_LIMIT_MAX, MAUI_LIMIT_OMAX,
						     MAUI_LIMIT_OMAXJ, MAUI_LIMIT_PERUSER,
						     MAUI_LIMIT_PERJOB};

	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++)
		if (maui_limit_metric_info(metric)->key[forms[i]] == key)
			return true;
	return false;
}

static void check_value(struct findings *findings, const char *where,
			const struct maui_value *value, int64_t limit,
			enum maui_limit_metric metric, const struct slurm_facts *facts)
{
	int64_t size = metric == MAUI_LIMIT_PROC ? facts->procs : facts->node_count;

	if (limit > size && size > 0)
		findings_warn(findings, &value->origin,
			      "%s%s has no effect: nothing can reach %" PRId64
			      " %s, as Slurm has %" PRId64 "; write less, or -1",
			      where, value->key->name, limit, maui_limit_metric_info(metric)->many,
			      size);
}

static void check_object(struct findings *findings, enum maui_section section,
			 const struct maui_object *object, const struct slurm_facts *facts)
{
	static const enum maui_limit_metric metrics[] = {MAUI_LIMIT_PROC, MAUI_LIMIT_NODE};
	const struct maui_value *const *values;
	size_t count = maui_object_values(object, &values);
	char where[100];

	snprintf(where, sizeof(where),
		 *maui_object_name(object) ? "%s[%.60s]: " : "%s: ", maui_section_name(section),
		 maui_object_name(object));
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < sizeof(metrics) / sizeof(metrics[0]); k++)
			if (is_of_metric(values[i]->key->key, metrics[k]))
				check_value(findings, where, values[i], values[i]->limit.soft,
					    metrics[k], facts);
}

/* A class's time limits, if the partition has a shorter one. */
static void check_partition(struct findings *findings, const struct maui_object *object,
			    const struct slurm_facts *facts)
{
	const struct maui_value *value = maui_object_get(object, MAUI_ATTR_MAX_WCLIMIT);
	uint32_t id = maui_intern_find(facts->partition_names, maui_object_name(object));

	if (value && id && value->integer > facts->partitions[id].longest)
		findings_warn(
			findings, &value->origin,
			"CLASSCFG[%.60s]: MAX.WCLIMIT has no effect: MaxTime of the partition "
			"in slurm.conf is shorter, and with EnforcePartLimits=%s %s; raise "
			"MaxTime",
			maui_object_name(object), facts->words[SLURM_PART_LIMITS],
			facts->words[SLURM_PART_LIMITS][0] == 'A' ? "sbatch refuses what is longer"
								  : "what is longer waits forever");
}

void check_size(const struct maui_config *config, struct findings *findings,
		const struct slurm_facts *facts)
{
	static const enum maui_section sections[] = {MAUI_SYSCFG,     MAUI_USERCFG, MAUI_GROUPCFG,
						     MAUI_ACCOUNTCFG, MAUI_QOSCFG,  MAUI_CLASSCFG};
	const struct maui_value *whole =
		maui_config_get(config, MAUI_KEY_SYSTEMMAXPROCPERJOB, NULL);

	if (whole && maui_value_given(whole))
		check_value(findings, "", whole, whole->integer, MAUI_LIMIT_PROC, facts);
	for (size_t i = 0; i < sizeof(sections) / sizeof(sections[0]); i++) {
		const struct maui_object *const *objects;
		size_t count = maui_config_objects(config, sections[i], &objects);

		for (size_t k = 0; k < count; k++) {
			check_object(findings, sections[i], objects[k], facts);
			if (sections[i] == MAUI_CLASSCFG)
				check_partition(findings, objects[k], facts);
		}
	}
}
