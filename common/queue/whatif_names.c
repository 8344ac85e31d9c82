/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Loads the engine's names with their numbers, adds accounts, QOS and classes
 * of the other policy, and computes its priority settings and fairshare
 * factors.
 */
#include "common/queue/whatif_names.h"

#include <stdlib.h>
#include <string.h>

#include "common/queue/names_private.h"
#include "common/util/memory.h"

/* The interner assigns the numbers 1, 2, ..., as that of the names did. */
static void open_texts(struct maui_whatif_names *names, enum maui_credential type)
{
	const struct maui_frozen_names *known = names->known;

	names->texts[type] = maui_intern_new();
	for (uint32_t id = 1; id <= known->count[type]; id++)
		maui_intern_add(names->texts[type], known->text[type][id]);
}

static void open_numbers(struct maui_whatif_names *names, enum maui_credential type)
{
	const struct maui_frozen_names *known = names->known;

	for (uint32_t id = 1; id <= known->count[type]; id++)
		if (known->number[type][id] != UINT32_MAX)
			maui_idmap_set(&names->by_number[type], known->number[type][id], id);
}

void maui_whatif_names_open(struct maui_whatif_names *names, const struct maui_frozen_names *known,
			    struct maui_principals *principals)
{
	*names = (struct maui_whatif_names){.known = known, .principals = principals};
	for (int type = 0; type < MAUI_CREDENTIALS; type++)
		if (is_numeric(type))
			open_numbers(names, type);
		else
			open_texts(names, type);
}

void maui_whatif_names_clear(struct maui_whatif_names *names)
{
	maui_principals_free(names->principals);
	for (int type = 0; type < MAUI_CREDENTIALS; type++) {
		maui_intern_free(names->texts[type]);
		maui_idmap_clear(&names->by_number[type]);
	}
}

/* Users and groups without a job are nobody. */
uint32_t maui_whatif_names_id(void *context, enum maui_credential type, const char *name)
{
	struct maui_whatif_names *names = context;
	uint32_t number, id;
	char *small;

	if (is_numeric(type))
		return maui_answer_has_number(
			       maui_principals_number(names->principals, type, name, &number))
			       ? maui_idmap_find(&names->by_number[type], number)
			       : MAUI_NO_CREDENTIAL;
	if (type == MAUI_CLASS)
		return maui_intern_add(names->texts[type], name);
	small = names_small(name); /* as accounts and QOS are in Slurm */
	id = maui_intern_add(names->texts[type], small);
	free(small);
	return id;
}

/* The name by which maui.cfg may know a credential; as in names.c. */
static const char *policy_name(const struct maui_whatif_names *names, enum maui_credential type,
			       uint32_t id)
{
	const char *name;

	if (id == MAUI_NO_CREDENTIAL)
		return NULL;
	if (!is_numeric(type))
		return maui_intern_name(names->texts[type], id);
	if (names->known->number[type][id] == UINT32_MAX)
		return names->known->text[type][id];
	name = maui_principals_name(names->principals, type, names->known->number[type][id]);
	return name ? name : "";
}

static void bind_type(const struct maui_whatif_names *names, const struct maui_policy *policy,
		      const struct maui_fairshare *windows, enum maui_credential type,
		      struct maui_frozen_names *frozen)
{
	uint32_t known = names->known->count[type];
	uint32_t count = is_numeric(type) ? known : maui_intern_count(names->texts[type]);

	frozen->count[type] = count;
	frozen->credential[type] =
		maui_calloc((size_t)count + 1, sizeof(*frozen->credential[type]));
	frozen->fs_factor[type] = maui_calloc((size_t)count + 1, sizeof(double));
	frozen->number[type] = maui_calloc((size_t)count + 1, sizeof(uint32_t));
	frozen->text[type] = maui_calloc((size_t)count + 1, sizeof(char *));
	for (uint32_t id = 0; id <= count; id++) {
		const char *name = policy_name(names, type, id);

		maui_priority_credential(policy->priority, type, name,
					 &frozen->credential[type][id]);
		if (id && is_numeric(type))
			frozen->number[type][id] = names->known->number[type][id];
		frozen->text[type][id] = is_numeric(type) ? names->known->text[type][id] : name;
	}
	frozen->tables.credential[type] = frozen->credential[type];
	if (!windows)
		return;
	maui_fairshare_factors(windows, type, frozen->credential[type], count + 1,
			       frozen->fs_factor[type]);
	frozen->tables.fs_factor[type] = frozen->fs_factor[type];
}

void maui_whatif_names_bind(const struct maui_whatif_names *names, const struct maui_policy *policy,
			    const struct maui_fairshare *windows,
			    struct maui_frozen_names *ret_frozen)
{
	*ret_frozen = (struct maui_frozen_names){0};
	for (int type = 0; type < MAUI_CREDENTIALS; type++)
		bind_type(names, policy, windows, type, ret_frozen);
}
