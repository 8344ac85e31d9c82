/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names in maui.cfg that Slurm must know: nodes and partitions, accounts and QOS. */
#include "contribs/maui/check/check.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "common/config/default_name.h"
#include "common/util/slurm/hostlist.h"
#include "contribs/maui/slurm/slurm_facts.h"

/* ---- objects --------------------------------------------------------------------------------- */

static void check_objects(const struct maui_config *config, struct findings *findings,
			  enum maui_section section, const struct maui_intern *known,
			  const char *what, const char *remedy)
{
	const struct maui_object *const *objects;
	size_t count = maui_config_objects(config, section, &objects);

	for (size_t i = 0; i < count; i++) {
		const char *name = maui_object_name(objects[i]);
		struct maui_origin origin = maui_object_origin(objects[i]);

		if (!maui_is_default(name) && !maui_intern_find(known, name))
			findings_warn(
				findings, &origin,
				"%s[%.60s]: Slurm has no %s %.60s; the line affects no job: %s",
				maui_section_name(section), name, what, name, remedy);
	}
}

/* Partitions in the indices of weights. */
static void check_indices(const struct maui_config *config, struct findings *findings,
			  const struct maui_intern *known)
{
	const char *const *names;
	size_t count = maui_config_indices(config, &names);

	for (size_t i = 0; i < count; i++) {
		if (maui_intern_find(known, names[i]))
			continue;
		for (int key = 0; key < MAUI_KEYS; key++) {
			const struct maui_value *value = maui_config_get(config, key, names[i]);

			if (value && maui_value_given(value) &&
			    value != maui_config_get(config, key, NULL))
				findings_warn(findings, &value->origin,
					      "%s[%.60s]: Slurm has no partition %.60s; the line "
					      "affects no job: PartitionName=... in slurm.conf",
					      value->key->name, names[i], names[i]);
		}
	}
}

/* ---- nodes ----------------------------------------------------------------------------------- */

struct search {
	const struct maui_intern *known;
	char missing[80];
	size_t count;
};

static int look_for(void *context, const char *name)
{
	struct search *search = context;

	if (maui_intern_find(search->known, name))
		return 0;
	if (!search->count++)
		snprintf(search->missing, sizeof(search->missing), "%.60s", name);
	return 0;
}

static void check_node(const struct maui_config *config, struct findings *findings,
		       const struct maui_object *node, const struct maui_intern *known)
{
	struct maui_origin origin = maui_object_origin(node);
	const char *name = maui_object_name(node);
	struct search search = {.known = known};
	size_t names = 1;

	if (maui_is_default(name))
		return;
	if (!maui_hostlist_is_range(name))
		look_for(&search, name);
	else
		maui_hostlist_expand(name, look_for, &search, &names, NULL, NULL);
	if (search.count && names == 1)
		findings_warn(findings, &origin,
			      "NODECFG[%.60s]: Slurm has no node %s; the line has no effect: "
			      "NodeName=... in slurm.conf",
			      name, search.missing);
	else if (search.count)
		findings_warn(findings, &origin,
			      "NODECFG[%.60s]: Slurm does not have %zu of the %zu nodes, the first "
			      "is %s: NodeName=... in slurm.conf",
			      name, search.count, names, search.missing);
}

void check_known_machine(const struct maui_config *config, struct findings *findings,
			 const struct slurm_facts *facts)
{
	const struct maui_object *const *nodes;
	size_t count = maui_config_objects(config, MAUI_NODECFG, &nodes);

	check_objects(config, findings, MAUI_CLASSCFG, facts->partition_names, "partition",
		      "PartitionName=... in slurm.conf");
	check_indices(config, findings, facts->partition_names);
	check_gres(config, findings, facts->gres, NULL);
	for (size_t i = 0; i < count; i++)
		check_node(config, findings, nodes[i], facts->nodes);
}

/* ---- accounts and QOS ------------------------------------------------------------------------ */

/* A QOS in a list, without its marks. */
static void check_qos_name(struct findings *findings, enum maui_section section,
			   const struct maui_object *object, const struct maui_value *value,
			   const char *text, const struct maui_intern *known)
{
	const char *start = text + strspn(text, "&^");
	char name[80];

	snprintf(name, sizeof(name), "%.*s", (int)strcspn(start, "&^"), start);
	if (!*name || maui_is_default(name) || maui_intern_find(known, name))
		return;
	findings_warn(findings, &value->origin,
		      "%s%s%.60s%s: %s: Slurm has no QOS %s: sacctmgr add qos %s",
		      maui_section_name(section), *maui_object_name(object) ? "[" : "",
		      maui_object_name(object), *maui_object_name(object) ? "]" : "",
		      value->key->name, name, name);
}

static void check_qos_lists(const struct maui_config *config, struct findings *findings,
			    enum maui_section section, const struct maui_intern *known)
{
	const struct maui_object *const *objects;
	size_t count = maui_config_objects(config, section, &objects);

	for (size_t i = 0; i < count; i++) {
		const struct maui_value *list = maui_object_get(objects[i], MAUI_ATTR_QLIST);
		const struct maui_value *one = maui_object_get(objects[i], MAUI_ATTR_QDEF);

		for (size_t k = 0; list && k < list->list_size; k++)
			check_qos_name(findings, section, objects[i], list, list->list[k], known);
		if (one)
			check_qos_name(findings, section, objects[i], one, one->text, known);
	}
}

void check_known_names(const struct maui_config *config, struct findings *findings,
		       const struct slurm_accounts *names)
{
	check_objects(config, findings, MAUI_ACCOUNTCFG, names->accounts, "account",
		      "sacctmgr add account");
	check_objects(config, findings, MAUI_QOSCFG, names->qos, "QOS", "sacctmgr add qos");
	for (enum maui_section section = MAUI_SYSCFG; section < MAUI_SECTIONS; section++)
		check_qos_lists(config, findings, section, names->qos);
}
